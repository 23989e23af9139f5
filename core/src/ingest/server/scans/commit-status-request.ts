import { type Static, Type } from 'typebox';
import type { Db } from '../../../platform/server/database.ts';
import type { DueJob, JobQueue, JobType } from '../../../platform/server/jobs/define-job.ts';
import { defineJobState } from '../../../platform/server/jobs/job-state.ts';
import { AloneState } from '../../../platform/server/jobs/run-alone.ts';
import './tables.ts';

export const CommitStatusInput = Type.Object({ clientId: Type.String(), repositoryId: Type.String() });

/** The job that tells providers how scans of commits ended. The slice scanning runs it; imports only ask for it. */
export const COMMIT_STATUS_JOB: JobType<Static<typeof CommitStatusInput>> = {
  name: 'scanning.commit-statuses',
  key: ({ repositoryId }) => repositoryId,
  // what is due stands in job_state and is enqueued again
  retry: { limit: 0 },
  concurrency: 4,
  group: ({ clientId }) => clientId,
  groupConcurrency: 2,
};

/** What the job keeps of a repository: while a run lives, no other tells the provider of it. */
export const commitStatusState = defineJobState(COMMIT_STATUS_JOB.name, AloneState);

/** In the transaction in which the scan $2 of the client $1 changes: asks for the job where the scan is of a commit. */
export const ASK_FOR_COMMIT_STATUS = `
  insert into job_state as t (client_id, job, key, due_at)
  select client_id, '${COMMIT_STATUS_JOB.name}', repository_id::text, now() from scans
  where client_id = $1 and id = $2 and commit_hash is not null
  on conflict (client_id, job, key) do update set due_at = now(), requests = t.requests + 1`;

/** Asks for a run in the caller's transaction. */
export const requestCommitStatus = async (
  db: Db,
  queue: Pick<JobQueue, 'enqueue'>,
  request: Static<typeof CommitStatusInput>,
): Promise<void> => {
  await commitStatusState.request(db, { clientId: request.clientId, key: request.repositoryId });
  await queue.enqueue(db, COMMIT_STATUS_JOB, request);
};

/** How a run that was asked for is enqueued at once. */
export const commitStatusRequest = {
  name: COMMIT_STATUS_JOB.name,
  enqueueDue: async (queue: Pick<JobQueue, 'enqueue'>, db: Db, { clientId, key }: DueJob): Promise<void> => {
    await queue.enqueue(db, COMMIT_STATUS_JOB, { clientId, repositoryId: key });
  },
};

/** Imports of reports of commits, newest first, of so many days. Reads scans_repository. */
export const importsOfCommits = (
  db: Db,
  request: { clientId: string; repositoryId: string; since: Date; limit: number },
) =>
  db
    .selectFrom('scans')
    .select(['id', 'branch', 'commit_hash', 'status', 'detail', 'finished_at'])
    .where('client_id', '=', request.clientId)
    .where('repository_id', '=', request.repositoryId)
    .where('commit_hash', 'is not', null)
    .where('created_at', '>', request.since)
    .orderBy('id', 'desc')
    .limit(request.limit)
    .execute();
