import type { Db } from '../../../platform/server/database.ts';
import type { ToolRun } from '../../model/scan-requests.ts';
import type { ClaimedScan, ScanEnd } from './scan-requests.ts';
import '../tables.ts';

const failedTools = (tools: readonly ToolRun[]): string =>
  tools
    .flatMap(({ tool, status }) => (status === 'failed' ? [tool] : []))
    .sort()
    .join();

/**
 * Whether a scan that nobody asked for failed as the one before it did, by the same schedule or the same pushes: for the same reason, or
 * because of the same scanners. Words may differ, as they do between two errors of the network. Index: scan_requests_repository.
 */
export const isRepeatedFailure = async (db: Db, claimed: ClaimedScan, end: ScanEnd): Promise<boolean> => {
  const { clientId, requestId, repositoryId, scanType, branch, trigger, userId } = claimed;
  if (userId !== null || trigger === 'person') return false;
  const before = await db
    .selectFrom('scan_requests')
    .select(['status', 'code', 'tools'])
    .where('client_id', '=', clientId)
    .where('repository_id', 'is not distinct from', repositoryId)
    .where('id', '<', requestId)
    .where('scan_type', '=', scanType)
    .where('branch', 'is not distinct from', branch)
    .where('trigger', '=', trigger)
    .where('status', 'in', ['done', 'failed'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (before?.status !== 'failed' || before.code !== end.code) return false;
  return end.code !== 'scanner_failed' || failedTools(before.tools) === failedTools(end.tools);
};
