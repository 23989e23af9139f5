import type { NormalizedFinding } from '@breakwater/sdk';
import { cweNumbers } from '../../lib/cwe.ts';
import { isoDate } from '../../lib/dates.ts';
import { identifiers } from '../../lib/identifiers.ts';
import { normalisePath } from '../../lib/paths.ts';
import { defined, fields, label, list, position, text } from '../../lib/read.ts';
import { webAddresses } from '../../lib/references.ts';
import { vulnerabilitySeverity } from '../../lib/severity.ts';
import { oneLine } from '../../lib/text.ts';
import type { SupplyChainVulnerability } from './schema.ts';

export function supplyChainFinding(record: SupplyChainVulnerability): NormalizedFinding {
  const advisory = fields(record.advisory);
  const references = fields(advisory.references);
  const dependency = fields(record.matchedDependency);
  const file = fields(record.dependencyFileLocation);
  const ruleId = label(advisory.ruleId) ?? 'unnamed advisory';
  const nativeSeverity = label(advisory.severity);
  const path = normalisePath(file.path);
  const name = label(dependency.name);
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(text(advisory.title) ?? text(record.title) ?? ruleId),
    type: 'SCA' as const,
    severity: vulnerabilitySeverity(nativeSeverity, undefined),
    nativeSeverity,
    description: text(advisory.description),
    mitigation: upgradeText(record.closestSafeDependency),
    cwe: cweNumbers(references.cweIds),
    ...identifiers(...list(references.cveIds)),
    references: webAddresses(references.urls),
    component:
      name === undefined
        ? undefined
        : defined({
            name,
            version: label(dependency.versionSpecifier),
            ecosystem: ecosystemOf(advisory, name),
            fixedVersion: label(fields(record.closestSafeDependency).versionSpecifier),
          }),
    locations: path === undefined ? undefined : [defined({ path, startLine: position(file.startLine) })],
    suppressed: suppression(record.triage),
    date: isoDate(record.openedAt),
    tags: [label(record.exposureType), label(record.transitivity)].filter((tag) => tag !== undefined),
  });
}

/** The advisory's ecosystem is that of its first package; the dependency may be its namesake in another. */
function ecosystemOf(advisory: Record<string, unknown>, name: string): string | undefined {
  const isNamed = list(advisory.vulnerableDependencies).some((dependency) => fields(dependency).name === name);
  return isNamed ? label(advisory.ecosystem) : undefined;
}

function upgradeText(safe: unknown): string | undefined {
  const { name, versionSpecifier } = fields(safe);
  const version = label(versionSpecifier);
  return version === undefined ? undefined : `Upgrade ${label(name) ?? 'the package'} to ${version} or later.`;
}

function suppression(triage: unknown): NormalizedFinding['suppressed'] {
  const { status, dismissReason } = fields(triage);
  if (status !== 'IGNORED' && status !== 'DISMISSED') return undefined;
  const reason = label(dismissReason);
  const verdict = reason === 'FALSE_POSITIVE' ? 'false_positive' : 'accepted_risk';
  return reason === undefined || reason === 'UNKNOWN_REASON' ? { verdict } : { verdict, reason };
}
