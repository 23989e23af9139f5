import type { NormalizedFinding } from '@breakwater/sdk';
import {
  enrich,
  estimate,
  isVulnerableComponent,
  type ReferenceData,
  reportedEpss,
  type StoredRules,
  scorePriority,
} from '../../../prioritisation/server/index.ts';
import { identityText, isTelling } from '../../model/identity.ts';
import { withoutSecrets } from '../../model/mask-exchange.ts';
import { copyLine } from './copy-text.ts';
import {
  definitionLine,
  detailLine,
  digest,
  fileOf,
  findingRow,
  isoDate,
  locationRow,
  NO_PLACES,
  placesLine,
  publicDataColumns,
  type RuleFacts,
  score,
} from './finding-lines.ts';

/** What is the same for all results of a report. */
export interface ReportFacts {
  tool: string;
  exposure: 'internet' | 'internal' | 'unknown';
  dataClass: 'sensitive' | 'business' | 'public' | 'unknown';
  reference: ReferenceData;
  /** How the client weighs what a priority rests on. */
  priorities: StoredRules;
}

/** One result, ready to be staged. The lines are COPY text without numbers of rows, files and definitions. */
export interface PreparedFinding {
  definition: { digest: string; line: string };
  /** What the report says about the policy behind the rule. */
  policy: NormalizedFinding['policy'];
  path: string | undefined;
  identity: string;
  /** Digest of all that is stored of it but where it is. */
  content: string;
  /** Line and digest of the other places. Where this and `content` are equal, there is nothing to write. */
  location: string;
  findingRow: string;
  detailLine: string;
  /** The identity rests on code, a secret, a package, a resource or the tool's fingerprint, not on rule and file alone. */
  isTelling: boolean;
  isSuppressed: boolean;
  /** ISO 8601; absent means the scan's time. */
  date: string | undefined;
}

const enrichResult = (
  finding: NormalizedFinding,
  facts: ReportFacts,
  cvss: number | undefined,
  fixedLine: string,
): RuleFacts => {
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
    definitionLine: `${fixedLine}\t${publicDataColumns(extra, reportedEpss(finding))}`,
  };
};

/** Judgements kept at most; a report with more kinds of results computes some anew. */
const MAX_KEPT = 20_000;

/** The same, from memory where it was computed before. */
const keeping = <T>(make: (text: string) => T): ((text: string) => T) => {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const made = make(text);
    if (known.size < MAX_KEPT) known.set(text, made);
    return made;
  };
};

/** Makes the function that normalises, enriches and scores the results of one report. Equal input gives equal output. */
export const createPreparation = (facts: ReportFacts): ((finding: NormalizedFinding) => PreparedFinding) => {
  const kept = new Map<string, RuleFacts>();
  const digestOf = keeping(digest);
  const fileAt = keeping(fileOf);
  const ruleFactsOf = (
    finding: NormalizedFinding,
    cvss: number | undefined,
    fixedLine: string,
    key: string,
  ): RuleFacts => {
    const { severity, cvssVector, type, epss } = finding;
    if (epss !== undefined) return enrichResult(finding, facts, cvss, fixedLine);
    const name = `${key} ${severity} ${type} ${cvss} ${cvssVector}`;
    const known = kept.get(name);
    if (known !== undefined) return known;
    const made = enrichResult(finding, facts, cvss, fixedLine);
    if (kept.size < MAX_KEPT) kept.set(name, made);
    return made;
  };
  return (reported) => {
    const finding = withoutSecrets(reported);
    const cvss = score(finding.cvssScore);
    const fixedLine = definitionLine(facts.tool, finding);
    const key = digestOf(fixedLine);
    const ruleFacts = ruleFactsOf(finding, cvss, fixedLine, key);
    const file = fileAt(finding.locations?.[0]?.path ?? '');
    const row = findingRow(finding, ruleFacts, cvss, file);
    const detail = detailLine(finding, ruleFacts.partsField);
    const places = placesLine(finding);
    return {
      definition: { digest: key, line: `${key}\t${ruleFacts.definitionLine}` },
      policy: finding.policy,
      path: file.path,
      identity: digest(identityText(facts.tool, finding)),
      content: digest(`${key}\n${file.path ?? ''}\n${row}\n${detail}`),
      location: locationRow(finding, places === undefined ? undefined : digest(places)),
      findingRow: row,
      detailLine: `${detail}\t${places ?? NO_PLACES}`,
      isTelling: isTelling(finding),
      isSuppressed: finding.suppressed !== undefined,
      date: isoDate(finding.date),
    };
  };
};
