// no text in this file: what findings say is stored in English
import type { Epss, FindingType, NormalizedFinding } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { cweNumbers, identifiers, webAddresses } from '../../lib/findings/identifiers.ts';
import { normalisePath, purlText } from '../../lib/findings/packages.ts';
import {
  chooseCvss,
  cvss,
  severityFromWord,
  severityNumber,
  vulnerabilitySeverity,
} from '../../lib/findings/severity.ts';
import { isoDate, oneLine, paragraphs } from '../../lib/findings/text.ts';
import { defined, fields, label, labels, list, number, position, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

const Text = Type.String({ minLength: 1 });

/** One path to a vulnerable or wrongly licensed package. Source: snyk test --json, versions 1.1 to 1.13. */
const Vulnerability = Type.Object({ id: Text, title: Text });
export type Vulnerability = Static<typeof Vulnerability>;
export const vulnerabilityCheck = recordCheck(Vulnerability);

/** A misconfiguration of `snyk iac test --json`. */
const Misconfiguration = Type.Object({ id: Text, title: Text, path: Type.Array(Type.Unknown()) });
export type Misconfiguration = Static<typeof Misconfiguration>;
export const misconfigurationCheck = recordCheck(Misconfiguration);

/** What the project says of all its results. */
export interface Project {
  file?: string;
  packageManager?: string;
  image?: string;
  family: FindingType;
  isIgnored: boolean;
}

const ECOSYSTEMS: ReadonlyMap<string, string> = new Map([
  ['yarn', 'npm'],
  ['pnpm', 'npm'],
  ['pip', 'pypi'],
  ['pipenv', 'pypi'],
  ['poetry', 'pypi'],
  ['gradle', 'maven'],
  ['sbt', 'maven'],
  ['gomodules', 'golang'],
  ['golangdep', 'golang'],
  ['rubygems', 'gem'],
  ['paket', 'nuget'],
  ['cocoapods', 'cocoapods'],
]);

export function packageFinding(vulnerability: Vulnerability, project: Project): NormalizedFinding {
  const record = fields(vulnerability);
  const ids = fields(record.identifiers);
  const id = label(record.id) ?? 'unnamed issue';
  const isLicense = record.type === 'license' || /^snyk:lic:/.test(id);
  const nativeSeverity = label(record.severityWithCritical) ?? label(record.severity);
  const rating = chooseCvss([cvss('3.1', positive(record.cvssScore), label(record.CVSSv3))]);
  const severity = vulnerabilitySeverity(nativeSeverity, rating.cvssScore);
  return defined({
    kind: 'finding' as const,
    ruleId: id,
    title: oneLine(text(record.title) ?? id),
    type: isLicense ? ('License' as const) : project.family,
    severity,
    nativeSeverity,
    severityNumerical: severityNumber(severity, rating.cvssScore),
    description: paragraphs(text(record.description), introducedBy(record.from)),
    mitigation: upgradeOf(record),
    cwe: cweNumbers(ids.CWE),
    ...(isLicense ? {} : identifiers(...labels(ids.CVE), id, ...labels(ids.GHSA))),
    ...rating,
    epss: epssOf(record.epssDetails),
    references: webAddresses(
      /^snyk:/i.test(id) ? undefined : `https://security.snyk.io/vuln/${encodeURIComponent(id)}`,
      list(record.references).map((entry) => fields(entry).url ?? entry),
    ),
    component: componentOf(record, project),
    locations: project.file === undefined ? undefined : [{ path: project.file }],
    resource: project.image,
    suppressed: project.isIgnored ? ignored(record.filtered) : undefined,
    published: isoDate(record.publicationTime),
    tags: record.malicious === true ? ['malicious'] : undefined,
    language: label(record.language)?.toLowerCase(),
  });
}

/** 0 stands for "not rated". */
function positive(value: unknown): number | undefined {
  const score = number(value);
  return score !== undefined && score > 0 ? score : undefined;
}

/** `["app@1.0", "express@4.16.0", "qs@6.5.1"]`: the root, what it needs, and the package itself at the end. */
function introducedBy(from: unknown): string | undefined {
  const path = labels(from);
  return path.length < 2 ? undefined : `Introduced through: ${path.slice(1).join(' > ')}`;
}

function componentOf(record: Record<string, unknown>, { packageManager }: Project): NormalizedFinding['component'] {
  const name = label(record.packageName) ?? label(record.name) ?? label(record.moduleName);
  if (name === undefined) return undefined;
  const manager = (label(record.packageManager) ?? packageManager)?.split(':', 1)[0];
  return defined({
    name,
    version: label(record.version),
    purl: purlText(record.purl),
    ecosystem: manager === undefined ? undefined : (ECOSYSTEMS.get(manager) ?? manager),
    fixedVersion: labels(record.fixedIn).join(', ') || label(record.nearestFixedInVersion),
  });
}

/** The first package of the path that has to change: `[false, "express@4.18.0", "qs@6.9.7"]`. */
function upgradeOf(record: Record<string, unknown>): string | undefined {
  const target =
    record.isUpgradable === true ? labels(list(record.upgradePath).filter((step) => step !== false))[0] : undefined;
  if (target !== undefined) return `Upgrade to ${target}.`;
  const fixed = labels(record.fixedIn).join(', ') || label(record.nearestFixedInVersion);
  const name = label(record.packageName) ?? label(record.name) ?? 'the package';
  return fixed === undefined ? undefined : `Upgrade ${name} to ${fixed}.`;
}

function epssOf(value: unknown): Epss | undefined {
  const { probability, percentile } = fields(value);
  const share = number(probability);
  if (share === undefined || share < 0 || share > 1) return undefined;
  const rank = number(percentile);
  return rank !== undefined && rank >= 0 && rank <= 1
    ? { probability: share, percentile: rank }
    : { probability: share };
}

/** The policy's rules that took it out, with their reasons. */
function ignored(filtered: unknown): NonNullable<NormalizedFinding['suppressed']> {
  const reasons = list(fields(filtered).ignored).flatMap((rule) => label(fields(rule).reason) ?? []);
  return { verdict: 'accepted_risk', reason: oneLine(reasons.join(', ') || 'Ignored by the Snyk policy.') };
}

export function misconfigurationFinding(issue: Misconfiguration, file: string | undefined): NormalizedFinding {
  const record = fields(issue);
  const id = label(record.id) ?? 'unnamed rule';
  const nativeSeverity = label(record.severity);
  const { issue: problem, resolve } = fields(record.iacDescription);
  const path = normalisePath(record.targetFile) ?? file;
  return defined({
    kind: 'finding' as const,
    ruleId: id,
    title: oneLine(text(record.title) ?? id),
    type: 'IaC' as const,
    severity: severityFromWord(nativeSeverity) ?? ('informational' as const),
    nativeSeverity,
    description: paragraphs(text(record.issue) ?? text(problem), text(record.impact)),
    mitigation: text(record.resolve) ?? text(resolve),
    references: webAddresses(record.documentation, record.references),
    locations: path === undefined ? undefined : [defined({ path, startLine: position(record.lineNumber) })],
    resource: label(record.msg) ?? labels(record.path).join('.'),
    policy: defined({ category: label(record.subType), control: label(record.publicId) ?? id }),
    suppressed:
      record.isIgnored === true
        ? { verdict: 'accepted_risk' as const, reason: 'Ignored by the Snyk policy.' }
        : undefined,
  });
}
