import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import { allOf, type Condition } from '../filter-conditions.ts';
import { type Direction, orderBy } from '../sort-orders.ts';

/** Values of the order's columns of one row, as PostgreSQL writes them. */
export type Position = readonly string[];

export interface WalkFromRequest {
  clientId: string;
  /** On findings `f`. */
  conditions: readonly Condition[];
  /** Columns of an index's order; the last is `f.id`. */
  columns: readonly string[];
  direction: Direction;
  /** The row before the first one wanted. */
  after: Position | undefined;
  limit: number;
}

const list = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)));

/** Ids behind a row, in the order of an index: findings_by_<order> or the primary key. A page costs the same wherever it begins. */
export const walkFrom = async (
  db: Db,
  request: WalkFromRequest,
): Promise<{ ids: string[]; last: Position | undefined }> => {
  const { columns, direction, after, limit } = request;
  const behind =
    after === undefined
      ? []
      : [sql<boolean>`(${list(columns)}) ${sql.raw(direction === 'asc' ? '>' : '<')} (${sql.join(after)})`];
  const place = sql.join(columns.map((column) => sql`${sql.ref(column)}::text`));
  const found = await sql<{ id: string; place: string[] }>`
    select f.id, array[${place}] as place from findings f
    where f.client_id = ${request.clientId} and ${allOf([...request.conditions, ...behind])}
    order by ${orderBy(columns, direction)} limit ${limit}`.execute(db);
  return { ids: found.rows.map((row) => row.id), last: found.rows.at(-1)?.place };
};
