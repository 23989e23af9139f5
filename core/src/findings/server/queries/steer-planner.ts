import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';

/**
 * What the counts have shown that the planner cannot know. `ordered`: follow an index in its order, never sort.
 * `gathered`: look few rows up and sort them, never follow an order. `rollups`: rows lie scattered, fetch them by page.
 */
export type Plan = 'ordered' | 'gathered' | 'rollups' | 'free';

const SETTINGS: Readonly<Record<Plan, { sort: string; sequential: string; index: string; bitmap: string }>> = {
  ordered: { sort: 'off', sequential: 'off', index: 'on', bitmap: 'off' },
  gathered: { sort: 'on', sequential: 'off', index: 'off', bitmap: 'on' },
  rollups: { sort: 'on', sequential: 'on', index: 'off', bitmap: 'on' },
  free: { sort: 'on', sequential: 'on', index: 'on', bitmap: 'on' },
};

/** Steers the planner until the end of the transaction, or the next call. */
export const steerPlanner = async (db: Db, plan: Plan): Promise<void> => {
  const settings = SETTINGS[plan];
  await sql`select set_config('enable_sort', ${settings.sort}, true), set_config('enable_seqscan', ${settings.sequential}, true),
    set_config('enable_indexscan', ${settings.index}, true), set_config('enable_bitmapscan', ${settings.bitmap}, true)`.execute(
    db,
  );
};
