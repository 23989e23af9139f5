import { highestSeverity, notify } from '../../../notifications/server/index.ts';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import { say, sayCount, sayLabel } from '../../../platform/model/sentence.ts';
import type { Db } from '../../../platform/server/database.ts';
import { type Endpoint, tenantEndpoint } from '../../../platform/server/endpoint.ts';
import * as routes from '../../api/verdict-routes.ts';
import { applyChange, applyReview, type ChangeOutcome } from '../../model/apply-change.ts';
import type { DecidedFinding } from '../../model/decided-finding.ts';
import { VERDICT_LABELS } from '../../model/labels.ts';
import type { Verdict } from '../../model/states.ts';
import { readFinding } from '../detail/read-finding.ts';
import { findMembers } from '../filter/names.ts';
import { type Viewer, viewerOf } from '../filter/viewer.ts';
import { decide, newChangeId, type Refusal } from './decide.ts';
import type { Decided } from './stored-decisions.ts';

/** Each person and the findings that are newly theirs, as owner or developer. */
const newlySent = (written: readonly Decided[]): Map<string, string[]> => {
  const sent = new Map<string, string[]>();
  for (const { id, next, entries } of written) {
    const assigned = entries.find((one) => one.kind === 'assigned');
    const before = assigned?.before.developers ?? [];
    const developers = assigned === undefined ? [] : (next.developers ?? []).filter((one) => !before.includes(one));
    const isOwned = entries.some((one) => one.kind === 'owner') && next.issue_owner !== null;
    for (const person of new Set(isOwned ? [...developers, next.issue_owner] : developers)) {
      if (person === null) continue;
      const own = sent.get(person);
      if (own === undefined) sent.set(person, [id]);
      else own.push(id);
    }
  }
  return sent;
};

/** Leaves a notice for each person who got findings; nobody is notified of what they sent themselves. */
export const notifyDevelopers = async (db: Db, viewer: Viewer, written: readonly Decided[]): Promise<void> => {
  for (const [developer, ids] of newlySent(written)) {
    if (developer === viewer.userId) continue;
    const [first] = ids;
    const severity = highestSeverity(written.filter(({ id }) => ids.includes(id)).map(({ next }) => next.severity));
    const isOne = ids.length === 1;
    await notify(db, {
      clientId: viewer.clientId,
      type: 'finding_assigned',
      title: isOne
        ? say('A finding was assigned to you')
        : sayCount(ids.length, '{count} finding was assigned to you', '{count} findings were assigned to you'),
      link: isOne ? `/findings/all/finding-details/${first}` : '/findings',
      to: { userIds: [developer] },
      ...(severity === null ? {} : { severity }),
      channelTitle: ([name = 'a person']) =>
        isOne
          ? say('A finding was assigned to {name}', { name })
          : sayCount(ids.length, '{count} finding was assigned to {name}', '{count} findings were assigned to {name}', {
              name,
            }),
    });
  }
};

interface ReviewRequest {
  viewer: Viewer;
  /** For the notice. */
  username: string;
  id: string;
}

/** Asks admins and security operators to decide. @returns the id of the change. @throws finding_not_found */
export const askForReview = async (
  db: Db,
  request: ReviewRequest & { verdict: Verdict | undefined; reason: string | undefined },
): Promise<string> => {
  const { viewer, id, verdict, reason } = request;
  const changeId = await newChangeId(db);
  const wish = { by: viewer.userId, verdict: verdict ?? null, reason: reason ?? null };
  const { refused, written } = await decide(db, {
    viewer,
    ids: [id],
    changeId,
    apply: (now) => applyReview(now, wish),
  });
  if (refused.length > 0) throw new AppError('finding_not_found');
  const severity = highestSeverity(written.map(({ next }) => next.severity));
  await notify(db, {
    clientId: viewer.clientId,
    type: 'review_requested',
    title: say('A finding needs a decision'),
    message:
      verdict === undefined
        ? say('{username} asks', { username: request.username })
        : say('{username} proposes: {verdict}', {
            username: request.username,
            verdict: sayLabel(VERDICT_LABELS[verdict]),
          }),
    link: `/findings/all/finding-details/${id}`,
    to: { permission: 'findings.triage' },
    ...(severity === null ? {} : { severity }),
  });
  return changeId;
};

/** Takes the wish off a finding that the viewer may see. @throws conflict where there is none; forbidden where a developer did not ask for it */
export const endReview = async (db: Db, { viewer, id }: Omit<ReviewRequest, 'username'>): Promise<string> => {
  const changeId = await newChangeId(db);
  const apply = (now: DecidedFinding): ChangeOutcome => {
    const isOthers = now.review_requested_by_id !== null && now.review_requested_by_id !== viewer.userId;
    if (isOthers && !viewer.seesAll) throw new AppError('forbidden', msg('Somebody else asked for this review.'));
    return applyReview(now, undefined);
  };
  const { refused } = await decide(db, { viewer, ids: [id], changeId, apply });
  if (refused[0] !== undefined) throw new AppError('conflict', refused[0].why);
  return changeId;
};

/** Findings of one statement. */
const BATCH = 2000;

const send = async (db: Db, viewer: Viewer, ids: readonly string[], developers: readonly string[]) => {
  const members = await findMembers(db, { clientId: viewer.clientId, ids: developers });
  const wanted = [...new Set(developers)];
  const developer_ids = wanted.filter((id) => members.has(id));
  const refused = wanted
    .filter((id) => !members.has(id))
    .map((_id): Refusal => ({ _id, why: msg('Nobody of this id belongs to the organisation.') }));
  if (developer_ids.length === 0) return { sent: 0, refused, change_id: null };
  const changeId = await newChangeId(db);
  let sent = 0;
  let isWritten = false;
  const unique = [...new Set(ids)].sort();
  for (let from = 0; from < unique.length; from += BATCH) {
    const part = unique.slice(from, from + BATCH);
    const result = await decide(db, {
      viewer,
      ids: part,
      changeId,
      apply: (now) => applyChange(now, { developer_ids }),
    });
    await notifyDevelopers(db, viewer, result.written);
    sent += result.done;
    isWritten ||= result.written.length > 0;
    refused.push(...result.refused);
  }
  return { sent, refused, change_id: isWritten ? changeId : null };
};

/** Who works on a finding, and who is asked to decide about it. */
export const createAssignmentEndpoints = (): Endpoint[] => [
  tenantEndpoint(routes.sendFinding)(async ({ db, caller, params, body }) => {
    const viewer = viewerOf(caller);
    await readFinding(db, { viewer, id: params.id });
    return { success: true, data: await send(db, viewer, [params.id], body.developer_ids) };
  }),
  tenantEndpoint(routes.sendFindings)(async ({ db, caller, body, audit }) => {
    audit({ details: { findings: body.finding_ids.length, developer_ids: body.developer_ids } });
    return { success: true, data: await send(db, viewerOf(caller), body.finding_ids, body.developer_ids) };
  }),
  tenantEndpoint(routes.requestReview)(async ({ db, caller, params: { id }, body }) => {
    const viewer = viewerOf(caller);
    const wish = { viewer, id, username: caller.username, verdict: body.verdict, reason: body.reason };
    const change_id = await askForReview(db, wish);
    return { ...{ data: await readFinding(db, { viewer, id }) }, meta: { change_id } };
  }),
  tenantEndpoint(routes.endReview)(async ({ db, caller, params: { id } }) => {
    const viewer = viewerOf(caller);
    await readFinding(db, { viewer, id });
    const change_id = await endReview(db, { viewer, id });
    return { data: await readFinding(db, { viewer, id }), meta: { change_id } };
  }),
];
