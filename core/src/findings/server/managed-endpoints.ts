import { readInsideClient } from '../../platform/server/client-access.ts';
import type { DatabaseHandle, Db } from '../../platform/server/database.ts';
import { callerEndpoint, type Endpoint, type SignedInInput } from '../../platform/server/endpoint.ts';
import {
  getManagedFinding,
  getManagedFindingHistory,
  listManagedFindings,
  listManagedGroups,
} from '../api/managed-routes.ts';
import { readFinding } from './detail/read-finding.ts';
import { readHistory } from './detail/read-history.ts';
import { type Viewer, viewerOf } from './filter/viewer.ts';
import { readFindingsPage, readGroupsPage } from './list/finding-queries.ts';

type Input = Pick<SignedInInput<{ client: string }, unknown, unknown>, 'caller' | 'params' | 'request' | 'origin'>;

/** What `GET /findings` and the like answer, inside a client that a superadmin names. */
export const createManagedFindingsEndpoints = ({ database }: { database: DatabaseHandle }): Endpoint[] => {
  const inside = <T>(
    { caller, params, request, origin }: Input,
    work: (db: Db, viewer: Viewer) => Promise<T>,
  ): Promise<T> => {
    const clientId = params.client;
    const viewer = { ...viewerOf(caller), clientId };
    return readInsideClient(database, { clientId, caller, request, origin }, (db) => work(db, viewer));
  };
  return [
    callerEndpoint(listManagedFindings)((input) =>
      inside(input, (db, viewer) => readFindingsPage(db, viewer, input.query)),
    ),
    callerEndpoint(listManagedGroups)((input) =>
      inside(input, (db, viewer) => readGroupsPage(db, viewer, input.query)),
    ),
    callerEndpoint(getManagedFinding)((input) =>
      inside(input, async (db, viewer) => ({ data: await readFinding(db, { viewer, id: input.params.id }) })),
    ),
    callerEndpoint(getManagedFindingHistory)((input) =>
      inside(input, async (db, viewer) => ({ data: await readHistory(db, { viewer, id: input.params.id }) })),
    ),
  ];
};
