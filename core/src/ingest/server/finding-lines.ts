import type { AffectedComponent, Location, NormalizedFinding, Severity } from '@breakwater/sdk';
import {
  type Enrichment,
  type Estimates,
  isVulnerableComponent,
  languageOfEcosystem,
  type Priority,
  type reportedEpss,
} from '../../prioritisation/server/index.ts';
import { languageOfPath, normalisePath, packageName } from '../model/normalise.ts';
import { type CopyValue, copyLine } from './copy-text.ts';
import {
  cut,
  digest,
  MAX_FLOWS,
  MAX_INDEXED,
  MAX_LINKS,
  MAX_NAME,
  MAX_PLACES,
  MAX_TEXT,
  MAX_TITLE,
  position,
} from './stored-values.ts';

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
export interface Judgement {
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

const storedPlace = (place: Location): Location => ({
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
    places.length < 2 ? null : jsonList(places.map(storedPlace), MAX_PLACES),
    jsonList(
      finding.codeFlows?.map((flow) => flow.slice(0, MAX_PLACES).map(storedPlace)),
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
  { extra, priority, estimates }: Judgement,
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
