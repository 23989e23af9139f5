import { sql } from 'kysely';
import type { DatabaseHandle } from '../../platform/server/database.ts';

interface Progress {
  is_running: boolean;
  percentage: number;
}

const DONE: Progress = { is_running: false, percentage: 100 };

const shareOf = (done: number, all: number): number =>
  all <= 0 ? 0 : Math.min(99, Math.max(0, Math.floor((done / all) * 100)));

/** How far one organisation's findings are brought to the newest data, by the definitions that were gone through. */
export const rescoringOf = (database: DatabaseHandle, clientId: string): Promise<Progress> =>
  database.forClient(clientId, async (db) => {
    // indexes: primary keys
    const { rows } = await sql<{ isDone: boolean; after: string; last: string }>`
      select coalesce(r.version = newest.version and r.finished_at is not null, false) as "isDone",
        (case when r.version = newest.version then r.after_definition else 0 end)::text as after,
        (select coalesce(max(id), 0) from finding_definitions where client_id = ${clientId})::text as last
      from (select max(version) as version from reference_feeds) newest
      left join rescores r on r.client_id = ${clientId}
      where newest.version is not null`.execute(db);
    const [row] = rows;
    if (row === undefined || row.isDone) return DONE;
    return { is_running: true, percentage: shareOf(Number(row.after), Number(row.last)) };
  });

/** How many organisations are done. */
export const rescoringOfAll = (database: DatabaseHandle): Promise<Progress> =>
  database.forIdentity(async (db) => {
    const { rows } = await sql<{ done: number; total: number }>`
      select count(*)::integer as total, count(*) filter (where r.version = newest.version and r.finished_at is not null)::integer as done
      from clients c
      cross join (select max(version) as version from reference_feeds) newest
      left join rescores r on r.client_id = c.id
      where newest.version is not null`.execute(db);
    const { done, total } = rows[0] ?? { done: 0, total: 0 };
    return done === total ? DONE : { is_running: true, percentage: shareOf(done, total) };
  });
