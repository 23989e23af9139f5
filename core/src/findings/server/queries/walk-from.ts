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
  const names = columns.map((_, place) => `at_${place}`);
  const place = sql.join(columns.map((column, index) => sql`${sql.ref(column)}::text as ${sql.ref(`at_${index}`)}`));
  const found = await sql<Record<string, string>>`
    select ${place} from findings f
    where f.client_id = ${request.clientId} and ${allOf([...request.conditions, ...behind])}
    order by ${orderBy(columns, direction)} limit ${limit}`.execute(db);
  const last = found.rows.at(-1);
  const id = `at_${columns.length - 1}`;
  return {
    ids: found.rows.flatMap((row) => row[id] ?? []),
    last: last === undefined ? undefined : names.map((name) => last[name] ?? ''),
  };
};
