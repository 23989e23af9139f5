import type { FindingChange } from '../../model/change.ts';
import type { FindingAttributes } from '../data/findings.store.ts';

/** What a row shows before the server has agreed. */
export const patchOf = (change: FindingChange): Partial<FindingAttributes> => {
  const { verdict, verdict_confirmed: isConfirmed, status, severity, tags } = change;
  return {
    ...(verdict === undefined ? {} : { verdict: verdict.value, false_positive: verdict.value === 'false_positive' }),
    ...(verdict === undefined && isConfirmed === undefined ? {} : { needs_confirmation: false }),
    ...(isConfirmed === false ? { verdict: 'none', false_positive: false } : {}),
    ...(status === undefined ? {} : { status }),
    ...(severity === undefined ? {} : { severity }),
    ...(tags === undefined ? {} : { tags }),
    ...(change.issue_owner === undefined ? {} : { issue_owner: change.issue_owner }),
  };
};
