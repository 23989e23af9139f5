import { type RawBuilder, sql } from 'kysely';
import {
  allOf,
  cellConditions,
  countedCells,
  isCountedByDay,
  isNarrowed,
  type NarrowedFilter,
  rowConditionsOf,
} from '../../../findings/server/index.ts';
import type { Db } from '../../../platform/server/database.ts';

export interface DateCount {
  /** 4 critical to 0 informational. */
  severity: number;
  /** 0 before the first start, else the number of the span that begins with it. */
  span: number;
  count: number;
}

/** `severity`, `day`, `count`, from the smallest rollup that knows all the filter asks for. */
const countsOf = (filter: NarrowedFilter): RawBuilder<unknown> => {
  const { clientId } = filter.viewer;
  const conditions = allOf(cellConditions(filter));
  if (isNarrowed(filter)) {
    return sql`
      select k.severity, (f.date at time zone 'UTC')::date as day, 1 as count
      from findings f join ${countedCells(clientId)} on c.client_id = ${clientId} and c.cell = f.cell
      where f.client_id = ${clientId} and ${conditions} and ${allOf(rowConditionsOf(filter))}`;
  }
  if (isCountedByDay(filter)) {
    return sql`
      select k.severity, k.day, k.count
      from aggregate_days k join aggregate_dispositions s on s.client_id = ${clientId} and s.disposition = k.disposition
      where k.client_id = ${clientId} and k.field = 'found' and ${conditions}`;
  }
  return sql`
    select k.severity, n.day, n.count
    from aggregate_dates n join ${countedCells(clientId)} on c.client_id = ${clientId} and c.cell = n.cell
    where n.client_id = ${clientId} and c.count > 0 and ${conditions}`;
};

/**
 * Findings of a filter by severity and span of their date; `starts` are the first days of the spans (UTC), ascending. Reads
 * aggregate_days or aggregate_dates by primary key; rows where a filter is about definitions, files, ranges or free text.
 */
export const countByDate = async (
  db: Db,
  request: { filter: NarrowedFilter; starts: readonly string[] },
): Promise<DateCount[]> => {
  // By day first: placing a day in a span costs more than adding it up.
  const counted = await sql<DateCount>`
    select severity, width_bucket(day, ${[...request.starts]}::date[]) as span, sum(count)::bigint as count
    from (select severity, day, sum(count) as count from (${countsOf(request.filter)}) each group by 1, 2) days
    group by 1, 2`.execute(db);
  return counted.rows;
};
