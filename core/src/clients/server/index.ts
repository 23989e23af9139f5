import { type Endpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import { updateClient } from '../api/routes.ts';
import './tables.ts';

/** Settings of the organisation. */
export const createClientEndpoints = (): Endpoint[] => [
  tenantEndpoint(updateClient)(async ({ db, caller, body }) => {
    await db.updateTable('clients').set(body).where('id', '=', caller.clientId).execute();
    return { success: true };
  }),
];
