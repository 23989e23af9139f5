import { hash } from 'node:crypto';
import type { AffectedComponent, Location, NormalizedFinding, Severity } from '@breakwater/sdk';
import {
  type Enrichment,
  type Estimates,
  isVulnerableComponent,
  languageOfEcosystem,
  type Priority,
  type reportedEpss,
} from '../../../prioritisation/server/index.ts';
import { languageOfPath, normalisePath, packageName } from '../../model/identity.ts';
import { type FieldName, fieldNames } from '../../model/reported-fields.ts';
import { type CopyValue, copyLine } from './copy-text.ts';

export const MAX_TITLE = 500;
export const MAX_NAME = 1000;
const MAX_TOOL = 100;
/** An entry of an index holds 2,704 bytes; a character takes four at most. */
export const MAX_INDEXED = 600;
export const MAX_TEXT = 65_536;
export const MAX_LINKS = 100;
export const MAX_LOCATIONS = 200;
export const MAX_FLOWS = 20;
const MAX_INT = 2_147_483_647;

/** 128 bits of SHA-256, as a UUID column takes them. */
export const digest = (text: string): string => hash('sha256', text, 'hex').slice(0, 32);

export const cut = (text: string | undefined, max: number): string | undefined =>
  text !== undefined && text.length > max ? text.slice(0, max) : text;

export const position = (value: number | undefined): number | undefined =>
  value !== undefined && Number.isInteger(value) && value > 0 && value <= MAX_INT ? value : undefined;

export const score = (value: number | undefined): number | undefined =>
  value !== undefined && value >= 0 && value <= 10 ? Math.round(value * 10) / 10 : undefined;

/** The time as PostgreSQL reads it; nothing for what is no date of our calendar's four-digit years. */
export const isoDate = (text: string | undefined): string | undefined => {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  if (Number.isNaN(time)) return undefined;
  const date = new Date(time);
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 ? date.toISOString() : undefined;
};

/** Severity as stored: 4 critical to 0 informational. */
const SEVERITY_RANK: Readonly<Record<Severity, number>> = {
  critical: 4,
  high: 3,
  medium: 2,
  low: 1,
  informational: 0,
};
const SEVERITY_NUMERICAL: Readonly<Record<Severity, number>> = {
  critical: 95,
  high: 75,
  medium: 50,
  low: 25,
  informational: 5,
};

/** What follows from the definition and the rating alone: the same for all results of a rule. */
export interface RuleFacts {
  extra: Enrichment;
  priority: Priority;
  estimates: Estimates;
  /** COPY text. */
  partsField: string;
  definitionLine: string;
}

type Values<Name extends string> = Readonly<Record<Name, CopyValue>>;

const lineOf = (names: readonly string[], values: Values<string>): string =>
  copyLine(names.map((name) => values[name]));

const FINDING_COLUMNS = fieldNames('findings');
const LOCATION_COLUMNS = fieldNames('finding_locations');
const DETAIL_COLUMNS = fieldNames('finding_details', 'report', 'unless_overridden', 'verdict');
const PLACE_COLUMNS = fieldNames('finding_details', 'place');
const DEFINITION_COLUMNS = fieldNames('finding_definitions', 'never');
const PUBLIC_DATA_COLUMNS = fieldNames('finding_definitions', 'public_data');

/** Name and version of a package, without the notation of one tool. */
const packageDigest = (component: AffectedComponent): string =>
  digest(`${packageName(component.name)}\u0000${(component.version ?? '').replace(/^v(?=\d)/i, '')}`);

/** The component of a finding as it is stored; null where it is about none. */
export const storedComponent = ({ component }: NormalizedFinding) => {
  const name = cut(component?.name, MAX_INDEXED) ?? null;
  const [ecosystem, purl] = [cut(component?.ecosystem, MAX_NAME) ?? null, cut(component?.purl, MAX_NAME) ?? null];
  return name === null ? null : { name, ecosystem, purl };
};

/** Everything in a definition is part of its digest but what public data says today, which is kept current in place. */
export const definitionLine = (tool: string, finding: NormalizedFinding): string => {
  const { component } = finding;
  const hasPackage = component !== undefined && (isVulnerableComponent(finding) || finding.type === 'License');
  const values: Values<FieldName<'finding_definitions', 'never'>> = {
    tool: cut(finding.tool, MAX_TOOL) ?? tool,
    rule_id: cut(finding.ruleId, MAX_NAME),
    title: cut(finding.title, MAX_TITLE),
    cve: cut(finding.cve?.toUpperCase(), MAX_INDEXED),
    aliases: (finding.aliases ?? []).slice(0, MAX_LINKS),
    cwe: (finding.cwe ?? []).filter((id) => position(id) !== undefined),
    component: cut(component?.name, MAX_INDEXED),
    component_version: cut(component?.version, MAX_NAME),
    fixed_version: cut(component?.fixedVersion, MAX_NAME),
    purl: cut(component?.purl, MAX_NAME),
    ecosystem: cut(component?.ecosystem, MAX_NAME),
    package_key: hasPackage ? packageDigest(component) : null,
  };
  return lineOf(DEFINITION_COLUMNS, values);
};

export const publicDataColumns = (
  extra: Enrichment,
  reported: ReturnType<typeof reportedEpss>,
  published: string | undefined,
): string => {
  const values: Values<FieldName<'finding_definitions', 'public_data'>> = {
    owasp_2021: extra.owasp2021,
    owasp_2025: extra.owasp2025,
    epss: extra.epss?.probability,
    epss_percentile: extra.epss?.percentile,
    epss_date: extra.epss?.date,
    kev_added: extra.kev?.dateAdded,
    slsa_threats: extra.slsaThreats,
    owasp_cicd: extra.owaspCicd,
    reported_epss: reported?.probability,
    reported_epss_percentile: reported?.percentile,
    reported_epss_date: reported?.date,
    published_on: isoDate(published)?.slice(0, 10),
  };
  return lineOf(PUBLIC_DATA_COLUMNS, values);
};

const storedLocation = (location: Location): Location => ({
  ...location,
  path: normalisePath(location.path),
  ...(location.snippet === undefined ? {} : { snippet: location.snippet.slice(0, MAX_TEXT) }),
});

const jsonList = <T>(list: readonly T[] | undefined, max: number): CopyValue =>
  list === undefined || list.length === 0 ? null : { json: list.slice(0, max) };

export const detailLine = (finding: NormalizedFinding, partsField: string): string => {
  const values: Values<FieldName<'finding_details', 'report' | 'unless_overridden' | 'verdict'>> = {
    description: cut(finding.description, MAX_TEXT),
    mitigation: cut(finding.mitigation, MAX_TEXT),
    code: cut(finding.locations?.[0]?.snippet, MAX_TEXT),
    native_severity: cut(finding.nativeSeverity, MAX_NAME),
    cvss_vector: cut(finding.cvssVector, MAX_NAME),
    reference_urls: (finding.references ?? []).filter((link) => /^https?:\/\//i.test(link)).slice(0, MAX_LINKS),
    resource: cut(finding.resource, MAX_NAME),
    policy: finding.policy === undefined ? null : { json: finding.policy },
    secret_hash: finding.secretHash,
    priority_parts: { copyText: partsField },
    verdict_reason: cut(finding.suppressed?.reason, MAX_NAME),
  };
  return lineOf(DETAIL_COLUMNS, values);
};

/** The long part of where a result is: all its places where it has several, the ways to it, and what was sent there. Undefined for none of them. */
export const placesLine = (finding: NormalizedFinding): string | undefined => {
  const { locations = [], codeFlows = [], http } = finding;
  if (locations.length < 2 && codeFlows.length === 0 && http === undefined) return undefined;
  const values: Values<FieldName<'finding_details', 'place'>> = {
    // a single location is stored in the row itself
    locations: locations.length < 2 ? null : jsonList(locations.map(storedLocation), MAX_LOCATIONS),
    code_flows: jsonList(
      codeFlows.map((flow) => flow.slice(0, MAX_LOCATIONS).map(storedLocation)),
      MAX_FLOWS,
    ),
    http_request: cut(http?.request, MAX_TEXT),
    http_response: cut(http?.response, MAX_TEXT),
    curl_command: cut(http?.curl, MAX_TEXT),
  };
  return lineOf(PLACE_COLUMNS, values);
};

/** What `placesLine` says of a result with none of them. */
export const NO_PLACES = copyLine(PLACE_COLUMNS.map(() => null));

/** Where a result is, in brief. `places`: digest of `placesLine`. */
export const locationRow = (finding: NormalizedFinding, places: string | undefined): string => {
  const location = finding.locations?.[0];
  const values: Values<FieldName<'finding_locations'>> = {
    start_line: position(location?.startLine),
    end_line: position(location?.endLine),
    places,
  };
  return lineOf(LOCATION_COLUMNS, values);
};

const numericalSeverity = (finding: NormalizedFinding, cvss: number | undefined): number => {
  const own = finding.severityNumerical;
  if (own !== undefined && own >= 0 && own <= 100) return Math.round(own);
  return cvss === undefined ? SEVERITY_NUMERICAL[finding.severity] : Math.round(cvss * 10);
};

/** What a path as the report writes it comes to. */
export interface ReportedFile {
  path: string | undefined;
  language: string;
}

export const fileOf = (path: string): ReportedFile => ({
  path: path === '' ? undefined : normalisePath(path),
  language: languageOfPath(path),
});

export const findingRow = (
  finding: NormalizedFinding,
  { extra, priority, estimates }: RuleFacts,
  cvss: number | undefined,
  file: ReportedFile,
): string => {
  const location = finding.locations?.[0];
  // of the file, else of the package's ecosystem
  const guessed =
    finding.language === undefined ? file.language || languageOfEcosystem(finding.component?.ecosystem) : '';
  const values: Values<FieldName<'findings'>> = {
    severity: SEVERITY_RANK[finding.severity],
    severity_numerical: numericalSeverity(finding, cvss),
    priority: priority.priority,
    type: finding.type,
    category: extra.category,
    language: finding.language?.toLowerCase() ?? guessed,
    verdict: finding.suppressed?.verdict ?? 'none',
    kev: extra.kev !== undefined,
    cvss,
    epss: extra.epss?.probability,
    start_column: position(location?.startColumn),
    end_column: position(location?.endColumn),
    tags: (finding.tags ?? []).slice(0, MAX_LINKS),
    effort_for_fixing: estimates.effort,
    exploitability: estimates.exploitability,
    impact: estimates.impact,
    is_language_estimated: guessed !== '',
  };
  return lineOf(FINDING_COLUMNS, values);
};
