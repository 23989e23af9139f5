import { sql } from 'kysely';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { can } from '../../../platform/model/permissions.ts';
import { type DatabaseHandle, type Db, limitLockWait } from '../../../platform/server/database.ts';
import { finishClientJob, publishProgress } from '../../../platform/server/jobs/client-jobs.ts';
import type { JobRun } from '../../../platform/server/jobs/define-job.ts';
import { applyChange } from '../../model/apply-change.ts';
import { FindingChange } from '../../model/change.ts';
import type { FindingFilters } from '../../model/filter-catalogue.ts';
import { FindingFilters as FiltersSchema } from '../../model/filter-schema.ts';
import type { Viewer } from '../filter/viewer.ts';
import { findPage } from '../list/find-page.ts';
import { notifyDevelopers } from './assignments.ts';
import { type Decisions, decide } from './decide.ts';
import { readChangedIds, undoChanges } from './undo-changes.ts';

/** Findings of one transaction: long enough to be quick, short enough that others need not wait. */
const BATCH = 1000;
const MAX_REFUSED = 1000;
const LAST_ATTEMPT = 6;
export const BROKEN_OFF = 'This broke off because of an internal error. What was done stays.';

/** What is kept of a request: a change of what is found, or a change to undo. */
export const BulkInput = Type.Union([
  Type.Object({ change: FindingChange, filters: Type.Optional(FiltersSchema), search: Type.Optional(Type.String()) }),
  Type.Object({ undone: Type.String() }),
]);

export interface BulkJob {
  clientId: string;
  jobId: string;
}

/** Every finding that a filter finds, oldest id first. */
export const findAllIds = async (
  db: Db,
  request: { viewer: Viewer; filters: FindingFilters; search: string; limit: number },
): Promise<{ ids: string[]; total: number }> =>
  findPage(db, { ...request, sortField: '_id', direction: 'asc', offset: 0 });

const MAX_FINDINGS = 10_000_000;

/** Who ordered it, as long as they may: a role may have been taken away since. */
const readViewer = async (db: Db, clientId: string, actor: string): Promise<Viewer | undefined> => {
  const user = await db
    .selectFrom('users')
    .select(['role', 'status'])
    .where('client_id', '=', clientId)
    .where('id', '=', actor)
    .executeTakeFirst();
  const mayDecide = user?.status === 'active' && can(user.role, 'findings.triage');
  return mayDecide ? { clientId, userId: actor, seesAll: true } : undefined;
};

interface BulkRun {
  job: BulkJob;
  viewer: Viewer;
  input: Static<typeof BulkInput>;
  items: string[];
}

const decideBatch = async (db: Db, { job, viewer, input }: BulkRun, ids: string[]): Promise<Decisions> => {
  const changeId = job.jobId;
  if ('undone' in input) return undoChanges(db, { viewer, undone: input.undone, ids, changeId });
  return decide(db, { viewer, ids, changeId, apply: (now) => applyChange(now, input.change) });
};

const lockJob = (db: Db, { clientId, jobId }: BulkJob) =>
  db
    .selectFrom('client_jobs')
    .select(['status', 'actor', 'input', 'position', 'total', 'done', 'refused_count', 'refused'])
    .where('client_id', '=', clientId)
    .where('id', '=', jobId)
    .forUpdate()
    .executeTakeFirst();

/** What is to be done, found once and kept, so that a killed run goes on with the same findings. Nothing where it is over. */
const openRun = (database: DatabaseHandle, job: BulkJob): Promise<BulkRun | undefined> =>
  database.forClient(job.clientId, async (db) => {
    const row = await lockJob(db, job);
    if (row === undefined || (row.status !== 'queued' && row.status !== 'running')) return undefined;
    const viewer = await readViewer(db, job.clientId, row.actor);
    if (viewer === undefined) {
      await finishClientJob(db, job, 'failed', 'Whoever ordered this may no longer decide about findings.');
      return undefined;
    }
    const input = Value.Parse(BulkInput, row.input);
    const kept = await db
      .selectFrom('client_jobs')
      .select('items')
      .where('client_id', '=', job.clientId)
      .where('id', '=', job.jobId)
      .executeTakeFirstOrThrow();
    const items =
      kept.items ??
      ('undone' in input
        ? await readChangedIds(db, { clientId: job.clientId, changeId: input.undone })
        : await findAll(db, viewer, input));
    await db
      .updateTable('client_jobs')
      .set({ status: 'running', items, total: items.length })
      .where('client_id', '=', job.clientId)
      .where('id', '=', job.jobId)
      .execute();
    return { job, viewer, input, items };
  });

const findAll = async (
  db: Db,
  viewer: Viewer,
  { filters = {}, search = '' }: { filters?: FindingFilters; search?: string },
): Promise<string[]> => (await findAllIds(db, { viewer, filters, search, limit: MAX_FINDINGS })).ids;

/** One step: all of it or nothing, so that a killed run neither leaves a finding out nor decides twice. @returns false at the end. */
const runBatch = (database: DatabaseHandle, run: BulkRun): Promise<boolean> =>
  database.forClient(run.job.clientId, async (db) => {
    const { clientId, jobId } = run.job;
    await limitLockWait(db);
    const row = await lockJob(db, run.job);
    if (row?.status !== 'running') return false;
    const ids = run.items.slice(row.position, row.position + BATCH);
    if (ids.length === 0) {
      await finishClientJob(db, run.job, 'done', null);
      return false;
    }
    const result = await decideBatch(db, run, ids);
    await notifyDevelopers(db, run.viewer, result.written);
    const done = row.done + result.done;
    const refused = row.refused_count + result.refused.length;
    await db
      .updateTable('client_jobs')
      .set({
        position: row.position + ids.length,
        touched_at: sql`clock_timestamp()`,
        requeue_count: 0,
        done,
        refused_count: refused,
        refused: JSON.stringify([...row.refused, ...result.refused].slice(0, MAX_REFUSED)),
      })
      .where('client_id', '=', clientId)
      .where('id', '=', jobId)
      .execute();
    await publishProgress(db, { clientId, id: jobId, status: 'running', done, refused, total: run.items.length });
    return true;
  });

/** Does a job to its end, from where a run before it was killed. */
export const runBulkJob = async (
  database: DatabaseHandle,
  { data, attempt, signal }: JobRun<BulkJob>,
): Promise<void> => {
  try {
    const run = await openRun(database, data);
    if (run === undefined) return;
    while (await runBatch(database, run)) signal.throwIfAborted();
  } catch (error) {
    if (attempt >= LAST_ATTEMPT && !signal.aborted) {
      await database.forClient(data.clientId, (db) => finishClientJob(db, data, 'failed', BROKEN_OFF));
    }
    throw error;
  }
};
