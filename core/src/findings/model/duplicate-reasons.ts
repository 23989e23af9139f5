import type { Certainty } from './states.ts';

/** Why two results count as the same, in the order in which it is said. Labels: `DUPLICATE_REASON_LABELS`. */
export const DUPLICATE_REASONS = [
  'person',
  'cve',
  'alias',
  'secret',
  'weakness',
  'check',
  'component',
  'place',
  'file',
  'resource',
  'group',
] as const;
export type DuplicateReason = (typeof DUPLICATE_REASONS)[number];

/** What a result says of itself as far as it may say the same as another. */
export interface DuplicateFacts {
  cve: string | null;
  ruleId: string;
  aliases: readonly string[];
  cwe: readonly number[];
  /** Name and version of the package. */
  packageKey: string | null;
  path: string | null;
  line: number | null;
  resource: string | null;
  isSecret: boolean;
  /** A failed check of configuration. */
  isCheck: boolean;
  secretHash: string | null;
}

const CVE = /^CVE-\d{4}-\d+$/;
const CREDENTIALS: readonly number[] = [321, 798];

const namesOf = ({ cve, ruleId, aliases }: DuplicateFacts): Set<string> =>
  new Set([cve ?? '', ruleId, ...aliases].map((name) => name.toUpperCase()).filter((name) => name !== ''));

/** Some tools begin paths with a slash, others do not. */
const pathOf = ({ path }: DuplicateFacts): string => (path ?? '').replace(/^\/+/, '');

const isShared = (one: string | null, other: string | null): boolean => one !== null && one !== '' && one === other;

const issueReasons = (one: DuplicateFacts, other: DuplicateFacts, certainty: Certainty): DuplicateReason[] => {
  const names = namesOf(other);
  const shared = [...namesOf(one)].filter((name) => names.has(name));
  if (shared.some((name) => CVE.test(name))) return ['cve'];
  if (one.packageKey !== null && shared.length > 0) return ['alias'];
  const isCredential = (of: DuplicateFacts) => of.isSecret || of.cwe.some((cwe) => CREDENTIALS.includes(cwe));
  if (isShared(one.secretHash, other.secretHash)) return ['secret'];
  if ((one.isSecret || other.isSecret) && isCredential(one) && isCredential(other)) return ['secret'];
  // rules join failed checks by what they check alone
  if (one.isCheck && other.isCheck && certainty !== 'person') return ['check'];
  return one.cwe.some((cwe) => other.cwe.includes(cwe)) ? ['weakness'] : [];
};

const placeReasons = (one: DuplicateFacts, other: DuplicateFacts): DuplicateReason[] => {
  const reasons: DuplicateReason[] = isShared(one.packageKey, other.packageKey) ? ['component'] : [];
  if (isShared(pathOf(one), pathOf(other)))
    reasons.push(one.line !== null && one.line === other.line ? 'place' : 'file');
  if (isShared(one.resource, other.resource)) reasons.push('resource');
  return reasons;
};

/**
 * What two results have in common that makes one the duplicate of the other. `group`: the two alone have nothing in common, a third one says
 * the same as both.
 */
export const duplicateReasons = (
  one: DuplicateFacts,
  other: DuplicateFacts,
  certainty: Certainty,
): DuplicateReason[] => {
  const found = [...issueReasons(one, other, certainty), ...placeReasons(one, other)];
  if (certainty === 'person') return ['person', ...found];
  return found.length === 0 ? ['group'] : found;
};
