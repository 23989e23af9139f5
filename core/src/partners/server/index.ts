import type { DatabaseHandle } from '../../platform/server/database.ts';
import { callerEndpoint, type Endpoint, publicEndpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import { pageMeta, readPaging } from '../../platform/server/paging.ts';
import { createPartner, deletePartner, getPartner, listPartners, updatePartner } from '../api/routes.ts';
import { addPartner, changePartner, readPartner, readPartners, removePartner } from './partners.ts';

/** Partners: everybody reads them, superadmins write them. */
export const createPartnerEndpoints = ({ database }: { database: DatabaseHandle }): Endpoint[] => [
  publicEndpoint(listPartners)(async () => {
    const data = await database.forIdentity(readPartners);
    return { data, meta: pageMeta(data.length, readPaging({ pagination: 'false' })) };
  }),
  tenantEndpoint(getPartner)(async ({ db, params }) => ({ data: await readPartner(db, params.id) })),
  callerEndpoint(createPartner)(async ({ body, audit }) => {
    const data = await database.forIdentity((db) => addPartner(db, body));
    audit({ subject: data.attributes.name });
    return { success: true, data };
  }),
  callerEndpoint(updatePartner)(async ({ params, body, audit }) => {
    const data = await database.forIdentity((db) => changePartner(db, params.id, body));
    audit({ subject: data.attributes.name });
    return { success: true, data };
  }),
  callerEndpoint(deletePartner)(async ({ params, audit }) => {
    audit({ subject: await database.forIdentity((db) => removePartner(db, params.id)) });
    return { success: true };
  }),
];
