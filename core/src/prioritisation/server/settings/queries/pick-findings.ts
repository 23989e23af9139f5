import { sql } from 'kysely';
import type { Db } from '../../../../platform/server/database.ts';
import type { Stratum } from '../../../model/settings/compare-priorities.ts';

/** Counts of open findings of default branches, by group of findings that are alike. Reads rollups by client. */
export const countOpenCubes = async (db: Db, clientId: string): Promise<{ cube: string; count: number }[]> => {
  const { rows } = await sql<{ cube: string; count: number }>`
    select c.cube::text as cube, c.count::integer as count
    from finding_counts c
    join finding_states s on s.client_id = ${clientId} and s.state = c.state and s.is_open
    join finding_kinds k on k.client_id = ${clientId} and k.kind = c.kind
    join repositories r on r.client_id = ${clientId} and r.id = k.repository_id
    where c.client_id = ${clientId} and c.count > 0
    order by c.cube`.execute(db);
  return rows;
};

/** Ids of so many findings of each group, the first that the index has. Index: findings_by_cube. */
export const pickFindings = async (db: Db, clientId: string, strata: readonly Stratum[]): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select picked.id
    from jsonb_to_recordset(${JSON.stringify(strata)}::jsonb) wanted (cube bigint, take integer)
    cross join lateral (
      select id from findings where client_id = ${clientId} and cube = wanted.cube limit wanted.take
    ) picked
    order by picked.id`.execute(db);
  return rows.map(({ id }) => id);
};

/** Entries of the index that are walked at most for the first of the list. */
const MAX_WALKED = 20_000;

/** Ids of the open findings of default branches with the highest priority, highest first. Index: findings_by_priority. */
export const pickHighest = async (
  db: Db,
  clientId: string,
  request: { cubes: readonly string[]; limit: number },
): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    with open as materialized (select unnest(${[...request.cubes]}::bigint[]) as cube)
    select id from (
      select id, cube, priority from findings where client_id = ${clientId} order by priority desc, id desc limit ${MAX_WALKED}
    ) f
    where cube in (select cube from open)
    order by priority desc, id desc limit ${request.limit}`.execute(db);
  return rows.map(({ id }) => id);
};
