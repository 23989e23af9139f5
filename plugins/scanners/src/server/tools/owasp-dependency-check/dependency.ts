import type { AffectedComponent, NormalizedFinding } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { cweNumbers, identifiers, identifiersIn, webAddresses } from '../../lib/findings/identifiers.ts';
import { ecosystemOf, normalisePath, packageName, purlText } from '../../lib/findings/packages.ts';
import { type Cvss, chooseCvss, cvss, severityNumber, vulnerabilitySeverity } from '../../lib/findings/severity.ts';
import { firstSentence, oneLine } from '../../lib/findings/text.ts';
import { defined, fields, isRecord, label, list, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

/**
 * One element of `dependencies`. Source: dependency-check's jsonReport.vsl (schema 1.x) and the XML schemas 1.3 to 4.x,
 * which are brought into the same form (xml.ts).
 */
export const Dependency = Type.Object({
  fileName: Type.Optional(Type.Unknown()),
  filePath: Type.Optional(Type.Unknown()),
  packages: Type.Optional(Type.Unknown()),
  vulnerabilities: Type.Optional(Type.Unknown()),
  suppressedVulnerabilities: Type.Optional(Type.Unknown()),
});
export type Dependency = Static<typeof Dependency>;
export const checkDependency = recordCheck(Dependency);

/** One finding per dependency and vulnerability; suppressed ones too, marked as such. */
export function* dependencyFindings(dependency: Dependency): Generator<NormalizedFinding> {
  for (const vulnerability of list(dependency.vulnerabilities)) {
    if (isRecord(vulnerability)) yield vulnerabilityFinding(dependency, vulnerability);
  }
  for (const vulnerability of list(dependency.suppressedVulnerabilities)) {
    if (!isRecord(vulnerability)) continue;
    const reason = text(vulnerability.notes, 2_000) ?? 'Suppressed by a rule of the scan.';
    yield { ...vulnerabilityFinding(dependency, vulnerability), suppressed: { verdict: 'false_positive', reason } };
  }
}

function vulnerabilityFinding(dependency: Dependency, record: Record<string, unknown>): NormalizedFinding {
  const id = label(record.name) ?? 'unnamed vulnerability';
  const description = text(record.description);
  const nativeSeverity = label(record.severity);
  const rating = chooseCvss(ratings(record));
  const path = normalisePath(dependency.filePath) ?? normalisePath(dependency.fileName);
  const component = componentOf(dependency, fixedVersion(record));
  const name = component?.name ?? label(dependency.fileName);
  const upgrade = component?.fixedVersion;
  const source = label(record.source);
  const severity = vulnerabilitySeverity(nativeSeverity, rating.cvssScore);
  return defined({
    kind: 'finding' as const,
    ruleId: id,
    title: titleOf(id, name, description),
    type: 'SCA' as const,
    severity,
    nativeSeverity,
    severityNumerical: severityNumber(severity, rating.cvssScore),
    description,
    mitigation: upgrade === undefined ? undefined : `Upgrade ${name ?? 'the dependency'} to ${upgrade} or later.`,
    cwe: cweNumbers(record.cwes, record.cwe),
    ...identifiers(...idsOf(id)),
    ...rating,
    references: webAddresses(list(record.references).map((reference) => fields(reference).url)),
    component,
    locations: path === undefined ? undefined : [{ path }],
    tags: source === undefined ? undefined : [source],
  });
}

/** The name is an id of a database, or the whole text of an advisory that has none (RetireJS). */
function idsOf(name: string): string[] {
  const ids = identifiersIn(name);
  return ids.length > 0 || /\s/.test(name) ? ids : [name];
}

function titleOf(id: string, name: string | undefined, description: string | undefined): string {
  if (/\s/.test(id)) return oneLine(id);
  const summary = description === undefined || description === id ? undefined : firstSentence(description);
  if (summary !== undefined) return oneLine(`${id}: ${summary}`);
  return oneLine(name === undefined ? id : `${id} in ${name}`);
}

function componentOf(dependency: Dependency, fixed: string | undefined): AffectedComponent | undefined {
  const purl = list(dependency.packages)
    .map((entry) => purlText(fields(entry).id))
    .find((id) => id !== undefined);
  const known = packageName(purl);
  if (known !== undefined) {
    return defined({ ...known, purl, ecosystem: ecosystemOf(purl), fixedVersion: fixed });
  }
  const coordinates = coordinatesOf(dependency.packages);
  const name = coordinates?.name ?? label(dependency.fileName);
  return name === undefined ? undefined : defined({ name, version: coordinates?.version, fixedVersion: fixed });
}

/** Identifiers before package URLs (version 4 and older): `org.owasp:library:6.7.8`. */
function coordinatesOf(packages: unknown): { name: string; version?: string } | undefined {
  for (const entry of list(packages)) {
    const id = label(fields(entry).id);
    if (id === undefined || id.startsWith('pkg:') || id.startsWith('cpe:')) continue;
    const split = id.lastIndexOf(':');
    return split <= 0 ? { name: id } : { name: id.slice(0, split), version: id.slice(split + 1) };
  }
  return undefined;
}

/** First version outside the vulnerable range that matched this dependency. */
function fixedVersion(record: Record<string, unknown>): string | undefined {
  const software = list(record.vulnerableSoftware).map((entry) => fields(fields(entry).software));
  const matched = software.filter((entry) => String(entry.vulnerabilityIdMatched) === 'true');
  return (matched.length > 0 ? matched : software.length === 1 ? software : [])
    .map((entry) => label(entry.versionEndExcluding))
    .find((version) => version !== undefined);
}

/** Metrics in words, as the report has them, and their names in a vector. */
const V3 = [
  ['AV', 'attackVector'],
  ['AC', 'attackComplexity'],
  ['PR', 'privilegesRequired'],
  ['UI', 'userInteraction'],
  ['S', 'scope'],
  ['C', 'confidentialityImpact'],
  ['I', 'integrityImpact'],
  ['A', 'availabilityImpact'],
] as const;
const V2 = [
  ['AV', 'accessVector'],
  ['AC', 'accessComplexity'],
  ['Au', 'authenticationr'],
  ['C', 'confidentialityImpact'],
  ['I', 'integrityImpact'],
  ['A', 'availabilityImpact'],
] as const;

function ratings(record: Record<string, unknown>): (Cvss | undefined)[] {
  const v4 = fields(record.cvssv4);
  const v3 = fields(record.cvssv3);
  const v2 = fields(record.cvssv2);
  return [
    cvss(label(v3.version) ?? '3.0', v3.baseScore, vector(v3, V3)),
    cvss('4.0', v4.baseScore, v4.vectorString),
    cvss('2.0', v2.score, vector(v2, V2)),
  ];
}

/** Every value's first letter is its letter in the vector (NETWORK is N); incomplete ones give none. */
function vector(rating: Record<string, unknown>, metrics: readonly (readonly [string, string])[]): string | undefined {
  const parts = metrics.map(([short, name]) => {
    const letter = label(
      rating[name] ?? (name === 'confidentialityImpact' ? rating.confidentialImpact : undefined),
    )?.[0];
    return letter === undefined ? undefined : `${short}:${letter.toUpperCase()}`;
  });
  return parts.includes(undefined) ? undefined : parts.join('/');
}
