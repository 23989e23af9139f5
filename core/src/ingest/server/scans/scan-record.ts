import type { TableMapping } from '@breakwater/sdk';
import type pg from 'pg';
import { type Static, Type } from 'typebox';
import { type ClientEvent, EVENT_CHANNEL } from '../../../platform/server/events.ts';
import type { JobType } from '../../../platform/server/jobs/define-job.ts';
import type { ScanCounts } from '../../api/routes.ts';
import { ASK_FOR_COMMIT_STATUS } from './commit-status-request.ts';

/** What became of the records of a report. Source: decisions.md "Upload". */
export type Counts = Static<typeof ScanCounts>;

/** How an import that was not refused ends. `incomplete`: the scan behind it failed in part. `outdated`: a newer report stands. */
export type MergedStatus = 'done' | 'incomplete' | 'outdated';

/** Statuses that a scan stays in. */
export const ENDED: readonly string[] = ['done', 'incomplete', 'outdated', 'failed', 'cancelled'];
const HAS_ENDED = ENDED.map((status) => `'${status}'`).join(', ');

/** What an import has to know before it begins. */
export interface ScanRecord {
  status: string;
  attempts: number;
  repositoryId: string;
  /** Null when the report is no longer stored. */
  reportId: string | null;
  /** Tool as asked for or recognised: the scope's name. */
  toolId: string;
  /** Set where the report holds records that this connector pulled. */
  connectorId: string | null;
  /** The scan that this one takes back, with its scope. */
  undoes: string | null;
  scopeId: number | null;
  fileName: string | null;
  /** As the sender named it; null for the default branch. */
  branch: string | null;
  /** As the sender named it; null where the report says. */
  part: string | null;
  /** The sender wants it merged although a newer report was. */
  acceptsOlder: boolean;
  /** How the columns of the report are read, where it is a table of no known tool. */
  mapping: TableMapping | null;
  /** What a person decided about the closing that the scan `settles` held back. */
  settlement: 'confirm' | 'split' | null;
  sizeBytes: number;
  createdAt: Date;
  exposure: 'internet' | 'internal' | 'unknown';
  dataClass: 'sensitive' | 'business' | 'public' | 'unknown';
}

const READ = `
  select s.status, s.attempts, s.repository_id as "repositoryId", r.id as "reportId", coalesce(s.tool, s.requested_tool) as "toolId",
    s.connector_id as "connectorId", s.undoes, s.scope_id as "scopeId", s.file_name as "fileName", s.branch, s.part,
    s.accept_older as "acceptsOlder", s.settlement, s.mapping, coalesce(r.size_bytes, 0) as "sizeBytes", s.created_at as "createdAt",
    p.exposure, p.data_class as "dataClass"
  from scans s
  left join reports r on r.client_id = s.client_id and r.id = s.report_id
  join repositories p on p.client_id = s.client_id and p.id = s.repository_id
  where s.client_id = $1 and s.id = $2`;

/** A mapping as the column takes it. */
export const mappingText = (mapping: unknown): string | null =>
  mapping === undefined || mapping === null ? null : JSON.stringify(mapping);

export const readScan = async (
  client: pg.ClientBase,
  clientId: string,
  scanId: string,
): Promise<ScanRecord | undefined> => (await client.query<ScanRecord>(READ, [clientId, scanId])).rows[0];

const BEGIN = `
  update scans set status = 'running', attempts = attempts + 1, started_at = coalesce(started_at, now())
  where client_id = $1 and id = $2`;

/** A repository that has findings stays what it is while more come: its lists are complete all along. Source: decisions.md "States". */
const BEGIN_REPOSITORY = `
  update repositories set status = 'running' where client_id = $1 and id = $2 and status in ('queued', 'failed')`;

export const beginAttempt = async (
  client: pg.ClientBase,
  { clientId, scanId, repositoryId }: { clientId: string; scanId: string; repositoryId: string },
): Promise<void> => {
  await client.query(BEGIN, [clientId, scanId]);
  await client.query(BEGIN_REPOSITORY, [clientId, repositoryId]);
};

/** Tells those who may see the repository of an event when the surrounding transaction commits, or at once outside of one. */
export const sendEvent = async (
  client: pg.ClientBase,
  clientId: string,
  type: string,
  data: { repository_id: string } & Record<string, unknown>,
): Promise<void> => {
  const event: ClientEvent = { clientId, type, data, audience: { repositoryIds: [data.repository_id] } };
  await client.query('select pg_notify($1, $2)', [EVENT_CHANNEL, JSON.stringify(event)]);
};

const PROGRESS = `
  update scans set status = $3, percentage = $4 where client_id = $1 and id = $2 and status not in (${HAS_ENDED})`;

export interface Progress {
  clientId: string;
  scanId: string;
  repositoryId: string;
  status: 'parsing' | 'merging';
  percentage: number;
}

/** Says how far an import is. Runs outside its transaction, so that others see it. */
export const writeProgress = async (client: pg.ClientBase, progress: Progress): Promise<void> => {
  const { clientId, scanId, repositoryId, status, percentage } = progress;
  await client.query(PROGRESS, [clientId, scanId, status, percentage]);
  await sendEvent(client, clientId, 'scan.progress', {
    scan_id: scanId,
    repository_id: repositoryId,
    status,
    percentage,
  });
};

/** One statement: a process that dies leaves no repository at work whose scan has failed. */
const FAIL = `
  with failed as (
    update scans set status = 'failed', code = $3, detail = $4, finished_at = now()
    where client_id = $1 and id = $2 and status not in (${HAS_ENDED})
    returning client_id
  ), repository as (
    update repositories r set status = 'failed' from failed
    where r.client_id = failed.client_id and r.id = $5 and r.status = 'running'
  )
  select 1 from failed`;

export interface Failure {
  code: string;
  /** For the person who uploaded. */
  detail: string;
}

/** Ends a scan as failed, with the reason. @returns false where it has ended before. */
export const failScan = async (
  client: pg.ClientBase,
  scan: { clientId: string; scanId: string; repositoryId: string },
  failure: Failure,
): Promise<boolean> => {
  const { clientId, scanId, repositoryId } = scan;
  const { rowCount } = await client.query(FAIL, [clientId, scanId, failure.code, failure.detail, repositoryId]);
  if (rowCount === 0) return false;
  await client.query(ASK_FOR_COMMIT_STATUS, [clientId, scanId]);
  await sendEvent(client, clientId, 'scan.failed', {
    scan_id: scanId,
    repository_id: repositoryId,
    code: failure.code,
  });
  return true;
};

const FINISH = `
  update scans set status = $8, percentage = 100, scope_id = $3, tool = $4, counts = $5, unreadable = $6, code = null, detail = null,
    finished_at = now(), imported_as = $7, incomplete = $9, report_date = $10
  where client_id = $1 and id = $2`;
const FINISH_SCOPE = `
  update scan_scopes set last_seen_at = now(), last_scan_id = $3, report_date = case when $4 then $5 else report_date end
  where client_id = $1 and id = $2`;
const FINISH_REPOSITORY = `
  update repositories set status = 'enriched', last_scan_at = case when $3::uuid is null then now() else last_scan_at end
  where client_id = $1 and id = $2`;
const FINISH_BRANCH = 'update repository_branches set last_scan_at = now() where client_id = $1 and id = $2';

export interface Finish {
  clientId: string;
  scanId: string;
  repositoryId: string;
  scopeId: number;
  /** Null for the default branch. */
  branchId: string | null;
  toolId: string;
  counts: Counts;
  status: MergedStatus;
  unreadable: readonly { where: string; why: string }[];
  /** Why the scan behind the report covers less than it should. */
  incomplete: readonly string[];
  /** The report's own time; ISO 8601. */
  reportDate: string | undefined;
  /** That of the newest report that the scope stands at; undefined leaves it as it is. */
  scopeDate: string | null | undefined;
  /** What besides the report decided what was written; null where that is not to be relied on. */
  importedAs: string | null;
}

/** Ends a scan that was not refused, in the transaction that merged it. */
export const finishScan = async (client: pg.ClientBase, finish: Finish): Promise<void> => {
  const { clientId, scanId, repositoryId, scopeId, branchId, toolId, counts, importedAs, status, scopeDate } = finish;
  const texts = [JSON.stringify(counts), JSON.stringify(finish.unreadable), importedAs, status];
  const own = [JSON.stringify(finish.incomplete), finish.reportDate ?? null];
  await client.query(FINISH, [clientId, scanId, scopeId, toolId, ...texts, ...own]);
  if (status !== 'outdated') {
    await client.query(FINISH_SCOPE, [clientId, scopeId, scanId, scopeDate !== undefined, scopeDate ?? null]);
    await client.query(FINISH_REPOSITORY, [clientId, repositoryId, branchId]);
    if (branchId !== null) await client.query(FINISH_BRANCH, [clientId, branchId]);
  }
  await client.query(ASK_FOR_COMMIT_STATUS, [clientId, scanId]);
  const data = { scan_id: scanId, repository_id: repositoryId };
  await sendEvent(client, clientId, 'findings.imported', { ...data, counts });
  await sendEvent(client, clientId, 'scan.completed', { ...data, counts });
};

export const ImportInput = Type.Object({ clientId: Type.String(), scanId: Type.String() });
export type ImportInput = Static<typeof ImportInput>;

/** The job that imports one report; import-job.ts runs it. */
export const IMPORT_JOB: JobType<ImportInput> = {
  name: 'import-report',
  key: ({ scanId }) => scanId,
  retry: { limit: 5 },
  concurrency: 3,
  // one place is always left to other organisations
  group: ({ clientId }) => clientId,
  groupConcurrency: 2,
};
