import type { FixCandidate } from '../../../findings/server/index.ts';
import { type Sentence, say, sayLabel } from '../../../platform/model/sentence.ts';
import { versionScheme } from '../../../platform/model/versions/schemes.ts';
import { presentVersion, targetVersion } from '../../../platform/model/versions/target-version.ts';
import type { FixComponent, FixFinding } from '../../model/fix.ts';
import { secretKindOf } from './pipelines/secret-checklists.ts';
import { hardeningLabel, hardeningOf } from './pipelines/workflow-hardening.ts';
import { templateOf } from './plan-template.ts';
import { isUpgradable, packageOf } from './plan-upgrade.ts';

/** Findings that one kind of change closes. */
export interface FixGroup {
  /** As `Fix.group.key`. */
  key: string;
  /** `Upgrade express-jwt 0.1.3 → 8.4.1`, for its reader. */
  label: Sentence;
  kind: 'upgrade' | 'template' | 'workflow' | 'secret';
  /** How many findings. */
  count: number;
  /** The highest priority among them. */
  best: number;
  /** Definitions of its findings. */
  entries: number[];
}

const componentOf = ({ component, ...candidate }: FixCandidate): FixComponent | null =>
  component === null
    ? null
    : {
        name: component,
        version: candidate.version,
        fixedVersion: candidate.fixedVersion,
        purl: candidate.purl,
        ecosystem: candidate.ecosystem,
      };

/** Where a rule is about workflows: the list of candidates names no files. */
const ANY_WORKFLOW = '.github/workflows/any.yml';

const findingOf = ({ tool, ruleId, title, type }: FixCandidate): FixFinding => ({
  ...{ id: '', tool, ruleId, title, type, cve: null, file: null, startLine: null, endLine: null },
  ...{ resource: null, component: null },
});

type Named = Pick<FixGroup, 'key' | 'label' | 'kind'>;

const nameOfRule = (candidate: FixCandidate): Named | undefined => {
  const template = templateOf(candidate.ruleId);
  if (template !== undefined) return { key: template.name, label: sayLabel(template.title), kind: 'template' };
  const hardening = hardeningOf(candidate.ruleId, ANY_WORKFLOW);
  if (hardening !== undefined)
    return { key: `workflow.${hardening}`, label: sayLabel(hardeningLabel(hardening)), kind: 'workflow' };
  const secret = secretKindOf(findingOf(candidate));
  return secret === undefined
    ? undefined
    : {
        key: `secret.${secret.name}`,
        label: say('Rotate each {secret}', { secret: sayLabel(secret.label) }),
        kind: 'secret',
      };
};

interface Part extends FixCandidate {
  id: string;
  part: FixComponent;
}

const byPriority = (a: Part, b: Part): number => b.best - a.best || b.count - a.count || a.id.localeCompare(b.id);

/** One version of a package: the smallest version that clears what is most urgent and most of the rest; what it leaves is a group of its own. */
const upgradesOf = (parts: readonly Part[]): (Named & { parts: readonly Part[]; from: string | undefined })[] => {
  const groups: (Named & { parts: readonly Part[]; from: string | undefined })[] = [];
  let left = parts.toSorted(byPriority);
  while (left.length > 0) {
    const [wanted, ...others] = left;
    if (wanted === undefined) break;
    const { ecosystem, name } = packageOf(wanted.part);
    const scheme = versionScheme(ecosystem);
    const advisories = others.map(({ id, part }) => ({ id, component: part }));
    const target =
      scheme === undefined
        ? 'no_fixed_version'
        : targetVersion(scheme, { id: wanted.id, component: wanted.part }, advisories);
    if (typeof target === 'string' || scheme === undefined) {
      left = others;
      continue;
    }
    const to = ecosystem === 'golang' ? target.version : target.version.replace(/^v/, '');
    groups.push({
      ...{ key: `${ecosystem}:${name}@${to}`, label: say('Upgrade {name} to {to}', { name, to }), kind: 'upgrade' },
      parts: left.filter(({ id }) => target.clears.includes(id)),
      from: presentVersion(scheme, wanted.part.version),
    });
    left = left.filter(({ id }) => !target.clears.includes(id));
  }
  return groups;
};

const packagesOf = (candidates: readonly FixCandidate[]): Part[][] => {
  const packages = new Map<string, Part[]>();
  for (const [index, candidate] of candidates.entries()) {
    const part = componentOf(candidate);
    if (part === null || !isUpgradable(part)) continue;
    const { ecosystem, name } = packageOf(part);
    const key = JSON.stringify([ecosystem, name, part.version]);
    const known = packages.get(key) ?? [];
    known.push({ ...candidate, id: String(index), part });
    packages.set(key, known);
  }
  return [...packages.values()];
};

/** Where all of its findings are of one version, the label says so. */
const upgradeLabel = (label: Sentence, versions: ReadonlySet<string | undefined>): Sentence => {
  const [from] = versions;
  const { name, to } = label.values ?? {};
  return versions.size === 1 && from !== undefined && name !== undefined && to !== undefined
    ? say('Upgrade {name} {from} → {to}', { name, from, to })
    : label;
};

/** Groups by what fixes them, highest priority first; findings for which nothing is known are in none. Pure. */
export const groupFixes = (candidates: readonly FixCandidate[]): FixGroup[] => {
  const groups = new Map<string, FixGroup & { versions: Set<string | undefined> }>();
  const add = ({ key, label, kind }: Named, { count, best, entries }: FixCandidate, from?: string): void => {
    const group = groups.get(key) ?? { key, label, kind, count: 0, best: 0, entries: [], versions: new Set() };
    group.count += count;
    group.best = Math.max(group.best, best);
    for (const entry of entries) group.entries.push(entry);
    group.versions.add(from);
    groups.set(key, group);
  };
  for (const candidate of candidates) {
    const name = candidate.component === null ? nameOfRule(candidate) : undefined;
    if (name !== undefined) add(name, candidate);
  }
  for (const upgrade of packagesOf(candidates).flatMap(upgradesOf)) {
    for (const part of upgrade.parts) add(upgrade, part, upgrade.from);
  }
  return [...groups.values()]
    .map(({ versions, ...group }) => ({
      ...group,
      label: group.kind === 'upgrade' ? upgradeLabel(group.label, versions) : group.label,
    }))
    .toSorted((a, b) => b.best - a.best || b.count - a.count || (a.key < b.key ? -1 : 1));
};
