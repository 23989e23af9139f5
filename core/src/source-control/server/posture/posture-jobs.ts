import { sql } from 'kysely';
import type { Logger } from 'pino';
import { Type } from 'typebox';
import { AppError } from '../../../platform/model/app-error.ts';
import type { Db } from '../../../platform/server/database.ts';
import { defineJob, type JobQueue } from '../../../platform/server/jobs/define-job.ts';
import {
  type Concerns,
  EVERY_SECONDS,
  enqueueDueRepositories,
  isDue,
  MAX_AT_ONCE,
  type ReadDue,
} from '../due-repositories.ts';
import { RepositoryInput, type RepositoryRef } from '../subject.ts';
import { canReadPosture, type PostureDeps, readPosture } from './read-posture.ts';

export interface PostureJobDeps {
  posture: PostureDeps;
  jobs: Pick<JobQueue, 'enqueue'>;
  log: Pick<Logger, 'warn'>;
}

/** Repositories of connected source controls that were never read, or a day ago. Index: repositories and repository_posture by client. */
const readDue: ReadDue = async (db, { clientId, sourceControls, id = null }) => {
  const { rows } = await sql<{ id: string }>`
    select r.id from repositories r
    left join repository_posture p on p.client_id = r.client_id and p.repository_id = r.id
    where r.client_id = ${clientId} and r.external_id is not null and not r.is_sample
      and r.source_control = any(${[...sourceControls]}::text[]) and (p.next_at is null or p.next_at <= now())
      and (${id}::uuid is null or r.id = ${id})
    order by p.next_at nulls first, r.id limit ${MAX_AT_ONCE}`.execute(db);
  return rows.map((row) => row.id);
};

const concernsOf =
  (posture: PostureDeps): Concerns =>
  (db, connectionKey) =>
    canReadPosture(posture, db, connectionKey);

/** Reads the settings of one repository, if that is still due. One that fails stands with its reason, and does not hold the others up. */
export const readPostureJob = defineJob({
  name: 'source-control.posture',
  input: RepositoryInput,
  key: ({ repositoryId }) => repositoryId,
  // what failed is due again within hours
  retry: { limit: 0 },
  concurrency: 2,
  group: ({ clientId }) => clientId,
  groupConcurrency: 1,
  run: async ({ posture, log }: PostureJobDeps, { data, signal }) => {
    if (!(await isDue(posture, { concerns: concernsOf(posture), readDue }, data))) return;
    try {
      await readPosture(posture, data, { userId: null, signal });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      log.warn({ repository: data.repositoryId, code: error.code }, 'the settings of a repository were not read');
    }
  },
});

/** Enqueues readings of the repositories that are due for one, in every organisation. @returns how many */
export const enqueueDuePosture = ({ posture, jobs }: PostureJobDeps): Promise<number> =>
  enqueueDueRepositories(posture, jobs, { job: readPostureJob, concerns: concernsOf(posture), readDue });

/** Has the settings of a repository read at once: they were changed. Within the transaction of the caller. */
export const readPostureSoon = async (
  db: Db,
  jobs: Pick<JobQueue, 'enqueue'>,
  { clientId, repositoryId }: RepositoryRef,
): Promise<void> => {
  await db
    .updateTable('repository_posture')
    .set({ next_at: sql<Date>`now()` })
    .where('client_id', '=', clientId)
    .where('repository_id', '=', repositoryId)
    .execute();
  await jobs.enqueue(db, readPostureJob, { clientId, repositoryId });
};

/** New repositories are read within a minute, the others once a day. */
export const findDuePosture = defineJob({
  name: 'source-control.due-posture',
  input: Type.Object({}),
  retry: { limit: 0 },
  schedule: { everySeconds: EVERY_SECONDS },
  run: enqueueDuePosture,
});
