import { sql } from 'kysely';
import type { Db } from '../../../../platform/server/database.ts';
import { type ScoredRequest, writePriorityReasons } from './write-priority-reasons.ts';

/** Writes priorities with their parts and history. Rows that stay the same are not written. Indexes: primary keys. */
export const writePriorities = async (db: Db, request: ScoredRequest): Promise<void> => {
  await writePriorityReasons(db, request);
  const { clientId, scored } = request;
  const values = scored.map(({ id, priority }) => ({ id, priority }));
  await sql`
    update findings f set priority = c.priority
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) c (id uuid, priority smallint)
    where f.client_id = ${clientId} and f.id = c.id and f.priority <> c.priority`.execute(db);
};
