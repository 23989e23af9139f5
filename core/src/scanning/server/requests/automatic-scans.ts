import type { ScmEvent } from '@breakwater/sdk';
import { sql } from 'kysely';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import type { JobQueue } from '../../../platform/server/jobs/define-job.ts';
import { ALL_SCANNERS } from '../../model/scan-requests.ts';
import { requestScan } from './scan-requests.ts';
import '../tables.ts';

type Queue = Pick<JobQueue, 'enqueue'>;

/** Of one look; the others follow at the next one. */
const MAX_AT_ONCE = 50;

/** The source controls of a client's repositories that can be scanned here: the others must not fill the look. */
const readScannable = async (db: Db, clientId: string, canScan: Scheduling['canScan']): Promise<string[]> => {
  const rows = await db
    .selectFrom('repositories')
    .select('source_control')
    .distinct()
    .where('client_id', '=', clientId)
    .execute();
  return rows.map((row) => row.source_control).filter(canScan);
};

/**
 * Repositories of these source controls whose schedule, their own or the organisation's, asks for a scan: no scan of all of the default branch was asked for within a week or
 * a month, whoever asked. Index: scan_requests_repository.
 */
const readDue = async (db: Db, clientId: string, sourceControls: readonly string[]): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select r.id
    from repositories r
    join clients c on c.id = r.client_id
    cross join lateral (
      select case coalesce(r.schedule, c.schedule_scan) when 'weekly' then interval '7 days' when 'monthly' then interval '1 month' end as every
    ) s
    where r.client_id = ${clientId} and r.source_control = any(${[...sourceControls]}::text[]) and r.url <> '' and not r.is_sample and s.every is not null
      and not exists (
        select from scan_requests q
        where q.client_id = r.client_id and q.repository_id = r.id and q.branch is null and q.scan_type = ${ALL_SCANNERS}
          and q.created_at > now() - s.every
      )
    order by r.id limit ${MAX_AT_ONCE}`.execute(db);
  return rows.map(({ id }) => id);
};

export interface Scheduling {
  readonly database: DatabaseHandle;
  readonly jobs: Queue;
  /** Whether repositories of a source control can be scanned here at all. */
  canScan(sourceControl: string): boolean;
}

/** Asks for the scans that schedules ask for, in every organisation. @returns how many */
export const requestScheduledScans = async ({ database, jobs, canScan }: Scheduling): Promise<number> => {
  const clients = await database.forIdentity((db) => db.selectFrom('clients').select('id').orderBy('id').execute());
  let count = 0;
  for (const { id: clientId } of clients) {
    await database.forClient(clientId, async (db) => {
      const due = await readDue(db, clientId, await readScannable(db, clientId, canScan));
      for (const repositoryId of due) {
        await requestScan(db, jobs, {
          clientId,
          scanType: ALL_SCANNERS,
          repositoryId,
          trigger: 'schedule',
          userId: null,
        });
      }
      count += due.length;
    });
  }
  return count;
};

/** What a delivery asks to be scanned: the default branch after a push, and the branch of a pull request that is open. */
const wantedBranch = (event: ScmEvent): { branch: string; pullRequest: number | null } | null => {
  if (event.kind === 'push') return { branch: event.branch, pullRequest: null };
  if (event.kind === 'issue') return null;
  const isOpen = event.action === 'opened' || event.action === 'updated';
  // the branch of a fork lies in a repository that nobody connected
  return isOpen && !event.isFromFork ? { branch: event.branch, pullRequest: event.number } : null;
};

const repositoriesOf = (db: Db, of: { clientId: string; connectorId: string; externalId: string }) =>
  db
    .selectFrom('repositories')
    .select(['id', 'repository_branch'])
    .where('client_id', '=', of.clientId)
    .where(sql<string>`source_control`, '=', of.connectorId)
    .where('external_id', '=', of.externalId)
    .execute();

/**
 * Asks for the scans that follow from a provider's deliveries, where the organisation wants scans without being asked (`autonomous_scan`). A push to
 * another branch than the default one is scanned with its pull request.
 */
export const requestScansAfter = async (
  { database, jobs }: Pick<Scheduling, 'database' | 'jobs'>,
  { clientId, connectorId }: { clientId: string; connectorId: string },
  events: readonly ScmEvent[],
): Promise<void> => {
  if (events.length === 0) return;
  await database.forClient(clientId, async (db) => {
    const client = await db
      .selectFrom('clients')
      .select('autonomous_scan')
      .where('id', '=', clientId)
      .executeTakeFirst();
    if (client?.autonomous_scan !== true) return;
    for (const event of events) {
      const wanted = wantedBranch(event);
      if (wanted === null) continue;
      for (const found of await repositoriesOf(db, { clientId, connectorId, externalId: event.repository })) {
        const isDefault = wanted.branch === found.repository_branch;
        if (!isDefault && wanted.pullRequest === null) continue;
        await requestScan(db, jobs, {
          ...{ clientId, scanType: ALL_SCANNERS, repositoryId: found.id, trigger: 'push', userId: null },
          ...{ branch: isDefault ? null : wanted.branch, pullRequest: wanted.pullRequest },
        });
      }
    }
  });
};
