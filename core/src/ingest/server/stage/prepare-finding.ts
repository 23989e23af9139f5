import type { NormalizedFinding } from '@breakwater/sdk';
import {
  enrich,
  estimate,
  isVulnerableComponent,
  packageUseOf,
  type ReferenceData,
  reportedEpss,
  type StoredRules,
  scorePriority,
  type TieOwnFacts,
  tieFactsOf,
} from '../../../prioritisation/server/index.ts';
import type { KnownUses } from '../../../reachability/server/index.ts';
import { identityText, isTelling } from '../../model/identity.ts';
import { withoutSecrets } from '../../model/mask-exchange.ts';
import { copyLine } from './copy-text.ts';
import {
  cut,
  definitionLine,
  detailLine,
  digest,
  fileOf,
  findingRow,
  isoDate,
  locationRow,
  MAX_FLOWS,
  MAX_INDEXED,
  MAX_LINKS,
  MAX_LOCATIONS,
  MAX_NAME,
  NO_PLACES,
  placesLine,
  publicDataColumns,
  type RuleFacts,
  score,
  storedComponent,
} from './finding-lines.ts';

/** What is the same for all results of a report. */
export interface ReportFacts {
  tool: string;
  exposure: 'internet' | 'internal' | 'unknown';
  dataClass: 'sensitive' | 'business' | 'public' | 'unknown';
  reference: ReferenceData;
  /** How the client weighs what a priority rests on. */
  priorities: StoredRules;
  /** How the code of the repository uses packages. */
  packageUses: KnownUses;
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

/** Steps of the shortest data flow, of those that are stored. */
const flowStepsOf = ({ codeFlows = [] }: NormalizedFinding): number | undefined =>
  codeFlows.length === 0
    ? undefined
    : Math.min(...codeFlows.slice(0, MAX_FLOWS).map((flow) => Math.min(flow.length, MAX_LOCATIONS)));

/** What decides between equals, of what is stored of the result; its effort comes with the estimates. */
const ownTieFacts = (finding: NormalizedFinding, path: string | undefined): TieOwnFacts => {
  const { component, cve, aliases = [], cwe = [] } = finding;
  return tieFactsOf({
    component: cut(component?.name, MAX_INDEXED),
    fixedVersion: cut(component?.fixedVersion, MAX_NAME),
    effort: undefined,
    path,
    flowSteps: flowStepsOf(finding),
    cve,
    aliases: aliases.slice(0, MAX_LINKS),
    cwe,
  });
};

interface EnrichRequest {
  facts: ReportFacts;
  cvss: number | undefined;
  fixedLine: string;
  tie: TieOwnFacts;
}

const enrichResult = (finding: NormalizedFinding, { facts, cvss, fixedLine, tie }: EnrichRequest): RuleFacts => {
  const extra = enrich(finding, facts);
  const component = storedComponent(finding);
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
      packageUse: component === null ? undefined : packageUseOf(facts.packageUses.of(component), component.name),
      tie: { ...tie, effort: estimates.effort },
    },
    facts.priorities.rules,
  );
  return {
    extra,
    priority,
    estimates,
    partsField: copyLine([{ json: priority.parts }]),
    definitionLine: `${fixedLine}\t${publicDataColumns(extra, reportedEpss(finding), finding.published)}`,
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
    { key, path }: { key: string; path: string | undefined },
  ): RuleFacts => {
    const { severity, cvssVector, type, epss } = finding;
    const request = { facts, cvss, fixedLine, tie: ownTieFacts(finding, path) };
    if (epss !== undefined) return enrichResult(finding, request);
    // the rest of what decides between equals is part of the key
    const { place, flowSteps } = request.tie;
    const name = `${key} ${severity} ${type} ${cvss} ${cvssVector} ${place} ${flowSteps}`;
    const known = kept.get(name);
    if (known !== undefined) return known;
    const made = enrichResult(finding, request);
    if (kept.size < MAX_KEPT) kept.set(name, made);
    return made;
  };
  return (reported) => {
    const finding = withoutSecrets(reported);
    const cvss = score(finding.cvssScore);
    const fixedLine = definitionLine(facts.tool, finding);
    const key = digestOf(fixedLine);
    const file = fileAt(finding.locations?.[0]?.path ?? '');
    const ruleFacts = ruleFactsOf(finding, cvss, fixedLine, { key, path: file.path });
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
