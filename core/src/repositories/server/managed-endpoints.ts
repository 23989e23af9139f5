import { readInsideClient } from '../../platform/server/client-access.ts';
import type { DatabaseHandle } from '../../platform/server/database.ts';
import { callerEndpoint, type Endpoint } from '../../platform/server/endpoint.ts';
import { getManagedRepository, listManagedRepositories } from '../api/managed-routes.ts';
import { readRepositoriesPage, readRepository } from './repository-queries.ts';

/** What `GET /repositories` and the like answer, inside a client that a superadmin names. */
export const createManagedRepositoriesEndpoints = ({ database }: { database: DatabaseHandle }): Endpoint[] => [
  callerEndpoint(listManagedRepositories)(({ caller, params, query, request }) => {
    const viewer = { clientId: params.client, onlyOwnedBy: null };
    return readInsideClient(database, { clientId: params.client, caller, request }, (db) =>
      readRepositoriesPage(db, viewer, query),
    );
  }),
  callerEndpoint(getManagedRepository)(async ({ caller, params, request }) => {
    const viewer = { clientId: params.client, onlyOwnedBy: null };
    const data = await readInsideClient(database, { clientId: params.client, caller, request }, (db) =>
      readRepository(db, viewer, params.id),
    );
    return { data };
  }),
];
