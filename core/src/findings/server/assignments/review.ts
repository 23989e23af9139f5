import { notify } from '../../../notifications/server/index.ts';
import { AppError } from '../../../platform/model/app-error.ts';
import type { Db } from '../../../platform/server/database.ts';
import type { DecidedFinding } from '../../model/decided-finding.ts';
import { type Judgement, judgeReview } from '../../model/judge-change.ts';
import { VERDICT_WORDS, type Verdict } from '../../model/states.ts';
import { decide, newChangeId } from '../verdicts/decide.ts';
import type { Viewer } from '../viewer.ts';

interface ReviewRequest {
  viewer: Viewer;
  /** For the notice. */
  username: string;
  id: string;
}

/** Asks admins and security operators to decide. @returns the id of the act. @throws finding_not_found */
export const askForReview = async (
  db: Db,
  request: ReviewRequest & { verdict: Verdict | undefined; reason: string | undefined },
): Promise<string> => {
  const { viewer, id, verdict, reason } = request;
  const changeId = await newChangeId(db);
  const wish = { by: viewer.userId, verdict: verdict ?? null, reason: reason ?? null };
  const { refused } = await decide(db, { viewer, ids: [id], changeId, judge: (now) => judgeReview(now, wish) });
  if (refused.length > 0) throw new AppError('finding_not_found', 'Finding data not found');
  await notify(db, {
    clientId: viewer.clientId,
    type: 'review_requested',
    title: 'A finding needs a decision',
    message:
      verdict === undefined ? `${request.username} asks` : `${request.username} proposes: ${VERDICT_WORDS[verdict]}`,
    link: `/findings/all/finding-details/${id}`,
    to: { roles: ['admin', 'cyberoper'] },
  });
  return changeId;
};

/** Takes the wish off a finding that the viewer may see. @throws conflict where there is none; forbidden where a developer did not ask for it */
export const endReview = async (db: Db, { viewer, id }: Omit<ReviewRequest, 'username'>): Promise<string> => {
  const changeId = await newChangeId(db);
  const judge = (now: DecidedFinding): Judgement => {
    const isOthers = now.review_requested_by_id !== null && now.review_requested_by_id !== viewer.userId;
    if (isOthers && !viewer.seesAll) throw new AppError('forbidden', 'Somebody else asked for this review.');
    return judgeReview(now, undefined);
  };
  const { refused } = await decide(db, { viewer, ids: [id], changeId, judge });
  if (refused[0] !== undefined) throw new AppError('conflict', refused[0].why);
  return changeId;
};
