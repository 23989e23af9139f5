// no text in this file: what findings say is stored in English
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
  const known = componentOf(dependency);
  const upgrade = known === undefined ? undefined : fixedVersion(record, known);
  const component = known === undefined ? undefined : defined({ ...known, fixedVersion: upgrade });
  const name = component?.name ?? label(dependency.fileName);
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

function componentOf(dependency: Dependency): AffectedComponent | undefined {
  const purl = list(dependency.packages)
    .map((entry) => purlText(fields(entry).id))
    .find((id) => id !== undefined);
  const known = packageName(purl);
  if (known !== undefined) {
    return defined({ ...known, purl, ecosystem: ecosystemOf(purl) });
  }
  const coordinates = coordinatesOf(dependency.packages);
  const name = coordinates?.name ?? label(dependency.fileName);
  return name === undefined ? undefined : defined({ name, version: coordinates?.version });
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

type Software = Record<string, unknown>;

/**
 * First version behind the range that this package is in. A vulnerability lists ranges of several products and branches: those of another
 * product, and those that the package's version is not in, say nothing about it.
 */
function fixedVersion(record: Record<string, unknown>, component: AffectedComponent): string | undefined {
  const software = list(record.vulnerableSoftware).map((entry) => fields(fields(entry).software));
  const matched = software.filter((entry) => String(entry.vulnerabilityIdMatched) === 'true');
  const ownSoftware = matched.length > 0 ? matched : software.filter((entry) => isOf(entry, component));
  const version = versionParts(component.version);
  const ends = ownSoftware
    .filter((entry) => version === undefined || isWithin(version, entry))
    .flatMap((entry) => label(entry.versionEndExcluding) ?? []);
  // of several ranges without a version nobody knows which one it is
  return new Set(ends).size === 1 || version !== undefined ? ends[0] : undefined;
}

/** Whether the product of a CPE may be the package: `cpe:2.3:a:file-type_project:file-type:…`. */
function isOf({ id }: Software, { name }: AffectedComponent): boolean {
  const cpe = label(id) ?? '';
  const product = cpe.split(':')[cpe.startsWith('cpe:/') ? 3 : 4] ?? '';
  const [own, other] = [name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf(':')) + 1), product].map((part) =>
    part.toLowerCase().replace(/[^a-z0-9]/g, ''),
  );
  return own !== undefined && own !== '' && own === other;
}

type VersionParts = readonly (number | string)[];

/** `^2.0.2` of a manifest is 2.0.2; undefined for what has no number. */
function versionParts(version: unknown): VersionParts | undefined {
  const written = label(version)?.slice(0, 100) ?? '';
  const parts = written.toLowerCase().match(/\d{1,9}|[a-z]{1,20}/g) ?? [];
  const numbers = parts[0] === 'v' ? parts.slice(1) : parts;
  return /^\d/.test(numbers[0] ?? '') ? numbers.map((part) => (/^\d/.test(part) ? Number(part) : part)) : undefined;
}

/** Number by number; a word is a stage before the version without it. */
function compareVersions(left: VersionParts, right: VersionParts): number {
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const [a = 0, b = 0] = [left[at], right[at]];
    if (a === b) continue;
    if (typeof a === 'number' && typeof b === 'number') return a - b;
    if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : 1;
    return typeof a === 'string' ? -1 : 1;
  }
  return 0;
}

function isWithin(version: VersionParts, software: Software): boolean {
  const beside = (name: string): number | undefined => {
    const limit = versionParts(software[name]);
    return limit === undefined ? undefined : compareVersions(version, limit);
  };
  return (
    (beside('versionStartIncluding') ?? 0) >= 0 &&
    (beside('versionStartExcluding') ?? 1) > 0 &&
    (beside('versionEndExcluding') ?? -1) < 0 &&
    (beside('versionEndIncluding') ?? 0) <= 0
  );
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
