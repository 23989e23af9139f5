import { sql } from 'kysely';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Viewer } from '../../../findings/server/index.ts';
import { notify } from '../../../notifications/server/index.ts';
import { msg } from '../../../platform/model/message.ts';
import { sayCount } from '../../../platform/model/sentence.ts';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import {
  addClientJob,
  addJobParts,
  countStep,
  finishClientJob,
  type JobOfClient,
  lockClientJob,
  readJobId,
} from '../../../platform/server/jobs/client-jobs.ts';
import { defineJob, type JobRun } from '../../../platform/server/jobs/define-job.ts';
import { KnownFiles } from '../known-files.ts';
import { readRemediation } from '../remediation-store.ts';
import type { RemediationDeps } from '../source-files.ts';
import { type Orders, runGroup, runItem } from './bulk-steps.ts';
import { orderDigest } from './group-branch.ts';
import { type JobGroup, readJobGroup } from './job-groups.ts';
import { readViewer } from './read-viewer.ts';

const KINDS = ['remediation.generate', 'remediation.apply', 'remediation.assess'] as const;
const BROKEN_OFF = msg('This broke off because of an internal error. What was done stays.');
const LAST_ATTEMPT = 6;

const Input = Type.Object({
  applyPullRequests: Type.Boolean(),
  applyIssues: Type.Boolean(),
  group: Type.Union([Type.Literal('finding'), Type.Literal('repository')], { default: 'finding' }),
  isAiAllowed: Type.Boolean({ default: true }),
  /** Digest of the ids, see `orderDigest`. */
  order: Type.String({ default: '' }),
  /** Of jobs that an earlier version wrote down; the ids of others are parts of the job. */
  ids: Type.Optional(Type.Array(Type.String())),
});

interface BulkRequest extends Orders {
  viewer: Viewer;
  kind: (typeof KINDS)[number];
  ids: readonly string[];
}

/** Writes the work down and puts it into the queue. @returns the id of the job */
export const startBulk = async (
  db: Db,
  { jobs }: Pick<RemediationDeps, 'jobs'>,
  request: BulkRequest,
): Promise<string> => {
  const { viewer, kind, applyPullRequests, applyIssues, group, isAiAllowed } = request;
  const { clientId, userId: actor } = viewer;
  const ids = [...new Set(request.ids)];
  const input = { applyPullRequests, applyIssues, group, isAiAllowed, order: orderDigest(ids) };
  const jobId = await addClientJob(db, { clientId, kind, actor, input, total: ids.length });
  await addJobParts(db, { clientId, jobId }, sql`select id from unnest(${ids}::uuid[]) u (id)`);
  await jobs.enqueue(db, bulkRemediation, { clientId, jobId });
  return jobId;
};

interface Step extends Orders {
  viewer: Viewer;
  kind: string;
  position: number;
  /** One of its ids, or a pull request of several fixes. */
  next: { id: string } | { group: JobGroup };
}

const noteEnd = async (
  db: Db,
  { clientId }: JobOfClient,
  row: { actor: string; kind: string; done: number; refused_count: number },
) => {
  // what came of it is read in the list
  if (row.kind === 'remediation.assess') return;
  const isGenerate = row.kind === 'remediation.generate';
  if (row.done > 0) {
    await notify(db, {
      clientId,
      type: isGenerate ? 'remediation_ready' : 'pr_opened',
      title: isGenerate
        ? sayCount(row.done, 'Fixes of {count} finding are ready', 'Fixes of {count} findings are ready')
        : sayCount(row.done, 'Fixes of {count} finding were opened', 'Fixes of {count} findings were opened'),
      link: '/findings',
      to: { userIds: [row.actor] },
    });
  }
  if (row.refused_count === 0) return;
  const title = isGenerate
    ? sayCount(row.refused_count, 'There is no fix for {count} finding', 'There is no fix for {count} findings')
    : sayCount(
        row.refused_count,
        'Fixes of {count} finding could not be opened',
        'Fixes of {count} findings could not be opened',
      );
  await notify(db, { clientId, type: 'remediation_failed', title, link: '/findings', to: { userIds: [row.actor] } });
};

type Row = NonNullable<Awaited<ReturnType<typeof lockClientJob>>>;

/** First each of its ids; then, where fixes of a repository go together, its pull requests. */
const readNext = async (db: Db, job: JobOfClient, row: Row): Promise<Step['next'] | undefined> => {
  const { ids, group, order } = Value.Parse(Input, Value.Default(Input, row.input));
  const id = ids === undefined ? await readJobId(db, job, row.position) : ids[row.position];
  if (id !== undefined) return { id };
  if (group === 'finding') return undefined;
  const kind = row.kind === 'remediation.generate' ? 'finding' : 'remediation';
  const found = await readJobGroup(db, job, { kind, order, place: row.position - row.total });
  return found === undefined ? undefined : { group: found };
};

/** The next step; undefined at the end. */
const nextStep = (database: DatabaseHandle, job: JobOfClient): Promise<Step | undefined> =>
  database.forClient(job.clientId, async (db) => {
    const row = await lockClientJob(db, job);
    if (row === undefined || (row.status !== 'queued' && row.status !== 'running')) return undefined;
    const viewer = await readViewer(db, job.clientId, row);
    if (viewer === undefined) {
      await finishClientJob(db, job, 'failed', msg('Whoever ordered this may no longer do so.'));
      return undefined;
    }
    const next = await readNext(db, job, row);
    if (next === undefined) {
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
    const { ids: _i, order: _o, ...orders } = Value.Parse(Input, Value.Default(Input, row.input));
    return { viewer, kind: row.kind, position: row.position, ...orders, next };
  });

/** What a step is counted as. `refused` names remediations, or findings that have none. */
interface Counted {
  done: number;
  refused: { id: string; why: string }[];
}

const runStep = async (
  deps: RemediationDeps,
  { next, ...step }: Step,
  run: { isRepeated: boolean; signal: AbortSignal; known: KnownFiles },
): Promise<Counted> => {
  if ('group' in next) {
    const { opened, refused } = await runGroup(deps, { viewer: step.viewer, group: next.group, signal: run.signal });
    return { done: opened, refused };
  }
  const end = await runItem(deps, { ...step, ...next, ...run });
  if (typeof end === 'object') return { done: 0, refused: [{ id: next.id, why: end.refused }] };
  return { done: end === 'done' ? 1 : 0, refused: [] };
};

/** Counts a step, unless another run of the same job has counted it before. */
const noteStep = (
  database: DatabaseHandle,
  job: JobOfClient,
  { kind, position, next }: Step,
  counted: Counted,
): Promise<void> =>
  database.forClient(job.clientId, async (db) => {
    const row = await lockClientJob(db, job);
    if (row?.status !== 'running' || row.position !== position) return;
    const isOfRemediations = kind === 'remediation.apply' || 'group' in next;
    const refused: { _id: string; why: string }[] = [];
    for (const { id, why } of counted.refused) {
      // people look at findings: a remediation that is refused is named by its own
      const remediation = isOfRemediations ? await readRemediation(db, job.clientId, id) : undefined;
      refused.push({ _id: remediation?.finding_id ?? id, why });
    }
    const known = new Set(row.refused.map(({ _id }) => _id));
    const fresh = refused.filter(({ _id }) => !known.has(_id));
    await countStep(db, job, row, { taken: 1, done: counted.done, refused: fresh });
  });

const runBulk = async (deps: RemediationDeps, { data, attempt, signal }: JobRun<JobOfClient>): Promise<void> => {
  try {
    let isRepeated = attempt > 1;
    const known = new KnownFiles();
    for (
      let step = await nextStep(deps.database, data);
      step !== undefined;
      step = await nextStep(deps.database, data)
    ) {
      await noteStep(deps.database, data, step, await runStep(deps, step, { isRepeated, signal, known }));
      isRepeated = false;
      signal.throwIfAborted();
    }
  } catch (error) {
    if (attempt >= LAST_ATTEMPT && !signal.aborted) {
      await deps.database.forClient(data.clientId, (db) => finishClientJob(db, data, 'failed', BROKEN_OFF));
    }
    throw error;
  }
};

/** Generates or opens the fixes of many findings, or has a model look at them, one after the other. */
export const bulkRemediation = defineJob({
  name: 'remediation-bulk',
  input: Type.Object({ clientId: Type.String(), jobId: Type.String() }),
  key: ({ jobId }) => jobId,
  retry: { limit: 5 },
  progress: { kinds: KINDS, givenUp: BROKEN_OFF },
  run: ({ remediation }: { remediation: RemediationDeps }, run) => runBulk(remediation, run),
});
