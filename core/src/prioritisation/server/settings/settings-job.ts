import { sql } from 'kysely';
import { Type } from 'typebox';
import type { DatabaseHandle } from '../../../platform/server/database.ts';
import { defineJob, type JobQueue } from '../../../platform/server/jobs/define-job.ts';
import { rescoreSettings } from './rescore-settings.ts';

const MAX_ENQUEUED = 200;

interface SettingsJobDeps {
  database: DatabaseHandle;
  jobs: Pick<JobQueue, 'enqueue'>;
}

/** Scores all findings of one client with its newest settings. The name is also the kind of the row in `client_jobs`. */
export const applySettings = defineJob({
  name: 'prioritisation.rescore',
  input: Type.Object({ clientId: Type.String() }),
  key: ({ clientId }) => clientId,
  retry: { limit: 5 },
  run: ({ database }: Pick<SettingsJobDeps, 'database'>, { data, signal }) =>
    rescoreSettings(database, data.clientId, signal),
});

/** Enqueues the scoring of every client that is not through: an import asked for it, or a job was lost. @returns how many. */
export const enqueueOpenSettings = async ({ database, jobs }: SettingsJobDeps): Promise<number> => {
  const { rows } = await database.forIdentity((db) =>
    // index: priority_rescores_open
    sql<{ clientId: string }>`
      select client_id as "clientId" from priority_rescores where finished_at is null
      order by client_id limit ${MAX_ENQUEUED}`.execute(db),
  );
  for (const { clientId } of rows) {
    await database.forClient(clientId, (db) => jobs.enqueue(db, applySettings, { clientId }));
  }
  return rows.length;
};

export const findOpenSettings = defineJob({
  name: 'prioritisation.due',
  input: Type.Object({}),
  retry: { limit: 0 },
  schedule: { everySeconds: 60 },
  run: enqueueOpenSettings,
});
