import { sql } from 'kysely';
import type { Logger } from 'pino';
import { Type } from 'typebox';
import { connectionProblem } from '../../../connectors/server/index.ts';
import { AppError } from '../../../platform/model/app-error.ts';
import type { Db } from '../../../platform/server/database.ts';
import { defineJob, type JobQueue } from '../../../platform/server/jobs/define-job.ts';
import { type PostureDeps, type RepositoryRef, readablePosture, readPosture } from './read-posture.ts';

export interface PostureJobDeps {
  posture: PostureDeps;
  jobs: Pick<JobQueue, 'enqueue'>;
  log: Pick<Logger, 'warn'>;
}

const EVERY_SECONDS = 60;
/** Of one organisation at one look; the others follow at the next one. */
const MAX_AT_ONCE = 200;

/** Repositories of connected source controls that were never read, or a day ago. Index: repositories and repository_posture by client. */
const readDue = async (
  db: Db,
  request: { clientId: string; sourceControls: readonly string[]; id?: string },
): Promise<string[]> => {
  const { clientId, sourceControls, id = null } = request;
  const { rows } = await sql<{ id: string }>`
    select r.id from repositories r
    left join repository_posture p on p.client_id = r.client_id and p.repository_id = r.id
    where r.client_id = ${clientId} and r.external_id is not null and not r.is_sample
      and r.source_control = any(${[...sourceControls]}::text[]) and (p.next_at is null or p.next_at <= now())
      and (${id}::uuid is null or r.id = ${id})
    order by p.next_at nulls first, r.id limit ${MAX_AT_ONCE}`.execute(db);
  return rows.map((row) => row.id);
};

/** Reads the settings of one repository, if that is still due. One that fails stands with its reason, and does not hold the others up. */
export const readPostureJob = defineJob({
  name: 'source-control.posture',
  input: Type.Object({ clientId: Type.String(), repositoryId: Type.String() }),
  key: ({ repositoryId }: RepositoryRef) => repositoryId,
  // what failed is due again within hours
  retry: { limit: 0 },
  concurrency: 2,
  group: ({ clientId }: RepositoryRef) => clientId,
  groupConcurrency: 1,
  run: async ({ posture, log }: PostureJobDeps, { data, signal }) => {
    const { clientId, repositoryId } = data;
    const due = await posture.database.forClient(clientId, (db) =>
      readDue(db, { clientId, sourceControls: readablePosture(posture), id: repositoryId }),
    );
    if (due.length === 0) return;
    try {
      await readPosture(posture, data, { userId: null, signal });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      log.warn({ repository: repositoryId, code: error.code }, 'the settings of a repository were not read');
    }
  },
});

/** Enqueues readings of the repositories that are due for one, in every organisation. @returns how many */
export const enqueueDuePosture = async ({ posture, jobs }: PostureJobDeps): Promise<number> => {
  const { database, connections } = posture;
  const readable = readablePosture(posture);
  const clients = await database.forIdentity((db) => db.selectFrom('clients').select('id').orderBy('id').execute());
  let count = 0;
  for (const { id: clientId } of clients) {
    await database.forClient(clientId, async (db) => {
      const sourceControls: string[] = [];
      for (const id of readable) {
        // without a connection there is nothing to ask; a limit that the provider set passes by itself
        if (connectionProblem(await connections.item(db, clientId, id)) === null) sourceControls.push(id);
      }
      if (sourceControls.length === 0) return;
      const due = await readDue(db, { clientId, sourceControls });
      for (const repositoryId of due) await jobs.enqueue(db, readPostureJob, { clientId, repositoryId });
      count += due.length;
    });
  }
  return count;
};

/** New repositories are read within a minute, the others once a day. */
export const findDuePosture = defineJob({
  name: 'source-control.due-posture',
  input: Type.Object({}),
  retry: { limit: 0 },
  schedule: { everySeconds: EVERY_SECONDS },
  run: enqueueDuePosture,
});
