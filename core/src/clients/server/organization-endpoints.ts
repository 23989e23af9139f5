import { callerEndpoint, type Endpoint, streamedFileEndpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import { deleteOrganization, exportOrganization, readDeletion } from '../api/organization-routes.ts';
import { countOwnOrganization, deleteOwnOrganization, deletionRefusal } from './delete-organization.ts';
import type { DeletionDeps } from './deps.ts';
import { exportOwnOrganization } from './export-organization.ts';

/** What admins do with the organisation as a whole: take it along, and end it. */
export const organizationEndpoints = (deps: DeletionDeps): Endpoint[] => [
  streamedFileEndpoint(exportOrganization)(({ caller: { clientId }, signal, audit }) => {
    audit({ subject: 'Organisation', details: {} });
    const fileName = `breakwater-organization-${new Date().toISOString().slice(0, 10)}.json.gz`;
    const content = exportOwnOrganization(deps.database, { clientId, signal });
    return { fileName, contentType: 'application/gzip', content };
  }),
  tenantEndpoint(readDeletion)(async ({ db, caller: { clientId } }) => {
    const counts = await countOwnOrganization(db, clientId);
    const refusal = await deletionRefusal(db, clientId, deps.paidReason);
    return { success: true, data: { ...counts, refusal: refusal?.text ?? null, refusal_code: refusal?.code ?? null } };
  }),
  callerEndpoint(deleteOrganization)(async ({ caller, body, reply, audit, origin, log }) => {
    const { clientId } = caller;
    const { organization_name: typedName, ...proof } = body;
    await deps.database.forClient(clientId, (db) => deps.requireProof(db, caller, proof));
    await deps.readPaymentsAnew(clientId);
    const { paidReason } = deps;
    await deps.database.forClient(clientId, (db) =>
      deleteOwnOrganization(db, { caller, typedName, origin, paidReason }),
    );
    // nothing is left that it could be written to; superadmins have their entry
    audit({ isUnchanged: true });
    reply.clearSessionCookie();
    log.info({ client_id: clientId }, 'an organisation was deleted by its admin');
    await deps.jobs.purgeClient(clientId);
    return { success: true };
  }),
];
