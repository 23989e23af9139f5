import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';

/**
 * What the counts have shown that the planner cannot know. `ordered`: follow an index in its order, never sort.
 * `gathered`: look few rows up and sort them, never follow an order. `rollups`: rows lie scattered, fetch them by page.
 * `written`: join in the order of the statement, which is right; looking for a better one takes longer than the rows.
 */
export type Plan = 'ordered' | 'sorted' | 'rollups' | 'written' | 'free';

const SETTINGS: Readonly<
  Record<Plan, { sort: string; sequential: string; index: string; bitmap: string; joins: string }>
> = {
  ordered: { sort: 'off', sequential: 'off', index: 'on', bitmap: 'off', joins: '8' },
  sorted: { sort: 'on', sequential: 'off', index: 'off', bitmap: 'on', joins: '8' },
  rollups: { sort: 'on', sequential: 'on', index: 'off', bitmap: 'on', joins: '8' },
  written: { sort: 'on', sequential: 'on', index: 'on', bitmap: 'on', joins: '1' },
  free: { sort: 'on', sequential: 'on', index: 'on', bitmap: 'on', joins: '8' },
};

/** Steers the planner until the end of the transaction, or the next call. */
export const setPlannerHints = async (db: Db, plan: Plan): Promise<void> => {
  const settings = SETTINGS[plan];
  await sql`select set_config('enable_sort', ${settings.sort}, true), set_config('enable_seqscan', ${settings.sequential}, true),
    set_config('enable_indexscan', ${settings.index}, true), set_config('enable_bitmapscan', ${settings.bitmap}, true),
    set_config('join_collapse_limit', ${settings.joins}, true)`.execute(db);
};
