import type { Db } from '../../platform/server/database.ts';
import './tables.ts';

export interface ScanRequest {
  clientId: string;
  /** What to scan: `cloud`, or the family of a scanner. */
  scanType: string;
  repositoryId?: string;
  userId?: string;
}

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
