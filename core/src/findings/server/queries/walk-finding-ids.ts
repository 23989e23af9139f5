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

const order = (request: Pick<WalkRequest, 'columns' | 'direction'>): RawBuilder<unknown> =>
  orderBy(request.columns, request.direction);

/** Ids in the order of an index: findings_by_<order> or the primary key. Skips what does not match, so it suits what is not rare. */
export const walkFindingIds = async (db: Db, request: WalkRequest): Promise<string[]> => {
  const found = await sql<{ id: string }>`
    select f.id from findings f where f.client_id = ${request.clientId} and ${allOf(request.conditions)}
    order by ${order(request)} limit ${request.limit} offset ${request.offset}`.execute(db);
  return found.rows.map((row) => row.id);
};

/** Ids in the order of an index among its first `window` rows that meet `place`. Whatever the conditions are, no more is read. */
export const walkFirstIds = async (
  db: Db,
  request: Omit<WalkRequest, 'offset'> & { place: readonly Condition[]; window: number },
): Promise<string[]> => {
  const found = await sql<{ id: string }>`
    select f.id from (
      select f.* from findings f where f.client_id = ${request.clientId} and ${allOf(request.place)}
      order by ${order(request)} limit ${request.window}
    ) f where ${allOf(request.conditions)} order by ${order(request)} limit ${request.limit}`.execute(db);
  return found.rows.map((row) => row.id);
};
