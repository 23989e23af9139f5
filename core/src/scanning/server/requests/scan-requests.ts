import { sql } from 'kysely';
import { requestCommitStatus } from '../../../ingest/server/index.ts';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import type { Db } from '../../../platform/server/database.ts';
import { publish } from '../../../platform/server/events.ts';
import type { JobQueue, JobType } from '../../../platform/server/jobs/define-job.ts';
import {
  CLOUD_SCAN,
  type ScanRequestStatus,
  type ScanTrigger,
  scanPercentage,
  type ToolRun,
  UNFINISHED_STATUSES,
} from '../../model/scan-requests.ts';
import '../tables.ts';

export interface ScanJobInput {
  clientId: string;
  requestId: string;
}

/** The job of one scan; run-scan.ts runs it. */
export const SCAN_JOB: JobType<ScanJobInput> = {
  name: 'scan-repository',
  key: ({ requestId }) => requestId,
  retry: { limit: 5 },
  concurrency: 2,
  // one place is always left to other organisations
  group: ({ clientId }) => clientId,
  groupConcurrency: 1,
};

type Queue = Pick<JobQueue, 'enqueue'>;

export interface NewScanRequest {
  clientId: string;
  scanType: string;
  /** Null for the clouds. */
  repositoryId: string | null;
  /** Null for the default branch. */
  branch?: string | null;
  trigger?: ScanTrigger;
  pullRequest?: number | null;
  userId: string | null;
}

/** Tells who may see the repository how far its scan is, when the transaction commits. */
const publishRequest = async (
  db: Db,
  row: { clientId: string; id: string; repositoryId: string | null; status: ScanRequestStatus; percentage: number },
): Promise<void> => {
  const { clientId, id, repositoryId, status, percentage } = row;
  const data = { scan_request_id: id, repository_id: repositoryId, status, percentage };
  const audience =
    repositoryId === null ? ({ permission: 'connectors.read' } as const) : { repositoryIds: [repositoryId] };
  await publish(db, { clientId, type: 'scan_request.progress', data, audience });
};

/** Asks for a scan; one of the same that waits already is not doubled. Index: scan_requests_repository. @returns its id */
export const requestScan = async (db: Db, queue: Queue, request: NewScanRequest): Promise<string> => {
  const { clientId, scanType, repositoryId, branch = null, trigger = 'person', pullRequest = null, userId } = request;
  // two requests at once see each other
  await sql`select pg_advisory_xact_lock(hashtextextended(${`scan-request:${clientId}:${repositoryId}`}, 0))`.execute(
    db,
  );
  const waiting = await db
    .selectFrom('scan_requests')
    .select('id')
    .where('client_id', '=', clientId)
    .where('repository_id', 'is not distinct from', repositoryId)
    .where('scan_type', '=', scanType)
    .where('branch', 'is not distinct from', branch)
    .where('pull_request', 'is not distinct from', pullRequest)
    .where('status', '=', 'queued')
    .limit(1)
    .executeTakeFirst();
  if (waiting !== undefined) return waiting.id;
  const { id } = await db
    .insertInto('scan_requests')
    .values({
      client_id: clientId,
      scan_type: scanType,
      repository_id: repositoryId,
      branch,
      trigger,
      pull_request: pullRequest,
      created_by: userId,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await queue.enqueue(db, SCAN_JOB, { clientId, requestId: id });
  await publishRequest(db, { clientId, id, repositoryId, status: 'queued', percentage: 0 });
  return id;
};

/** Asks for a scan of the clouds. @returns the id of the request */
export const requestCloudScan = (db: Db, queue: Queue, caller: { clientId: string; userId: string }): Promise<string> =>
  requestScan(db, queue, { ...caller, scanType: CLOUD_SCAN, repositoryId: null });

/** A run that has a request for itself. */
export interface ClaimedScan extends ScanJobInput {
  readonly leaseId: string;
  readonly scanType: string;
  readonly repositoryId: string | null;
  readonly branch: string | null;
  readonly trigger: ScanTrigger;
  readonly userId: string | null;
  readonly attempts: number;
}

/** A run that does not renew its claim for so long is dead. */
const LEASE_SECONDS = 30;
const LEASE_UNTIL = sql<Date>`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})`;

/** Takes a request for one run. @returns nothing where it has ended, or another run that lives has it */
export const claimScan = async (db: Db, { clientId, requestId }: ScanJobInput): Promise<ClaimedScan | undefined> => {
  const row = await db
    .updateTable('scan_requests')
    .set({
      status: 'running',
      attempts: sql`attempts + 1`,
      lease_id: sql`gen_random_uuid()`,
      lease_until: LEASE_UNTIL,
      started_at: sql`coalesce(started_at, clock_timestamp())`,
    })
    .where('client_id', '=', clientId)
    .where('id', '=', requestId)
    .where('status', 'in', UNFINISHED_STATUSES)
    .where((when) => when.or([when('lease_until', 'is', null), when('lease_until', '<', sql<Date>`clock_timestamp()`)]))
    .returning(['lease_id', 'scan_type', 'repository_id', 'branch', 'trigger', 'created_by', 'attempts'])
    .executeTakeFirst();
  if (row === undefined || row.lease_id === null) return undefined;
  return {
    clientId,
    requestId,
    leaseId: row.lease_id,
    scanType: row.scan_type,
    repositoryId: row.repository_id,
    branch: row.branch,
    trigger: row.trigger,
    userId: row.created_by,
    attempts: row.attempts,
  };
};

type Lease = Pick<ClaimedScan, 'clientId' | 'requestId' | 'leaseId'>;

const ofLease = (db: Db, { clientId, requestId, leaseId }: Lease) =>
  db
    .updateTable('scan_requests')
    .where('client_id', '=', clientId)
    .where('id', '=', requestId)
    .where('lease_id', '=', leaseId)
    .where('status', 'in', UNFINISHED_STATUSES);

/** Keeps the claim. @returns false where the scan was cancelled or taken over */
export const renewLease = async (db: Db, claimed: ClaimedScan): Promise<boolean> => {
  const { numUpdatedRows } = await ofLease(db, claimed).set({ lease_until: LEASE_UNTIL }).executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Ends the claim of a process that has died, for another one to take the request up. Another claim on it stays. */
export const endLease = async (db: Db, lease: Lease): Promise<void> => {
  await ofLease(db, lease).set({ lease_until: sql<Date>`clock_timestamp()` }).execute();
};

/** Gives the request back, for another process to take up: this one stops. */
export const releaseScan = async (db: Db, claimed: ClaimedScan): Promise<void> => {
  await ofLease(db, claimed)
    .set({
      status: 'queued',
      lease_until: null,
      lease_id: null,
      percentage: 0,
      attempts: sql`greatest(attempts - 1, 0)`,
    })
    .execute();
};

export interface ScanChange {
  status: 'running' | 'parsing' | 'merging';
  tools?: readonly ToolRun[];
  commit?: string | null;
}

/** Notes how far a scan is. */
export const noteProgress = async (db: Db, claimed: ClaimedScan, change: ScanChange): Promise<void> => {
  const percentage = scanPercentage(change.tools ?? []);
  const { numUpdatedRows } = await ofLease(db, claimed)
    .set({
      status: change.status,
      percentage,
      ...(change.tools === undefined ? {} : { tools: JSON.stringify(change.tools) }),
      ...(change.commit === undefined ? {} : { commit_hash: change.commit }),
    })
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  const { clientId, requestId: id, repositoryId } = claimed;
  await publishRequest(db, { clientId, id, repositoryId, status: change.status, percentage });
};

export interface ScanEnd {
  status: 'done' | 'failed';
  tools: readonly ToolRun[];
  code: string | null;
  detail: string | null;
}

/** Ends a scan, once. @returns false where it has ended before, or another run has it */
export const finishScanRequest = async (db: Db, claimed: ClaimedScan, end: ScanEnd): Promise<boolean> => {
  const { status, code, detail, tools } = end;
  const { numUpdatedRows } = await ofLease(db, claimed)
    .set({
      ...{ status, code, detail, percentage: 100, lease_until: null },
      tools: JSON.stringify(tools),
      finished_at: sql`clock_timestamp()`,
    })
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  const { clientId, requestId: id, repositoryId } = claimed;
  await publishRequest(db, { clientId, id, repositoryId, status, percentage: 100 });
  return true;
};

/** Cancels a scan that goes on; its run notices within seconds. @throws scan_not_found, conflict where it has ended */
export const cancelScan = async (db: Db, queue: Queue, { clientId, requestId }: ScanJobInput): Promise<void> => {
  const row = await db
    .updateTable('scan_requests')
    .set({ status: 'cancelled', finished_at: sql`clock_timestamp()` })
    .where('client_id', '=', clientId)
    .where('id', '=', requestId)
    .where('status', 'in', UNFINISHED_STATUSES)
    .returning(['repository_id', 'percentage'])
    .executeTakeFirst();
  if (row === undefined) throw new AppError('conflict', msg('The scan has ended already.'));
  const { repository_id: repositoryId, percentage } = row;
  await publishRequest(db, { clientId, id: requestId, repositoryId, status: 'cancelled', percentage });
  if (repositoryId !== null) await requestCommitStatus(db, queue, { clientId, repositoryId });
};

/** Removes the requests for scans of a repository; what runs notices that its claim is gone. */
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
