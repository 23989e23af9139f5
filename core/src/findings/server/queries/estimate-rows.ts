import { sql } from 'kysely';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Db } from '../../../platform/server/database.ts';
import { allOf, type Condition } from '../filter-conditions.ts';

const Explained = Type.Array(
  Type.Object({ 'QUERY PLAN': Type.Array(Type.Object({ Plan: Type.Object({ 'Plan Rows': Type.Number() }) })) }),
);

/** How many findings `f` the planner expects to meet the conditions: it knows the spread of dates, scores and files. */
export const estimateRows = async (db: Db, request: { conditions: readonly Condition[] }): Promise<number> => {
  const explained =
    await sql`explain (format json) select 1 from findings f where ${allOf(request.conditions)}`.execute(db);
  return Value.Parse(Explained, explained.rows)[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0;
};
