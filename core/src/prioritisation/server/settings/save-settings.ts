import { sql } from 'kysely';
import { Value } from 'typebox/value';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import type { Db } from '../../../platform/server/database.ts';
import type { Caller } from '../../../platform/server/endpoint.ts';
import { publish } from '../../../platform/server/events.ts';
import { addClientJob } from '../../../platform/server/jobs/client-jobs.ts';
import type { JobQueue } from '../../../platform/server/jobs/define-job.ts';
import { isSameRules, rulesOf } from '../../model/settings/priority-rules.ts';
import {
  changedSettings,
  DEFAULT_SETTINGS,
  isSameSettings,
  type PrioritySettings,
  type PrioritySettingsChange,
  StoredSettings,
  weighNothing,
} from '../../model/settings/priority-settings.ts';
import { applySettings } from './settings-job.ts';
import { FIRST_ID, settingsState } from './stored-rules.ts';
import '../tables.ts';

export interface SettingsVersion {
  version: number;
  settings: PrioritySettings;
}

/** The settings that hold, and their version; 0 where nothing was ever saved. */
export const readSettings = async (db: Db, clientId: string): Promise<SettingsVersion> => {
  const row = await db
    .selectFrom('priority_settings')
    .select(['version', 'settings'])
    .where('client_id', '=', clientId)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return { version: 0, settings: DEFAULT_SETTINGS };
  return { version: row.version, settings: Value.Parse(StoredSettings, row.settings) };
};

/** The settings that a change comes to. @throws validation_failed where nothing would count any more. */
export const appliedChange = (settings: PrioritySettings, change: PrioritySettingsChange): PrioritySettings => {
  const next = changedSettings(settings, change);
  if (!weighNothing(next)) return next;
  const text = msg(
    'Every weight is 0, so that every priority would be 0. Give at least one factor a weight, or switch off.',
  );
  throw new AppError('validation_failed', undefined, {
    issues: [{ loc: ['body', 'toggle'], msg: text, type: 'no_weight' }],
  });
};

/** Begins the scoring of all findings anew; a job that is under way ends here, and its work goes on in the new one. */
const beginRescore = async (db: Db, caller: Caller, version: number): Promise<string> => {
  const { clientId, userId } = caller;
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(count), 0)::integer as total from aggregate_cells where client_id = ${clientId}`.execute(db);
  const total = rows[0]?.total ?? 0;
  const running = await settingsState.lock(db, { clientId });
  const runningId = running?.state.jobId ?? null;
  if (runningId !== null) {
    await db
      .updateTable('client_jobs')
      .set({ status: 'cancelled', detail: msg('Newer settings were saved before it ended.'), finished_at: new Date() })
      .where('client_id', '=', clientId)
      .where('id', '=', runningId)
      .execute();
  }
  const jobId = await addClientJob(db, {
    clientId,
    kind: applySettings.name,
    actor: userId,
    input: { version },
    total,
  });
  await settingsState.request(db, { clientId }, { version, total, jobId, done: 0, after: FIRST_ID });
  return jobId;
};

/**
 * Stores a change as a new version; where priorities depend on it, all findings are scored anew in a job. The same settings again
 * store nothing. @returns whether a job began. @throws conflict where somebody else saved since `version`; validation_failed.
 */
export const saveSettings = async (
  db: Db,
  request: {
    caller: Caller;
    jobs: Pick<JobQueue, 'enqueue'>;
    change: PrioritySettingsChange;
    version?: number | undefined;
  },
): Promise<boolean> => {
  const { caller, jobs, change } = request;
  const { clientId, userId } = caller;
  // one after the other: versions have no gaps and none is overwritten
  await sql`select pg_advisory_xact_lock(hashtextextended(${`priority-settings:${clientId}`}, 0))`.execute(db);
  const before = await readSettings(db, clientId);
  if (request.version !== undefined && request.version !== before.version) {
    throw new AppError(
      'conflict',
      msg('Somebody else changed these settings meanwhile. Load them anew and change them again.'),
    );
  }
  const settings = appliedChange(before.settings, change);
  if (isSameSettings(settings, before.settings)) return false;
  const version = before.version + 1;
  const changesPriorities = !isSameRules(rulesOf(settings), rulesOf(before.settings));
  await db
    .insertInto('priority_settings')
    .values({
      ...{ client_id: clientId, version, settings: JSON.stringify(settings) },
      ...{ changes_priorities: changesPriorities, updated_by: userId },
    })
    .execute();
  await publish(db, { clientId, type: 'client.changed', data: {}, audience: 'everyone' });
  if (!changesPriorities) return false;
  const jobId = await beginRescore(db, caller, version);
  // a job that waits already may run before this commits
  await jobs.enqueue(db, applySettings, { clientId }, { key: jobId });
  return true;
};
