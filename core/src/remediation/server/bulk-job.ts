import { sql } from 'kysely';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Viewer } from '../../findings/server/index.ts';
import { notify } from '../../notifications/server/index.ts';
import { AppError } from '../../platform/model/app-error.ts';
import { can } from '../../platform/model/permissions.ts';
import type { DatabaseHandle, Db } from '../../platform/server/database.ts';
import { addClientJob, finishClientJob, publishProgress } from '../../platform/server/jobs/client-jobs.ts';
import { defineJob, type JobRun } from '../../platform/server/jobs/define-job.ts';
import { openIssue, openPullRequest } from './apply.ts';
import { generate } from './generate.ts';
import { requireRemediation } from './remediation-store.ts';
import type { RemediationDeps } from './source-files.ts';
import '../../session/server/index.ts';

const KINDS = ['remediation.generate', 'remediation.apply'] as const;
const BROKEN_OFF = 'This broke off because of an internal error. What was done stays.';
const LAST_ATTEMPT = 6;

const Input = Type.Object({
  ids: Type.Array(Type.String()),
  applyPullRequests: Type.Boolean(),
  applyIssues: Type.Boolean(),
});

interface BulkRequest {
  viewer: Viewer;
  kind: (typeof KINDS)[number];
  ids: readonly string[];
  applyPullRequests: boolean;
  applyIssues: boolean;
}

/** Writes the work down and puts it into the queue. @returns the id of the job */
export const startBulk = async (
  db: Db,
  { jobs }: Pick<RemediationDeps, 'jobs'>,
  request: BulkRequest,
): Promise<string> => {
  const { viewer, kind, applyPullRequests, applyIssues } = request;
  const { clientId, userId: actor } = viewer;
  const ids = [...new Set(request.ids)];
  const input = { ids, applyPullRequests, applyIssues };
  const jobId = await addClientJob(db, { clientId, kind, actor, input, total: ids.length });
  await jobs.enqueue(db, bulkRemediation, { clientId, jobId });
  return jobId;
};

interface Job {
  clientId: string;
  jobId: string;
}

const lockJob = (db: Db, { clientId, jobId }: Job) =>
  db
    .selectFrom('client_jobs')
    .select(['kind', 'status', 'actor', 'input', 'position', 'total', 'done', 'refused_count', 'refused'])
    .where('client_id', '=', clientId)
    .where('id', '=', jobId)
    .forUpdate()
    .executeTakeFirst();

/** Whoever ordered it, with the rights that they have now. */
const readViewer = async (db: Db, clientId: string, actor: string): Promise<Viewer | undefined> => {
  const user = await db
    .selectFrom('users')
    .select(['role', 'status'])
    .where('client_id', '=', clientId)
    .where('id', '=', actor)
    .executeTakeFirst();
  if (user?.status !== 'active' || !can(user.role, 'findings.fix')) return undefined;
  return { clientId, userId: actor, seesAll: can(user.role, 'organization.read-all') };
};

interface Step {
  viewer: Viewer;
  kind: string;
  id: string;
  position: number;
  applyPullRequests: boolean;
  applyIssues: boolean;
}

const noteEnd = async (
  db: Db,
  { clientId }: Job,
  row: { actor: string; kind: string; done: number; refused_count: number },
) => {
  const isGenerate = row.kind === 'remediation.generate';
  const count = (figure: number): string => `${figure} ${figure === 1 ? 'finding' : 'findings'}`;
  if (row.done > 0) {
    await notify(db, {
      clientId,
      type: isGenerate ? 'remediation_ready' : 'pr_opened',
      title: isGenerate ? `Fixes of ${count(row.done)} are ready` : `Fixes of ${count(row.done)} were opened`,
      link: '/findings',
      to: { userIds: [row.actor] },
    });
  }
  if (row.refused_count === 0) return;
  const title = isGenerate
    ? `There is no fix for ${count(row.refused_count)}`
    : `Fixes of ${count(row.refused_count)} could not be opened`;
  await notify(db, { clientId, type: 'remediation_failed', title, link: '/findings', to: { userIds: [row.actor] } });
};

/** The next finding or remediation; undefined at the end. */
const nextStep = (database: DatabaseHandle, job: Job): Promise<Step | undefined> =>
  database.forClient(job.clientId, async (db) => {
    const row = await lockJob(db, job);
    if (row === undefined || (row.status !== 'queued' && row.status !== 'running')) return undefined;
    const viewer = await readViewer(db, job.clientId, row.actor);
    if (viewer === undefined) {
      await finishClientJob(db, job, 'failed', 'Whoever ordered this may no longer generate or open fixes.');
      return undefined;
    }
    const { ids, ...rest } = Value.Parse(Input, row.input);
    const id = ids[row.position];
    if (id === undefined) {
      await noteEnd(db, job, row);
      await finishClientJob(db, job, 'done', null);
      return undefined;
    }
    await db
      .updateTable('client_jobs')
      .set({ status: 'running', touched_at: sql`clock_timestamp()` })
      .where('client_id', '=', job.clientId)
      .where('id', '=', job.jobId)
      .execute();
    return { viewer, kind: row.kind, id, position: row.position, ...rest };
  });

const applyOne = async (deps: RemediationDeps, viewer: Viewer, id: string): Promise<void> => {
  const { remediation } = await deps.database.forClient(viewer.clientId, (db) => requireRemediation(db, viewer, id));
  const open = remediation.remediation_type === 'issue' ? openIssue : openPullRequest;
  await open(deps, { viewer, id, isBulk: true });
};

const generateOne = async (
  deps: RemediationDeps,
  { viewer, id, applyPullRequests, applyIssues }: Step,
): Promise<void> => {
  const made = await generate(deps, { viewer, findingId: id, type: 'pull_request', isBulk: true });
  const { processing_status: status, remediation_type: type } = made;
  if (status === 'pending_input') throw new AppError('conflict', 'It needs values that only a person can give.');
  if (status !== 'ready') throw new AppError('conflict', made.failure ?? 'There is no fix.');
  if (type === 'issue' ? applyIssues : applyPullRequests) await applyOne(deps, viewer, made.id);
};

/** Why one was refused; an error of ours ends the run instead, and the queue tries again. */
const runStep = async (deps: RemediationDeps, step: Step): Promise<string | null> => {
  try {
    await (step.kind === 'remediation.generate' ? generateOne(deps, step) : applyOne(deps, step.viewer, step.id));
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.userMessage;
    throw error;
  }
};

const MAX_REFUSED = 1000;

/** Counts one, unless another run of the same job has counted it before. */
const noteStep = (database: DatabaseHandle, job: Job, { id, position }: Step, why: string | null): Promise<void> =>
  database.forClient(job.clientId, async (db) => {
    const row = await lockJob(db, job);
    if (row?.status !== 'running' || row.position !== position) return;
    const done = row.done + (why === null ? 1 : 0);
    const refused = row.refused_count + (why === null ? 0 : 1);
    const list = why === null ? row.refused : [...row.refused, { _id: id, why }].slice(0, MAX_REFUSED);
    await db
      .updateTable('client_jobs')
      .set({
        ...{ position: position + 1, done, refused_count: refused, refused: JSON.stringify(list) },
        ...{ touched_at: sql`clock_timestamp()`, requeue_count: 0 },
      })
      .where('client_id', '=', job.clientId)
      .where('id', '=', job.jobId)
      .execute();
    const { clientId, jobId: jobOf } = job;
    await publishProgress(db, { clientId, id: jobOf, status: 'running', done, refused, total: row.total });
  });

const runBulk = async (deps: RemediationDeps, { data, attempt, signal }: JobRun<Job>): Promise<void> => {
  try {
    for (
      let step = await nextStep(deps.database, data);
      step !== undefined;
      step = await nextStep(deps.database, data)
    ) {
      await noteStep(deps.database, data, step, await runStep(deps, step));
      signal.throwIfAborted();
    }
  } catch (error) {
    if (attempt >= LAST_ATTEMPT && !signal.aborted) {
      await deps.database.forClient(data.clientId, (db) => finishClientJob(db, data, 'failed', BROKEN_OFF));
    }
    throw error;
  }
};

/** Generates or opens the fixes of many findings, one after the other. */
export const bulkRemediation = defineJob({
  name: 'remediation-bulk',
  input: Type.Object({ clientId: Type.String(), jobId: Type.String() }),
  key: ({ jobId }) => jobId,
  retry: { limit: 5 },
  progress: { kinds: KINDS, givenUp: BROKEN_OFF },
  run: ({ remediation }: { remediation: RemediationDeps }, run) => runBulk(remediation, run),
});
