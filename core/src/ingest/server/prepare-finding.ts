import { hash } from 'node:crypto';
import type { AffectedComponent, Location, NormalizedFinding, Severity } from '@breakwater/sdk';
import {
  type Enrichment,
  type Estimates,
  enrich,
  estimate,
  isVulnerableComponent,
  languageOfEcosystem,
  type Priority,
  type ReferenceData,
  reportedEpss,
  type StoredRules,
  scorePriority,
} from '../../prioritisation/server/index.ts';
import { identityText } from '../model/identity.ts';
import { languageOfPath, normalisePath, packageName } from '../model/normalise.ts';
import { type CopyValue, copyLine } from './copy-text.ts';

/** Severity as stored: 4 critical to 0 informational. */
export const SEVERITY_RANK: Readonly<Record<Severity, number>> = {
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

const MAX_TITLE = 500;
const MAX_NAME = 1000;
/** An entry of an index holds 2,704 bytes; a character takes four at most. */
export const MAX_INDEXED = 600;
const MAX_TEXT = 65_536;
const MAX_LINKS = 100;
const MAX_PLACES = 200;
const MAX_FLOWS = 20;
const MAX_INT = 2_147_483_647;

/** What is the same for all results of a report. */
export interface ReportFacts {
  tool: string;
  exposure: 'internet' | 'internal' | 'unknown';
  dataClass: 'sensitive' | 'business' | 'public' | 'unknown';
  reference: ReferenceData;
  /** How the client weighs what a priority rests on. */
  priorities: StoredRules;
}

/** One result, ready to be staged. The lines are COPY text without numbers of rows, files and subjects. */
export interface PreparedFinding {
  subject: { digest: string; line: string };
  /** What the report says about the policy behind the rule. */
  policy: NormalizedFinding['policy'];
  path: string | undefined;
  identity: string;
  /** Digest of all that is stored of it; equal means nothing to write. */
  content: string;
  hotLine: string;
  detailLine: string;
  isSuppressed: boolean;
  /** ISO 8601; absent means the scan's time. */
  date: string | undefined;
}

/** 128 bits of SHA-256, as a UUID column takes them. */
export const digest = (text: string): string => hash('sha256', text, 'hex').slice(0, 32);

export const cut = (text: string | undefined, max: number): string | undefined =>
  text !== undefined && text.length > max ? text.slice(0, max) : text;

const position = (value: number | undefined): number | undefined =>
  value !== undefined && Number.isInteger(value) && value > 0 && value <= MAX_INT ? value : undefined;

const score = (value: number | undefined): number | undefined =>
  value !== undefined && value >= 0 && value <= 10 ? Math.round(value * 10) / 10 : undefined;

/** The time as PostgreSQL reads it; nothing for what is no date of our calendar's four-digit years. */
export const isoDate = (text: string | undefined): string | undefined => {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  if (Number.isNaN(time)) return undefined;
  const date = new Date(time);
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 ? date.toISOString() : undefined;
};

/** Name and version of a package, without the notation of one tool. */
const packageDigest = (component: AffectedComponent): string =>
  digest(`${packageName(component.name)}\u0000${(component.version ?? '').replace(/^v(?=\d)/i, '')}`);

/** Everything in a subject is part of its digest but what public data says today, which is kept current in place. */
const subjectLine = (tool: string, finding: NormalizedFinding): string => {
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

const currentLine = (extra: Enrichment, reported: ReturnType<typeof reportedEpss>): string =>
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

/** What follows from the subject and the rating alone: the same for all results of a rule. */
interface Judgement {
  extra: Enrichment;
  priority: Priority;
  estimates: Estimates;
  /** COPY text. */
  partsField: string;
  subjectLine: string;
}

const judge = (
  finding: NormalizedFinding,
  facts: ReportFacts,
  cvss: number | undefined,
  fixedLine: string,
): Judgement => {
  const extra = enrich(finding, facts);
  const priority = scorePriority(
    {
      severity: finding.severity,
      cvssScore: cvss,
      cvssVector: finding.cvssVector,
      kev: extra.kev,
      epss: extra.epss,
      likelihood: extra.likelihood,
      type: finding.type,
      exposure: facts.exposure,
      dataClass: facts.dataClass,
      owasp: extra.owasp2025 ?? extra.owasp2021,
    },
    facts.priorities.rules,
  );
  const estimates = estimate(
    {
      type: finding.type,
      severity: finding.severity,
      cvssScore: cvss,
      cvssVector: finding.cvssVector,
      cwe: finding.cwe ?? [],
      component: isVulnerableComponent(finding) ? finding.component : undefined,
      kev: extra.kev,
      epss: extra.epss,
      likelihood: extra.likelihood,
    },
    facts.reference,
  );
  return {
    extra,
    priority,
    estimates,
    partsField: copyLine([{ json: priority.parts }]),
    subjectLine: `${fixedLine}\t${currentLine(extra, reportedEpss(finding))}`,
  };
};

const storedPlace = (place: Location): Location => ({
  ...place,
  path: normalisePath(place.path),
  ...(place.snippet === undefined ? {} : { snippet: place.snippet.slice(0, MAX_TEXT) }),
});

const jsonList = <T>(list: readonly T[] | undefined, max: number): CopyValue =>
  list === undefined || list.length === 0 ? null : { json: list.slice(0, max) };

const detailLine = (finding: NormalizedFinding, partsField: string): string => {
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

/** Of the file, else of the package's ecosystem. */
const guessLanguage = (finding: NormalizedFinding): string =>
  languageOfPath(finding.locations?.[0]?.path ?? '') || languageOfEcosystem(finding.component?.ecosystem);

const hotLine = (
  finding: NormalizedFinding,
  { extra, priority, estimates }: Judgement,
  cvss: number | undefined,
): string => {
  const place = finding.locations?.[0];
  const guessed = finding.language === undefined ? guessLanguage(finding) : '';
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

/** Judgements kept at most; a report with more kinds of results computes some anew. */
const MAX_KEPT = 20_000;

/** Makes the function that normalises, enriches and scores the results of one report. Equal input gives equal output. */
export const createPreparation = (facts: ReportFacts): ((finding: NormalizedFinding) => PreparedFinding) => {
  const kept = new Map<string, Judgement>();
  const digests = new Map<string, string>();
  const digestOf = (line: string): string => {
    const known = digests.get(line);
    if (known !== undefined) return known;
    const made = digest(line);
    if (digests.size < MAX_KEPT) digests.set(line, made);
    return made;
  };
  const judgementOf = (
    finding: NormalizedFinding,
    cvss: number | undefined,
    fixedLine: string,
    key: string,
  ): Judgement => {
    const { severity, cvssVector, type, epss } = finding;
    if (epss !== undefined) return judge(finding, facts, cvss, fixedLine);
    const name = `${key} ${severity} ${type} ${cvss} ${cvssVector}`;
    const known = kept.get(name);
    if (known !== undefined) return known;
    const made = judge(finding, facts, cvss, fixedLine);
    if (kept.size < MAX_KEPT) kept.set(name, made);
    return made;
  };
  return (finding) => {
    const cvss = score(finding.cvssScore);
    const fixedLine = subjectLine(facts.tool, finding);
    const key = digestOf(fixedLine);
    const judgement = judgementOf(finding, cvss, fixedLine, key);
    const path = finding.locations?.[0]?.path;
    const normalPath = path === undefined || path === '' ? undefined : normalisePath(path);
    const hot = hotLine(finding, judgement, cvss);
    const detail = detailLine(finding, judgement.partsField);
    return {
      subject: { digest: key, line: `${key}\t${judgement.subjectLine}` },
      policy: finding.policy,
      path: normalPath,
      identity: digest(identityText(facts.tool, finding)),
      content: digest(`${key}\n${normalPath ?? ''}\n${hot}\n${detail}`),
      hotLine: hot,
      detailLine: detail,
      isSuppressed: finding.suppressed !== undefined,
      date: isoDate(finding.date),
    };
  };
};
