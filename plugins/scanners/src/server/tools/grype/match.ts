// no text in this file: what findings say is stored in English
import type { Epss, FindingType, Location, NormalizedFinding } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { cweNumbers, identifiers, webAddresses } from '../../lib/findings/identifiers.ts';
import { ecosystemOf, normalisePath, purlText } from '../../lib/findings/packages.ts';
import { chooseCvss, cvss, severityNumber, vulnerabilitySeverity } from '../../lib/findings/severity.ts';
import { firstSentence, isoDate, oneLine } from '../../lib/findings/text.ts';
import { LIMITS } from '../../lib/limits.ts';
import { KeptByKey } from '../../lib/values/kept.ts';
import { defined, fields, label, labels, list, number, oneOrMore, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

/** One element of `matches` or `ignoredMatches`. Source: grype's presenter/models, versions 0.8 to 0.9x. */
export const Match = Type.Object({
  vulnerability: Type.Object({ id: Type.String({ minLength: 1 }) }),
  artifact: Type.Object({ name: Type.String() }),
  relatedVulnerabilities: Type.Optional(Type.Unknown()),
  matchDetails: Type.Optional(Type.Unknown()),
  appliedIgnoreRules: Type.Optional(Type.Unknown()),
});
export type Match = Static<typeof Match>;
export const matchCheck = recordCheck(Match);

/** What the matches of one report have in common. */
export interface GrypeScan {
  type: FindingType;
  resource?: string;
}

/** What a match says of the vulnerability, whichever package has it. */
interface Advisory {
  facts: Omit<NormalizedFinding, 'title' | 'type'>;
  /** Undefined where only the package gives it one. */
  title: string | undefined;
  fixedVersion: string;
}

/** Reads matches; what they say of a vulnerability is read once for all packages that have it. */
export function createMatchReader(): (match: Match, scan: GrypeScan, isIgnored: boolean) => NormalizedFinding {
  const advisories = new KeptByKey<Advisory>();
  return (match, scan, isIgnored) => {
    const own = [match.vulnerability, match.relatedVulnerabilities];
    const { facts, ...advisory } = advisories.of(match.vulnerability.id, own, () => advisoryOf(match));
    const artifact = fields(match.artifact);
    const name = label(artifact.name) ?? 'unnamed package';
    const fixedVersion = advisory.fixedVersion === '' ? undefined : advisory.fixedVersion;
    const purl = purlText(artifact.purl);
    const version = label(artifact.version);
    const ecosystem = ecosystemOf(purl) ?? label(artifact.type);
    const locations = locationsOf(artifact);
    const language = label(artifact.language)?.toLowerCase();
    const title = advisory.title ?? oneLine(`${facts.ruleId} in ${name}`);
    const finding: NormalizedFinding = { ...facts, title, type: scan.type };
    if (fixedVersion !== undefined) finding.mitigation = `Upgrade ${name} to ${fixedVersion}.`;
    finding.component = defined({ name, version, purl, ecosystem, fixedVersion });
    if (locations.length > 0) finding.locations = locations;
    if (scan.resource !== undefined) finding.resource = scan.resource;
    if (isIgnored) finding.suppressed = ignored(match.appliedIgnoreRules);
    if (language !== undefined) finding.language = language;
    return finding;
  };
}

function advisoryOf(match: Match): Advisory {
  const vulnerability = fields(match.vulnerability);
  // The advisory first, then what other databases say of the same vulnerability.
  const sources = [vulnerability, ...list(match.relatedVulnerabilities).map(fields)];
  const id = label(vulnerability.id) ?? 'unnamed vulnerability';
  const description = first(sources, (source) => text(source.description));
  const nativeSeverity = label(vulnerability.severity);
  const rating = chooseCvss(sources.flatMap(ratings));
  const severity = vulnerabilitySeverity(nativeSeverity, rating.cvssScore);
  const summary = description === undefined ? undefined : firstSentence(description);
  const facts = defined({
    kind: 'finding' as const,
    ruleId: id,
    severity,
    nativeSeverity,
    severityNumerical: severityNumber(severity, rating.cvssScore),
    description,
    cwe: cweNumbers(...sources.flatMap((source) => list(source.cwes).map((entry) => fields(entry).cwe ?? entry))),
    ...identifiers(
      ...sources.map((source) => source.id),
      ...list(vulnerability.advisories).map((entry) => fields(entry).id),
    ),
    ...rating,
    epss: first(sources, epssOf),
    references: webAddresses(...sources.flatMap((source) => [source.dataSource, source.urls])),
    tags: tagsOf(vulnerability),
  });
  return {
    facts,
    title: summary === undefined ? undefined : oneLine(`${id}: ${summary}`),
    fixedVersion: labels(fields(vulnerability.fix).versions).join(', '),
  };
}

function first<T, R>(items: readonly T[], read: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const value = read(item);
    if (value !== undefined) return value;
  }
  return undefined;
}

function ratings(source: Record<string, unknown>) {
  return oneOrMore(source.cvss).map((entry) => {
    const rating = fields(entry);
    return cvss(rating.version, fields(rating.metrics).baseScore, rating.vector);
  });
}

/** A list of `{cve, epss, percentile, date}` since 0.88, a single object in between. */
function epssOf(source: Record<string, unknown>): Epss | undefined {
  for (const item of oneOrMore(source.epss)) {
    const entry = fields(item);
    const probability = number(entry.epss) ?? number(entry.score) ?? number(item);
    if (probability === undefined || probability < 0 || probability > 1) continue;
    const percentile = number(entry.percentile);
    const isShare = percentile !== undefined && percentile >= 0 && percentile <= 1;
    return defined({
      probability,
      percentile: isShare ? percentile : undefined,
      date: isoDate(entry.date)?.slice(0, 10),
    });
  }
  return undefined;
}

function locationsOf(artifact: Record<string, unknown>): Location[] {
  const found = new Map<string, Location>();
  for (const entry of list(artifact.locations).slice(0, LIMITS.locations)) {
    const path = normalisePath(fields(entry).path ?? entry);
    if (path !== undefined) found.set(path, { path });
  }
  return [...found.values()];
}

function ignored(rules: unknown): NonNullable<NormalizedFinding['suppressed']> {
  const reasons = list(rules).flatMap((entry) => {
    const rule = fields(entry);
    return [label(rule.reason), label(rule['vex-justification']), label(rule['vex-status'])].filter(
      (part) => part !== undefined,
    );
  });
  const isVex = list(rules).some((entry) => fields(entry)['vex-status'] === 'not_affected');
  const verdict = isVex ? ('false_positive' as const) : ('accepted_risk' as const);
  return { verdict, reason: oneLine(reasons.join(', ') || "Ignored by a rule of the scan's configuration.") };
}

function tagsOf(vulnerability: Record<string, unknown>): string[] | undefined {
  const tags = [label(fields(vulnerability.fix).state), label(vulnerability.namespace)].filter(
    (tag) => tag !== undefined,
  );
  return tags.length === 0 ? undefined : tags;
}
