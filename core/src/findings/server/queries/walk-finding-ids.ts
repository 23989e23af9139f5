import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import { allOf, type Condition } from '../filter-conditions.ts';
import { type Direction, orderBy } from '../sort-orders.ts';

export interface WalkRequest {
  clientId: string;
  /** On findings `f`. */
  conditions: readonly Condition[];
  columns: readonly string[];
  direction: Direction;
  offset: number;
  limit: number;
}

const order = (request: WalkRequest): RawBuilder<unknown> => orderBy(request.columns, request.direction);

/** Ids in the order of an index: findings_by_<order> or the primary key. Skips what does not match, so it suits what is not rare. */
export const walkFindingIds = async (db: Db, request: WalkRequest): Promise<string[]> => {
  const found = await sql<{ id: string }>`
    select f.id from findings f where f.client_id = ${request.clientId} and ${allOf(request.conditions)}
    order by ${order(request)} limit ${request.limit} offset ${request.offset}`.execute(db);
  return found.rows.map((row) => row.id);
};
