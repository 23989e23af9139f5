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
import { type CopyValue, copyLine } from './copy-text.ts';

export const MAX_TITLE = 500;
export const MAX_NAME = 1000;
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

/** Name and version of a package, without the notation of one tool. */
const packageDigest = (component: AffectedComponent): string =>
  digest(`${packageName(component.name)}\u0000${(component.version ?? '').replace(/^v(?=\d)/i, '')}`);

/** Everything in a definition is part of its digest but what public data says today, which is kept current in place. */
export const definitionLine = (tool: string, finding: NormalizedFinding): string => {
  const { component } = finding;
  return copyLine([
    tool,
    cut(finding.ruleId, MAX_NAME),
    cut(finding.title, MAX_TITLE),
    cut(finding.cve?.toUpperCase(), MAX_INDEXED),
    (finding.aliases ?? []).slice(0, MAX_LINKS),
    (finding.cwe ?? []).filter((id) => position(id) !== undefined),
    cut(component?.name, MAX_INDEXED),
    cut(component?.version, MAX_NAME),
    cut(component?.fixedVersion, MAX_NAME),
    cut(component?.purl, MAX_NAME),
    cut(component?.ecosystem, MAX_NAME),
    component !== undefined && (isVulnerableComponent(finding) || finding.type === 'License')
      ? packageDigest(component)
      : null,
  ]);
};

export const enrichmentColumns = (extra: Enrichment, reported: ReturnType<typeof reportedEpss>): string =>
  copyLine([
    extra.owasp2021,
    extra.owasp2025,
    extra.epss?.probability,
    extra.epss?.percentile,
    extra.epss?.date,
    extra.kev?.dateAdded,
    extra.slsaThreats,
    extra.owaspCicd,
    reported?.probability,
    reported?.percentile,
    reported?.date,
  ]);

const storedLocation = (place: Location): Location => ({
  ...place,
  path: normalisePath(place.path),
  ...(place.snippet === undefined ? {} : { snippet: place.snippet.slice(0, MAX_TEXT) }),
});

const jsonList = <T>(list: readonly T[] | undefined, max: number): CopyValue =>
  list === undefined || list.length === 0 ? null : { json: list.slice(0, max) };

export const detailLine = (finding: NormalizedFinding, partsField: string): string => {
  const places = finding.locations ?? [];
  const [first] = places;
  const fields = copyLine([
    cut(finding.description, MAX_TEXT),
    cut(finding.mitigation, MAX_TEXT),
    cut(first?.snippet, MAX_TEXT),
    first?.snippet === undefined ? null : position(first.startLine),
    cut(finding.nativeSeverity, MAX_NAME),
    cut(finding.cvssVector, MAX_NAME),
    (finding.references ?? []).filter((link) => /^https?:\/\//i.test(link)).slice(0, MAX_LINKS),
    // one place alone stands in the row itself
    places.length < 2 ? null : jsonList(places.map(storedLocation), MAX_LOCATIONS),
    jsonList(
      finding.codeFlows?.map((flow) => flow.slice(0, MAX_LOCATIONS).map(storedLocation)),
      MAX_FLOWS,
    ),
    cut(finding.resource, MAX_NAME),
    finding.policy === undefined ? null : { json: finding.policy },
    finding.secretHash,
  ]);
  return `${fields}\t${partsField}\t${copyLine([cut(finding.suppressed?.reason, MAX_NAME)])}`;
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
  const place = finding.locations?.[0];
  // of the file, else of the package's ecosystem
  const guessed =
    finding.language === undefined ? file.language || languageOfEcosystem(finding.component?.ecosystem) : '';
  return copyLine([
    SEVERITY_RANK[finding.severity],
    numericalSeverity(finding, cvss),
    priority.priority,
    finding.type,
    extra.category,
    finding.language?.toLowerCase() ?? guessed,
    finding.suppressed?.verdict ?? 'none',
    extra.kev !== undefined,
    cvss,
    extra.epss?.probability,
    position(place?.startLine),
    position(place?.endLine),
    position(place?.startColumn),
    position(place?.endColumn),
    (finding.tags ?? []).slice(0, MAX_LINKS),
    estimates.effort,
    estimates.exploitability,
    estimates.impact,
    guessed !== '',
  ]);
};
