import { sql } from 'kysely';
import {
  allOf,
  cellConditions,
  countedCells,
  type NarrowedFilter,
  rowConditionsOf,
} from '../../../findings/server/index.ts';
import type { Db } from '../../../platform/server/database.ts';

export interface TimeToFix {
  /** 4 critical to 0 informational. */
  severity: number;
  /** Mean of the days from first seen to closed. */
  days: number;
}

/** How long it took to close the findings of a filter, by severity. Reads findings_closed. */
export const readTimeToFix = async (db: Db, filter: NarrowedFilter): Promise<TimeToFix[]> => {
  const { clientId } = filter.viewer;
  const read = await sql<TimeToFix>`
    select f.severity, avg(extract(epoch from f.closed_at - f.first_seen) / 86400)::float8 as days
    from findings f
    where f.client_id = ${clientId} and f.status = 'mitigated' and f.closed_at is not null
      and f.cell in (select c.cell from ${countedCells(clientId)}
        where c.client_id = ${clientId} and c.count > 0 and ${allOf(cellConditions(filter))})
      and ${allOf(rowConditionsOf(filter))}
    group by f.severity`.execute(db);
  return read.rows;
};
