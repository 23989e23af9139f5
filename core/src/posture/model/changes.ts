import { FINDING_STATUSES, type FindingStatus } from '../../findings/model/states.ts';

/** Whatever became of a finding since it was found. */
export const ANY_STATUS: readonly FindingStatus[] = FINDING_STATUSES;

/** What "since last week" looks back on. */
export const CHANGE_DAYS = 7;

/** How the number of open findings changed in a span of days. */
export interface OpenChanges {
  openNow: number;
  openBefore: number;
  /** Found in the span, whatever became of them since. */
  found: number;
  /** Fixed in the span, whenever they were found. */
  fixed: number;
}

/**
 * `net` is open now less open before. It is `found` - `fixed` + `other`: what verdicts took out of the list or put back, and what was
 * reopened.
 */
export const accountOf = ({ openNow, openBefore, found, fixed }: OpenChanges): { net: number; other: number } => {
  const net = openNow - openBefore;
  return { net, other: net - found + fixed };
};
