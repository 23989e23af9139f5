import { AppError, type FieldIssue } from '../../../platform/model/app-error.ts';
import type { Db } from '../../../platform/server/database.ts';
import type { FindingChange } from '../../model/change.ts';
import { findMembers } from '../queries/find-members.ts';

const faultAt = (loc: (string | number)[], msg: string): FieldIssue => ({
  loc: ['body', ...loc],
  msg,
  type: 'value_error',
});

const verdictFaults = (verdict: NonNullable<FindingChange['verdict']>): FieldIssue[] => {
  const faults: FieldIssue[] = [];
  if (verdict.value === 'accepted_risk' && (verdict.reason ?? '').trim() === '') {
    faults.push(faultAt(['verdict', 'reason'], 'Say why the risk is accepted.'));
  }
  if (typeof verdict.expires_at === 'string') {
    if (verdict.value !== 'accepted_risk') {
      faults.push(faultAt(['verdict', 'expires_at'], 'Only an accepted risk ends on a day.'));
    } else if (Date.parse(verdict.expires_at) <= Date.now()) {
      faults.push(faultAt(['verdict', 'expires_at'], 'This day is past. Choose a later one.'));
    }
  }
  return faults;
};

/** @throws validation_failed for what cannot be meant: nothing to change, a risk without a reason, a day that is past, people of nobody. */
export const checkChange = async (
  db: Db,
  clientId: string,
  change: FindingChange,
  at: string[] = [],
): Promise<void> => {
  const faults: FieldIssue[] = change.verdict === undefined ? [] : verdictFaults(change.verdict);
  if (Object.values(change).every((value) => value === undefined))
    faults.push(faultAt([], 'Name at least one thing to change.'));
  const owner = change.issue_owner ?? undefined;
  const developers = change.developer_ids ?? [];
  const members = await findMembers(db, { clientId, ids: [...developers, ...(owner === undefined ? [] : [owner])] });
  const unknown = 'Nobody of this id belongs to the organisation.';
  if (owner !== undefined && !members.has(owner)) faults.push(faultAt(['issue_owner'], unknown));
  if (developers.some((id) => !members.has(id))) faults.push(faultAt(['developer_ids'], unknown));
  if (faults.length === 0) return;
  const placed = faults.map((fault) => ({ ...fault, loc: ['body', ...at, ...fault.loc.slice(1)] }));
  throw new AppError('validation_failed', placed[0]?.msg, { faults: placed });
};
