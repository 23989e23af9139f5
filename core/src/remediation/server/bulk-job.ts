import { sql } from 'kysely';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Viewer } from '../../findings/server/index.ts';
import { notify } from '../../notifications/server/index.ts';
import { AppError } from '../../platform/model/app-error.ts';
import { can } from '../../platform/model/permissions.ts';
import type { DatabaseHandle, Db } from '../../platform/server/database.ts';
import {
  addClientJob,
  countStep,
  finishClientJob,
  type JobOfClient,
  lockClientJob,
} from '../../platform/server/jobs/client-jobs.ts';
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
  { clientId }: JobOfClient,
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
const nextStep = (database: DatabaseHandle, job: JobOfClient): Promise<Step | undefined> =>
  database.forClient(job.clientId, async (db) => {
    const row = await lockClientJob(db, job);
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

/** Counts one, unless another run of the same job has counted it before. */
const noteStep = (
  database: DatabaseHandle,
  job: JobOfClient,
  { id, position }: Step,
  why: string | null,
): Promise<void> =>
  database.forClient(job.clientId, async (db) => {
    const row = await lockClientJob(db, job);
    if (row?.status !== 'running' || row.position !== position) return;
    const step = why === null ? { done: 1, refused: [] } : { done: 0, refused: [{ _id: id, why }] };
    await countStep(db, job, row, { taken: 1, ...step });
  });

const runBulk = async (deps: RemediationDeps, { data, attempt, signal }: JobRun<JobOfClient>): Promise<void> => {
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
