import type { DatabaseHandle, Db } from '../../platform/server/database.ts';
import './tables.ts';
import { AppError } from '../../platform/model/app-error.ts';
import { callerEndpoint, type Endpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import { getScannerCli, removeScannerCli, saveScannerCli } from '../api/routes.ts';
import { SECTIONS } from '../model/connector-sections.ts';
import { type ClientDeps, notifyChanged } from './deps.ts';

export interface ScanRequest {
  clientId: string;
  /** What to scan: `cloud`, or the family of a scanner. */
  scanType: string;
  repositoryId?: string;
  userId?: string;
}

/** Source: specification §9 "Cloud scan request type". */
const CLOUD_SCAN = 'cloud';
/** Category of the clouds' cards. */
const CLOUD_CATEGORY = 'cloud-deployment';

/** Notes that a scan was asked for. @returns the id of the request. */
export const requestScan = async (db: Db, request: ScanRequest): Promise<string> => {
  const { id } = await db
    .insertInto('scan_requests')
    .values({
      client_id: request.clientId,
      scan_type: request.scanType,
      repository_id: request.repositoryId ?? null,
      created_by: request.userId ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};

/** Asks for a scan of the clouds, unless one is waiting already. @returns the id of the request. */
export const requestCloudScan = async (db: Db, { clientId, userId }: { clientId: string; userId: string }) => {
  const waiting = await db
    .selectFrom('scan_requests')
    .select('id')
    .where('client_id', '=', clientId)
    .where('scan_type', '=', CLOUD_SCAN)
    .where('status', '=', 'queued')
    .where('repository_id', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return waiting?.id ?? requestScan(db, { clientId, scanType: CLOUD_SCAN, userId });
};

/** Removes the requests for scans of a repository. */
export const removeScanRequests = async (
  db: Db,
  { clientId, repositoryIds }: { clientId: string; repositoryIds: readonly string[] },
): Promise<void> => {
  await db
    .deleteFrom('scan_requests')
    .where('client_id', '=', clientId)
    .where('repository_id', 'in', [...repositoryIds])
    .execute();
};

/** Whether a saved connector is a cloud, after which a scan is requested. Source: specification §4, §7. */
export const isCloud = (item: { attributes: { category: string } }): boolean =>
  item.attributes.category === CLOUD_CATEGORY;

/** What follows the save of a connector, whichever route saved it: after a cloud a scan of the clouds is requested. */
export const createAfterSave =
  (database: DatabaseHandle) =>
  async (caller: { clientId: string; userId: string }, item: { attributes: { category: string } }): Promise<void> => {
    if (isCloud(item)) await database.forClient(caller.clientId, (db) => requestCloudScan(db, caller));
  };

const CONNECTOR = SECTIONS.semgrep_cli.connector;

const missingToken = (): AppError =>
  new AppError('validation_failed', undefined, {
    issues: [{ loc: ['body', 'token'], msg: 'Enter the token.', type: 'missing' }],
  });

/** What is stored of the token: whether, and its hint. */
const readForm = async ({ connections }: ClientDeps, db: Db, clientId: string) => {
  const { config, token } = (await connections.item(db, clientId, CONNECTOR)).attributes.fields;
  return {
    has_token: token?.set ?? false,
    token_hint: token?.hint ?? null,
    config: typeof config?.value === 'string' ? config.value : null,
  };
};

/** `/semgrep-cli`: the scanner's token and rules. Source: specification §7. */
export const scannerCliEndpoints = (deps: ClientDeps): Endpoint[] => {
  const notifyClient = (clientId: string): Promise<void> =>
    deps.database.forClient(clientId, (db) => notifyChanged(db, clientId));
  return [
    tenantEndpoint(getScannerCli)(async ({ db, caller }) => ({ data: await readForm(deps, db, caller.clientId) })),
    callerEndpoint(saveScannerCli)(async ({ caller, body }) => {
      const { clientId } = caller;
      const { has_token } = await deps.database.forClient(clientId, (db) => readForm(deps, db, clientId));
      if ((body.token ?? '').trim() === '' && !has_token) throw missingToken();
      await deps.connections.save(caller, CONNECTOR, body);
      await notifyClient(clientId);
      return { success: true };
    }),
    callerEndpoint(removeScannerCli)(async ({ caller }) => {
      await deps.connections.remove(caller, CONNECTOR);
      await notifyClient(caller.clientId);
      return { success: true };
    }),
  ];
};
