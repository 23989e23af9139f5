import * as routes from '../../findings/api/same-issue.ts';
import { readFinding, viewerOf } from '../../findings/server/index.ts';
import { type Endpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import { joinFindings, splitFinding, undoJoin, undoSplit } from './same-issue.ts';

/** What people decide about which findings are the same. */
export const sameIssueEndpoints = (): Endpoint[] => [
  tenantEndpoint(routes.splitFinding)(async ({ db, caller, params: { id }, body }) => {
    await splitFinding(db, { clientId: caller.clientId, actor: caller.userId, id, reason: body.reason });
    return { data: await readFinding(db, { viewer: viewerOf(caller), id }) };
  }),
  tenantEndpoint(routes.undoSplit)(async ({ db, caller, params: { id } }) => {
    await undoSplit(db, { clientId: caller.clientId, actor: caller.userId, id });
    return { data: await readFinding(db, { viewer: viewerOf(caller), id }) };
  }),
  tenantEndpoint(routes.joinFindings)(async ({ db, caller, params: { id }, body }) => {
    const decision = { clientId: caller.clientId, actor: caller.userId, id, otherId: body.with, reason: body.reason };
    await joinFindings(db, decision);
    return { data: await readFinding(db, { viewer: viewerOf(caller), id }) };
  }),
  tenantEndpoint(routes.undoJoin)(async ({ db, caller, params: { id }, query }) => {
    await undoJoin(db, { clientId: caller.clientId, actor: caller.userId, id, otherId: query.with });
    return { data: await readFinding(db, { viewer: viewerOf(caller), id }) };
  }),
];
