import type { Db } from '../../../platform/server/database.ts';
import { type Endpoint, tenantEndpoint } from '../../../platform/server/endpoint.ts';
import * as routes from '../../api/correlation-routes.ts';
import { viewerOf } from '../filter/viewer.ts';
import { readFinding } from './read-finding.ts';

/** Somebody's word about one finding. */
export interface Decision {
  clientId: string;
  actor: string;
  id: string;
  reason?: string | undefined;
}

/** Who keeps what people decided and marks findings by it: the import, whose rules it overrules. Each @throws finding_not_found, conflict. */
export interface CorrelationOverrides {
  splitFinding(db: Db, decision: Decision): Promise<void>;
  undoSplit(db: Db, decision: Decision): Promise<void>;
  joinFindings(db: Db, decision: Decision & { otherId: string }): Promise<void>;
  undoJoin(db: Db, decision: Decision & { otherId: string }): Promise<void>;
}

/** What people decide about which findings are the same. */
export const createCorrelationEndpoints = (decisions: CorrelationOverrides): Endpoint[] => [
  tenantEndpoint(routes.splitFinding)(async ({ db, caller, params: { id }, body }) => {
    await decisions.splitFinding(db, { clientId: caller.clientId, actor: caller.userId, id, reason: body.reason });
    return { data: await readFinding(db, { viewer: viewerOf(caller), id }) };
  }),
  tenantEndpoint(routes.undoSplit)(async ({ db, caller, params: { id } }) => {
    await decisions.undoSplit(db, { clientId: caller.clientId, actor: caller.userId, id });
    return { data: await readFinding(db, { viewer: viewerOf(caller), id }) };
  }),
  tenantEndpoint(routes.joinFindings)(async ({ db, caller, params: { id }, body }) => {
    const decision = { clientId: caller.clientId, actor: caller.userId, id, otherId: body.with, reason: body.reason };
    await decisions.joinFindings(db, decision);
    return { data: await readFinding(db, { viewer: viewerOf(caller), id }) };
  }),
  tenantEndpoint(routes.undoJoin)(async ({ db, caller, params: { id }, query }) => {
    await decisions.undoJoin(db, { clientId: caller.clientId, actor: caller.userId, id, otherId: query.with });
    return { data: await readFinding(db, { viewer: viewerOf(caller), id }) };
  }),
];
