import { sql } from 'kysely';
import type { Db } from '../../../../platform/server/database.ts';
import type { Stratum } from '../../../model/settings/compare-priorities.ts';

/** Counts of open findings of default branches, by group of findings that are alike. Reads rollups by client. */
export const countOpenCells = async (db: Db, clientId: string): Promise<{ cell: string; count: number }[]> => {
  const { rows } = await sql<{ cell: string; count: number }>`
    select c.cell::text as cell, c.count::integer as count
    from aggregate_cells c
    join aggregate_dispositions s on s.client_id = ${clientId} and s.disposition = c.disposition and s.is_open
    join aggregate_sources k on k.client_id = ${clientId} and k.source = c.source
    join repositories r on r.client_id = ${clientId} and r.id = k.repository_id
    where c.client_id = ${clientId} and c.count > 0
    order by c.cell`.execute(db);
  return rows;
};

/** Ids of so many findings of each group, the first that the index has. Index: findings_by_cell. */
export const pickFindings = async (db: Db, clientId: string, strata: readonly Stratum[]): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select picked.id
    from jsonb_to_recordset(${JSON.stringify(strata)}::jsonb) wanted (cell bigint, take integer)
    cross join lateral (
      select id from findings where client_id = ${clientId} and cell = wanted.cell limit wanted.take
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
  request: { cells: readonly string[]; limit: number },
): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    with open as materialized (select unnest(${[...request.cells]}::bigint[]) as cell)
    select id from (
      select id, cell, priority from findings where client_id = ${clientId} order by priority desc, id desc limit ${MAX_WALKED}
    ) f
    where cell in (select cell from open)
    order by priority desc, id desc limit ${request.limit}`.execute(db);
  return rows.map(({ id }) => id);
};
