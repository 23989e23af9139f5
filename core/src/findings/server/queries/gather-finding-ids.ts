import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import { allOf, type Condition } from '../filter-conditions.ts';
import { type Direction, orderBy } from '../sort-orders.ts';

export interface GatherRequest {
  clientId: string;
  /** On findings `f`; at least one is served by findings_by_cell, findings_by_definition, findings_by_file or findings_by_date. */
  conditions: readonly Condition[];
  columns: readonly string[];
  direction: Direction;
  /** Rows for which this is false come last. */
  isKnown: Condition | undefined;
  /** Comes before the columns. */
  rank: RawBuilder<number> | undefined;
  offset: number;
  limit: number;
}

/** Ids of a rare selection with their total: looks all of them up and sorts them. */
export const gatherFindingIds = async (db: Db, request: GatherRequest): Promise<{ ids: string[]; total: number }> => {
  const known = request.isKnown === undefined ? sql`` : sql`${request.isKnown} desc,`;
  const rank = request.rank === undefined ? sql`` : sql`${request.rank} ${sql.raw(request.direction)},`;
  const found = await sql<{ ids: string[]; total: number }>`
    with found as materialized (
      select f.id, row_number() over (order by ${known} ${rank} ${orderBy(request.columns, request.direction)}) as place
      from findings f where f.client_id = ${request.clientId} and ${allOf(request.conditions)}
    )
    select (select count(*) from found) as total,
      array(select id from found where place > ${request.offset} order by place limit ${request.limit}) as ids`.execute(
    db,
  );
  return found.rows[0] ?? { ids: [], total: 0 };
};
