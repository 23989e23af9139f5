import type { Db } from '../../../platform/server/database.ts';
import { type Endpoint, tenantEndpoint } from '../../../platform/server/endpoint.ts';
import * as routes from '../../api/verdict-routes.ts';
import { judgeChange } from '../../model/judge-change.ts';
import { findMembers } from '../queries/find-members.ts';
import { readFinding } from '../read-finding.ts';
import { decide, newChangeId } from '../verdicts/decide.ts';
import { type Viewer, viewerOf } from '../viewer.ts';
import { askForReview, endReview } from './review.ts';
import { tellDevelopers } from './tell-developers.ts';

/** Findings of one statement. */
const BATCH = 2000;

const send = async (db: Db, viewer: Viewer, ids: readonly string[], developers: readonly string[]) => {
  const members = await findMembers(db, { clientId: viewer.clientId, ids: developers });
  const wanted = [...new Set(developers)];
  const developer_ids = wanted.filter((id) => members.has(id));
  const refused = wanted
    .filter((id) => !members.has(id))
    .map((_id) => ({ _id, why: 'Nobody of this id belongs to the organisation.' }));
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
      judge: (now) => judgeChange(now, { developer_ids }),
    });
    await tellDevelopers(db, viewer, result.written);
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
  tenantEndpoint(routes.sendFindings)(async ({ db, caller, body }) => ({
    success: true,
    data: await send(db, viewerOf(caller), body.finding_ids, body.developer_ids),
  })),
  tenantEndpoint(routes.requestReview)(async ({ db, caller, params: { id }, body }) => {
    const viewer = viewerOf(caller);
    const act = { viewer, id, username: caller.username, verdict: body.verdict, reason: body.reason };
    const change_id = await askForReview(db, act);
    return { ...{ data: await readFinding(db, { viewer, id }) }, meta: { change_id } };
  }),
  tenantEndpoint(routes.endReview)(async ({ db, caller, params: { id } }) => {
    const viewer = viewerOf(caller);
    await readFinding(db, { viewer, id });
    const change_id = await endReview(db, { viewer, id });
    return { data: await readFinding(db, { viewer, id }), meta: { change_id } };
  }),
];
