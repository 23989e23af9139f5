import type { DatabaseHandle, Db } from '../../platform/server/database.ts';
import './tables.ts';

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
  { clientId, repositoryId }: { clientId: string; repositoryId: string },
): Promise<void> => {
  await db
    .deleteFrom('scan_requests')
    .where('client_id', '=', clientId)
    .where('repository_id', '=', repositoryId)
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
