import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import type { Priority } from '../../model/score-priority.ts';

/** Findings of one client with what they are worth now, and why that was worked out again. */
export interface ScoredRequest {
  clientId: string;
  scored: readonly (Priority & { id: string })[];
  reason: string;
}

/**
 * Writes the history (of whole points: what only decides between equals is no news) and the parts of priorities that are about to change: before the priorities themselves, with which it
 * compares. Rows that stay the same are not written. Indexes: primary keys.
 */
export const writePriorityReasons = async (db: Db, { clientId, scored, reason }: ScoredRequest): Promise<void> => {
  const columns = sql`jsonb_to_recordset(${JSON.stringify(scored)}::jsonb) c (id uuid, priority real, parts jsonb)`;
  await sql`
    insert into finding_events (client_id, finding_id, kind, from_value, to_value, reason)
    select ${clientId}, f.id, 'priority', floor(f.priority)::text, floor(c.priority)::text, ${reason}
    from ${columns} join findings f on f.client_id = ${clientId} and f.id = c.id
    where floor(f.priority) <> floor(c.priority)`.execute(db);
  await sql`
    update finding_details d set priority_parts = c.parts
    from ${columns}
    where d.client_id = ${clientId} and d.finding_id = c.id and d.priority_parts <> c.parts`.execute(db);
};

/** Writes priorities with their parts and history. Rows that stay the same are not written. Indexes: primary keys. */
export const writePriorities = async (db: Db, request: ScoredRequest): Promise<void> => {
  await writePriorityReasons(db, request);
  const { clientId, scored } = request;
  const values = scored.map(({ id, priority }) => ({ id, priority }));
  await sql`
    update findings f set priority = c.priority
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) c (id uuid, priority real)
    where f.client_id = ${clientId} and f.id = c.id and f.priority <> c.priority`.execute(db);
};
