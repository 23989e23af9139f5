import { sql } from 'kysely';
import type { DatabaseHandle } from '../../../platform/server/database.ts';
import type { JobQueue } from '../../../platform/server/jobs.ts';
import { SETTINGS_JOB } from '../../model/feed-jobs.ts';
import { rescoreSettings } from './rescore-settings.ts';

const MAX_AT_ONCE = 200;

/** Orders the scoring of every client that is not through: an import asked for it, or a job was lost. @returns how many. */
export const sweepSettings = async (database: DatabaseHandle, jobs: Pick<JobQueue, 'enqueue'>): Promise<number> => {
  const { rows } = await database.forIdentity((db) =>
    // index: priority_rescores_open
    sql<{ clientId: string }>`
      select client_id as "clientId" from priority_rescores where finished_at is null
      order by client_id limit ${MAX_AT_ONCE}`.execute(db),
  );
  for (const { clientId } of rows) {
    await database.forClient(clientId, (db) =>
      jobs.enqueue(db, SETTINGS_JOB, { clientId }, { singletonKey: clientId }),
    );
  }
  return rows.length;
};

/** Takes the jobs of scoring after a change of settings. */
export const startSettingsWork = ({
  database,
  jobs,
}: {
  database: DatabaseHandle;
  jobs: Pick<JobQueue, 'work'>;
}): Promise<void> =>
  jobs.work<{ clientId: string }>(
    SETTINGS_JOB,
    ({ data, signal }) => rescoreSettings(database, data.clientId, signal),
    { concurrency: 1 },
  );
