import {
  DEFAULT_SETTINGS,
  PRIORITY_PARTS,
  type PrioritySettings,
  settingEntries,
  WEIGHTED_PARTS,
  type WeightedPart,
} from './priority-settings.ts';
import { STANDARDS, type StandardKey } from './standards.ts';

/** Points that each part can give. Whole numbers that add up to 100. */
export type PriorityWeights = { readonly [key in WeightedPart]: number };

/** All that scoring needs of an organisation's settings. */
export interface PriorityRules {
  weights: PriorityWeights;
  /** What the part `data` consists of; only the proportion matters. */
  data: { dataClass: number; exposure: number };
  /** What the part `compliance` consists of: standards that count, by their weight. */
  standards: readonly { key: StandardKey; weight: number }[];
}

const TOTAL = 100;

const weightsFrom = (of: (part: WeightedPart) => number): PriorityWeights => ({
  severity: of('severity'),
  known_exploited: of('known_exploited'),
  epss: of('epss'),
  exploitability: of('exploitability'),
  data: of('data'),
  compliance: of('compliance'),
});

/** Whole numbers in the same proportion that add up to 100: the largest remainders are rounded up, the first part first. */
const scaled = (sums: PriorityWeights): PriorityWeights => {
  const all = WEIGHTED_PARTS.reduce((total, part) => total + sums[part], 0);
  if (all === 0) return PRIORITY_PARTS;
  const exact = weightsFrom((part) => (sums[part] * TOTAL) / all);
  const given = WEIGHTED_PARTS.reduce((total, part) => total + Math.floor(exact[part]), 0);
  const remainder = (part: WeightedPart): number => exact[part] - Math.floor(exact[part]);
  // sort is stable: equal remainders keep the order of the parts
  const raised = new Set([...WEIGHTED_PARTS].sort((a, b) => remainder(b) - remainder(a)).slice(0, TOTAL - given));
  return weightsFrom((part) => Math.floor(exact[part]) + (raised.has(part) ? 1 : 0));
};

const isStandard = (key: string): key is StandardKey => key in STANDARDS;

/**
 * The rules that settings ask for. The numbers of a part are added up, and the six sums are scaled to 100. Switched off, or with
 * no number above 0, they are those of the product.
 */
export const rulesOf = (settings: PrioritySettings): PriorityRules => {
  const { impactOnCriticalSystems: impact } = settings.toggle ? settings : DEFAULT_SETTINGS;
  const entries = settingEntries(settings.toggle ? settings : DEFAULT_SETTINGS);
  const sumOf = (part: WeightedPart): number =>
    entries.reduce((total, entry) => total + (entry.part === part ? entry.weight : 0), 0);
  return {
    weights: scaled(weightsFrom(sumOf)),
    data: { dataClass: impact.vulnSensitiveData, exposure: impact.vulnImpactingCriticalData },
    standards: entries.flatMap(({ group, name, weight }) => {
      const key = `${group}.${name}`;
      return weight > 0 && isStandard(key) ? [{ key, weight }] : [];
    }),
  };
};

/** The product's own rules, with the weights of PRIORITY_PARTS. */
export const DEFAULT_RULES: PriorityRules = rulesOf(DEFAULT_SETTINGS);

/** Whether two rules give every finding the same priority with the same parts. */
export const isSameRules = (one: PriorityRules, other: PriorityRules): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
