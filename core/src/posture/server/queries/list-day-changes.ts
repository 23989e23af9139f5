import { type RawBuilder, sql } from 'kysely';
import {
  allOf,
  countedCubes,
  cubeConditions,
  isNarrowed,
  type NarrowedFilter,
  rowConditionsOf,
} from '../../../findings/server/index.ts';
import type { Db } from '../../../platform/server/database.ts';
import type { DayChange } from '../../model/open-over-time.ts';

/** What the rollup has of each day. */
const fromRollup = (filter: NarrowedFilter, after: string): RawBuilder<DayChange> => {
  const { clientId } = filter.viewer;
  return sql<DayChange>`
    select k.severity, d.day::text as day, sum(d.delta)::bigint as delta
    from finding_day_counts d join ${countedCubes(clientId)} on c.client_id = ${clientId} and c.cube = d.cube
    where d.client_id = ${clientId} and d.day > ${after}::date and s.is_open and ${allOf(cubeConditions(filter))}
    group by k.severity, d.day having sum(d.delta) <> 0`;
};

/**
 * The rollup of days knows neither subjects nor files. A finding was open from when it was first seen until it was closed;
 * what its verdict was in between is not asked.
 */
const fromFindings = (filter: NarrowedFilter, after: string): RawBuilder<DayChange> => {
  const { clientId } = filter.viewer;
  const cubes = sql`select c.cube from ${countedCubes(clientId)}
    where c.client_id = ${clientId} and c.count > 0 and ${allOf(cubeConditions(filter))}
      and (s.is_open or s.status = 'mitigated' and s.verdict in ('none', 'valid') and not s.is_duplicate and not s.is_subfinding)`;
  return sql<DayChange>`
    select f.severity, (e.at at time zone 'UTC')::date::text as day, sum(e.delta)::bigint as delta
    from findings f
    cross join lateral (values (f.first_seen, 1), (f.closed_at, -1)) e (at, delta)
    where f.client_id = ${clientId} and (f.cube in (${cubes})) is true and ${allOf(rowConditionsOf(filter))}
      and e.at >= (${after}::date + 1)::timestamp at time zone 'UTC'
    group by 1, 2 having sum(e.delta) <> 0`;
};

/** Changes of the number of open findings on the days after one (UTC). Reads finding_day_counts by primary key, or findings where a filter is about subjects, files or ranges. */
export const listDayChanges = async (
  db: Db,
  request: { filter: NarrowedFilter; after: string },
): Promise<DayChange[]> => {
  const { filter, after } = request;
  const changes = await (isNarrowed(filter) ? fromFindings(filter, after) : fromRollup(filter, after)).execute(db);
  return changes.rows;
};
