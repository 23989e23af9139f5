import { viewerOf } from '../../findings/server/index.ts';
import { readInsideClient } from '../../platform/server/client-access.ts';
import type { DatabaseHandle } from '../../platform/server/database.ts';
import { callerEndpoint, type Endpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import { getFramework, getManagedFramework, listFrameworks, listManagedFrameworks } from '../api/routes.ts';
import { type FrameworkDeps, readFramework, readFrameworks } from './read-frameworks.ts';

/** Frameworks and their controls, of the own organisation and, for superadmins, inside another. */
export const createFrameworkEndpoints = (deps: FrameworkDeps & { database: DatabaseHandle }): Endpoint[] => [
  tenantEndpoint(listFrameworks)(async ({ db, caller }) => ({
    data: await readFrameworks(db, { viewer: viewerOf(caller), deps }),
  })),
  tenantEndpoint(getFramework)(async ({ db, caller, params }) => ({
    data: await readFramework(db, { viewer: viewerOf(caller), deps, id: params.id }),
  })),
  callerEndpoint(listManagedFrameworks)(async ({ caller, params: { client: clientId }, request, origin }) => {
    const viewer = { ...viewerOf(caller), clientId };
    const access = { clientId, caller, request, origin };
    return { data: await readInsideClient(deps.database, access, (db) => readFrameworks(db, { viewer, deps })) };
  }),
  callerEndpoint(getManagedFramework)(async ({ caller, params: { client: clientId, id }, request, origin }) => {
    const viewer = { ...viewerOf(caller), clientId };
    const access = { clientId, caller, request, origin };
    return { data: await readInsideClient(deps.database, access, (db) => readFramework(db, { viewer, deps, id })) };
  }),
];
