import { type RawBuilder, sql } from 'kysely';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { msg } from '../../../platform/model/message.ts';
import { can } from '../../../platform/model/permissions.ts';
import { type DatabaseHandle, type Db, limitLockWait } from '../../../platform/server/database.ts';
import {
  addJobParts,
  countStep,
  finishClientJob,
  lockClientJob,
  readJobPart,
} from '../../../platform/server/jobs/client-jobs.ts';
import type { JobRun } from '../../../platform/server/jobs/define-job.ts';
import { FindingSet } from '../../api/verdict-routes.ts';
import { applyChange, applyHandover } from '../../model/apply-change.ts';
import { FindingChange } from '../../model/change.ts';
import { FindingFilters as FiltersSchema } from '../../model/filter-schema.ts';
import { conditionsOnFindings } from '../counts/count-row-facets.ts';
import { allOf } from '../filter/conditions.ts';
import { resolveFilter } from '../filter/resolve-filter.ts';
import { isSentTo, type Viewer } from '../filter/viewer.ts';
import { notifyDevelopers } from './assignments.ts';
import { type Decisions, decide } from './decide.ts';
import { findSets } from './find-sets.ts';
import { changedIds, undoChanges } from './undo-changes.ts';

const LAST_ATTEMPT = 6;
export const BROKEN_OFF = msg('This broke off because of an internal error. What was done stays.');

const Handover = Type.Object({ from: Type.String(), to: Type.Union([Type.String(), Type.Null()]) });

/** What is kept of a request: a change of what is found, a change to undo, or whose findings go to whom. */
export const BulkInput = Type.Union([
  Type.Object({
    change: FindingChange,
    filters: Type.Optional(FiltersSchema),
    search: Type.Optional(Type.String()),
    groups: Type.Optional(Type.Array(FindingSet)),
    ids: Type.Optional(Type.Array(Type.String())),
  }),
  Type.Object({ undone: Type.String() }),
  Type.Object({ handover: Handover }),
]);

export interface BulkJob {
  clientId: string;
  jobId: string;
}

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

/** A handover follows from a removal that has happened, by whoever it was: the token of an identity provider is no person. */
const viewerOf = async (
  db: Db,
  clientId: string,
  { actor, input }: { actor: string; input: Static<typeof BulkInput> },
): Promise<Viewer | undefined> =>
  'handover' in input ? { clientId, userId: actor, seesAll: true } : readViewer(db, clientId, actor);

interface BulkRun {
  job: BulkJob;
  viewer: Viewer;
  input: Static<typeof BulkInput>;
}

const decideBatch = async (db: Db, { job, viewer, input }: BulkRun, ids: readonly string[]): Promise<Decisions> => {
  const changeId = job.jobId;
  if ('undone' in input) return undoChanges(db, { viewer, undone: input.undone, ids, changeId });
  if ('handover' in input) {
    const { handover } = input;
    return decide(db, { viewer, ids, changeId, apply: (now) => applyHandover(now, handover) });
  }
  return decide(db, { viewer, ids, changeId, apply: (now) => applyChange(now, input.change) });
};

/** Ids of the findings that a person owns or was sent. Indexes: as for a developer's list, see maySee. */
const ownFindings = (clientId: string, userId: string): RawBuilder<unknown> =>
  sql`select f.id from findings f where f.client_id = ${clientId} and (${isSentTo({ clientId, userId, seesAll: true }, 'f')})`;

/** Ids of the findings that are meant: the database finds and keeps them, none passes through here. */
const findAll = async (db: Db, viewer: Viewer, input: Static<typeof BulkInput>): Promise<RawBuilder<unknown>> => {
  if ('undone' in input) return changedIds({ clientId: viewer.clientId, changeId: input.undone });
  if ('handover' in input) return ownFindings(viewer.clientId, input.handover.from);
  if (input.groups !== undefined) return findSets(db, viewer, { groups: input.groups, ids: input.ids });
  const filter = await resolveFilter(db, { viewer, filters: input.filters ?? {}, search: input.search ?? '' });
  const conditions = filter.isEmpty ? sql<boolean>`false` : allOf(conditionsOnFindings(filter));
  return sql`select f.id from findings f where ${conditions}`;
};

/** What is to be done, found once and kept, so that a killed run goes on with the same findings. Nothing where it is over. */
const openRun = (database: DatabaseHandle, job: BulkJob): Promise<BulkRun | undefined> =>
  database.forClient(job.clientId, async (db) => {
    const row = await lockClientJob(db, job);
    if (row === undefined || (row.status !== 'queued' && row.status !== 'running')) return undefined;
    const input = Value.Parse(BulkInput, row.input);
    const viewer = await viewerOf(db, job.clientId, { actor: row.actor, input });
    if (viewer === undefined) {
      await finishClientJob(db, job, 'failed', msg('Whoever ordered this may no longer decide about findings.'));
      return undefined;
    }
    const isFound = row.status === 'running' || (await readJobPart(db, job, row.position)).length > 0;
    const total = isFound ? row.total : await addJobParts(db, job, await findAll(db, viewer, input));
    await db
      .updateTable('client_jobs')
      .set({ status: 'running', total })
      .where('client_id', '=', job.clientId)
      .where('id', '=', job.jobId)
      .execute();
    return { job, viewer, input };
  });

/** One step: all of it or nothing, so that a killed run neither leaves a finding out nor decides twice. @returns false at the end. */
const runBatch = (database: DatabaseHandle, run: BulkRun): Promise<boolean> =>
  database.forClient(run.job.clientId, async (db) => {
    await limitLockWait(db);
    const row = await lockClientJob(db, run.job);
    if (row?.status !== 'running') return false;
    const ids = await readJobPart(db, run.job, row.position);
    if (ids.length === 0) {
      await finishClientJob(db, run.job, 'done', null);
      return false;
    }
    const result = await decideBatch(db, run, ids);
    await notifyDevelopers(db, run.viewer, result.written);
    await countStep(db, run.job, row, { taken: ids.length, done: result.done, refused: result.refused });
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
