import { AppError } from '../../platform/model/app-error.ts';
import type { Db } from '../../platform/server/database.ts';
import { lockClient } from '../../platform/server/lock-client.ts';
import { judgeChange } from '../model/judge-change.ts';
import { toggledVerdict } from '../model/toggle-verdict.ts';
import { lastVerdictBefore } from './queries/last-verdict-before.ts';
import { decide, newChangeId } from './verdicts/decide.ts';
import type { Viewer } from './viewer.ts';

/**
 * Turns the false-positive switch of a finding. Its duplicates keep their own verdict and stay marked as duplicates, so they
 * remain hidden wherever duplicates are. @returns the id of the act. @throws finding_not_found.
 */
export const toggleVerdict = async (
  db: Db,
  request: { viewer: Viewer; id: string; reason: string | undefined },
): Promise<string> => {
  const { viewer, id, reason } = request;
  await lockClient(db, viewer.clientId);
  const before = await lastVerdictBefore(db, { clientId: viewer.clientId, id, verdict: 'false_positive' });
  const changeId = await newChangeId(db);
  const { refused } = await decide(db, {
    viewer,
    ids: [id],
    changeId,
    judge: (now) => {
      const value = toggledVerdict(now.verdict, before);
      return judgeChange(now, { verdict: reason === undefined ? { value } : { value, reason } });
    },
  });
  if (refused.length > 0) throw new AppError('finding_not_found', 'Finding data not found');
  return changeId;
};
