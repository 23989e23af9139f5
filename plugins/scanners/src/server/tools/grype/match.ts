import type { Epss, FindingType, Location, NormalizedFinding } from '@breakwater/sdk';
import { chooseCvss, cvss } from '../../lib/cvss.ts';
import { cweNumbers } from '../../lib/cwe.ts';
import { isoDate } from '../../lib/dates.ts';
import { identifiers } from '../../lib/identifiers.ts';
import { LIMITS } from '../../lib/limits.ts';
import { normalisePath } from '../../lib/paths.ts';
import { ecosystemOf, purlText } from '../../lib/purl.ts';
import { defined, fields, label, labels, list, number, oneOrMore, text } from '../../lib/read.ts';
import { webAddresses } from '../../lib/references.ts';
import { severityNumber, vulnerabilitySeverity } from '../../lib/severity.ts';
import { firstSentence, oneLine } from '../../lib/text.ts';
import type { Match } from './schema.ts';

/** What the matches of one report have in common. */
export interface GrypeScan {
  type: FindingType;
  resource?: string;
}

export const createMatchReader = () => matchFinding;

function matchFinding(match: Match, scan: GrypeScan, isIgnored: boolean): NormalizedFinding {
  const vulnerability = fields(match.vulnerability);
  const artifact = fields(match.artifact);
  // The advisory first, then what other databases say of the same fault.
  const sources = [vulnerability, ...list(match.relatedVulnerabilities).map(fields)];
  const id = label(vulnerability.id) ?? 'unnamed vulnerability';
  const name = label(artifact.name) ?? 'unnamed package';
  const purl = purlText(artifact.purl);
  const fixedVersion = labels(fields(vulnerability.fix).versions).join(', ');
  const description = first(sources, (source) => text(source.description));
  const nativeSeverity = label(vulnerability.severity);
  const rating = chooseCvss(sources.flatMap(ratings));
  const severity = vulnerabilitySeverity(nativeSeverity, rating.cvssScore);
  const locations = locationsOf(artifact);
  return defined({
    kind: 'finding' as const,
    ruleId: id,
    title: titleOf(id, name, description),
    type: scan.type,
    severity,
    nativeSeverity,
    severityNumerical: severityNumber(severity, rating.cvssScore),
    description,
    mitigation: fixedVersion === '' ? undefined : `Upgrade ${name} to ${fixedVersion}.`,
    cwe: cweNumbers(...sources.flatMap((source) => list(source.cwes).map((entry) => fields(entry).cwe ?? entry))),
    ...identifiers(
      ...sources.map((source) => source.id),
      ...list(vulnerability.advisories).map((entry) => fields(entry).id),
    ),
    ...rating,
    epss: first(sources, epssOf),
    references: webAddresses(...sources.flatMap((source) => [source.dataSource, source.urls])),
    component: defined({
      name,
      version: label(artifact.version),
      purl,
      ecosystem: ecosystemOf(purl) ?? label(artifact.type),
      fixedVersion: fixedVersion === '' ? undefined : fixedVersion,
    }),
    locations: locations.length === 0 ? undefined : locations,
    resource: scan.resource,
    suppressed: isIgnored ? ignored(match.appliedIgnoreRules) : undefined,
    tags: tagsOf(vulnerability),
    language: label(artifact.language)?.toLowerCase(),
  });
}

function first<T, R>(items: readonly T[], read: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const value = read(item);
    if (value !== undefined) return value;
  }
  return undefined;
}

function titleOf(id: string, name: string, description: string | undefined): string {
  const summary = description === undefined ? undefined : firstSentence(description);
  return summary === undefined ? oneLine(`${id} in ${name}`) : oneLine(`${id}: ${summary}`);
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

function ignored(rules: unknown): NormalizedFinding['suppressed'] {
  const reasons = list(rules).flatMap((entry) => {
    const rule = fields(entry);
    return [label(rule.reason), label(rule['vex-justification']), label(rule['vex-status'])].filter(
      (part) => part !== undefined,
    );
  });
  const isVex = list(rules).some((entry) => fields(entry)['vex-status'] === 'not_affected');
  const verdict = isVex ? 'false_positive' : 'accepted_risk';
  return { verdict, reason: oneLine(reasons.join(', ') || "Ignored by a rule of the scan's configuration.") };
}

function tagsOf(vulnerability: Record<string, unknown>): string[] | undefined {
  const tags = [label(fields(vulnerability.fix).state), label(vulnerability.namespace)].filter(
    (tag) => tag !== undefined,
  );
  return tags.length === 0 ? undefined : tags;
}
