import { createHash } from 'node:crypto';

/** Fixes that one pull request holds. */
export interface FixesTogether {
  /** Of what was ordered, see `orderDigest`. */
  order: string;
  repositoryId: string;
  /** Branch that the pull request goes into. */
  target: string;
  /** The highest one of its remediations: after a pull request was closed, the next one is another. */
  submission: number;
}

const hash = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** What was ordered: the same findings, or the same remediations, are the same order. */
export const orderDigest = (ids: readonly string[]): string => hash([...new Set(ids)].toSorted());

const KEY_LENGTH = 32;
const SHORT = 8;

/** Idempotency key of a pull request of several fixes, and its branch: known before anything is opened. */
export const groupBranchOf = ({ order, repositoryId, target, submission }: FixesTogether) => {
  // 0: the place of a group when the fixes of a repository were several; keys that are in use stay the same
  const key = hash([order, repositoryId, target, submission, 0]).slice(0, KEY_LENGTH);
  return { key: `remediations:${key}`, branch: `breakwater/fixes-${key.slice(0, SHORT)}` };
};
