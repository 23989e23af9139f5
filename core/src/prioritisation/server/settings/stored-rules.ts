import { CompiledQuery, sql } from 'kysely';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { type Db, limitLockWait } from '../../../platform/server/database.ts';
import { defineJobState } from '../../../platform/server/jobs/job-state.ts';
import { DEFAULT_RULES, type PriorityRules, rulesOf } from '../../model/settings/priority-rules.ts';
import { StoredSettings } from '../../model/settings/priority-settings.ts';

/** Comes before every finding. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Runs a statement with its values in a transaction, for what also runs on an import's own connection. */
export const runIn =
  (db: Db) =>
  async <T>(text: string, values: unknown[]): Promise<T[]> =>
    (await db.executeQuery<T>(CompiledQuery.raw(text, values))).rows;

/** Runs a statement in the caller's transaction. */
export type QueryRows = <T>(text: string, values: unknown[]) => Promise<T[]>;

/** The rules that a client's findings are scored with, and the version of its settings; 0 for those of the product. */
export interface StoredRules {
  rules: PriorityRules;
  version: number;
}

/** Index: primary key. */
const READ_SETTINGS =
  'select version, settings from priority_settings where client_id = $1 order by version desc limit 1';

/**
 * The rules that hold now. Whoever writes priorities reads them after locking the findings: a change that comes later is
 * followed by a scoring of its own, which waits for these locks.
 */
export const readPriorityRules = async (query: QueryRows, clientId: string): Promise<StoredRules> => {
  const [row] = await query<{ version: number; settings: unknown }>(READ_SETTINGS, [clientId]);
  if (row === undefined) return { rules: DEFAULT_RULES, version: 0 };
  return { rules: rulesOf(Value.Parse(StoredSettings, row.settings)), version: row.version };
};

/**
 * Shared by imports of a client ($1) from the moment that they ask for another scoring until they commit. A scoring that begins then
 * waits for them (`lockScoring`): it would not see their findings, and nobody would ask for it again.
 */
export const SHARE_SCORING = `select pg_advisory_xact_lock_shared(hashtextextended('scoring:' || $1, 0))`;

/** One step of scoring at a time, and none while an import commits. */
export const lockScoring = async (db: Db, clientId: string): Promise<void> => {
  await limitLockWait(db);
  await sql`select pg_advisory_xact_lock(hashtextextended(${`scoring:${clientId}`}, 0))`.execute(db);
};

/** How far the findings of a client are scored with its settings. */
export const settingsState = defineJobState(
  'prioritisation.rescore',
  Type.Object({
    version: Type.Integer(),
    /** Findings up to this one are done. */
    after: Type.String({ default: FIRST_ID }),
    done: Type.Integer({ default: 0 }),
    total: Type.Integer(),
    /** The job of the person who saved; null once it has ended. */
    jobId: Type.Union([Type.String(), Type.Null()], { default: null }),
  }),
);

/** In an import's transaction: findings were scored with older settings than the newest, so all are gone through again. */
export const ASK_FOR_PRIORITIES = `
  update job_state
  set due_at = now(), requests = requests + 1, state = state || jsonb_build_object('after', '${FIRST_ID}', 'done', 0,
    'total', (select coalesce(sum(count), 0)::integer from aggregate_cells where client_id = $1))
  where client_id = $1 and job = 'prioritisation.rescore' and (state->>'version')::integer > $2::integer`;
