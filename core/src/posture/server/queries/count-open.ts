import { sql } from 'kysely';
import {
  allOf,
  countedCubes,
  cubeConditions,
  isNarrowed,
  type NarrowedFilter,
  narrowedCounts,
} from '../../../findings/server/index.ts';
import type { Db } from '../../../platform/server/database.ts';

export interface OpenCount {
  /** 4 critical to 0 informational. */
  severity: number;
  count: number;
  /** How many of them are known to be exploited. */
  kev: number;
}

/** Open findings of a filter by severity, now. Reads finding_counts and its dictionaries by primary key; rows only for ranges and files. */
export const countOpen = async (db: Db, filter: NarrowedFilter): Promise<OpenCount[]> => {
  const { clientId } = filter.viewer;
  const isPlain = !isNarrowed(filter);
  const count = isPlain ? sql`c.count` : sql`n.count`;
  const counted = await sql<OpenCount>`
    select k.severity, sum(${count})::bigint as count, coalesce(sum(${count}) filter (where k.kev), 0)::bigint as kev
    from ${countedCubes(clientId)}
    ${isPlain ? sql`` : sql`join (${narrowedCounts(filter, undefined)}) n on n.cube = c.cube`}
    where c.client_id = ${clientId} and c.count > 0 and s.is_open and ${allOf(cubeConditions(filter))}
    group by k.severity`.execute(db);
  return counted.rows;
};
