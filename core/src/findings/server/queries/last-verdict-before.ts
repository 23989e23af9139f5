import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';

/** What the verdict was before it last became `verdict`. Reads finding_events by primary key. */
export const lastVerdictBefore = async (
  db: Db,
  request: { clientId: string; id: string; verdict: string },
): Promise<string | undefined> => {
  const found = await sql<{ from_value: string | null }>`
    select from_value from finding_events
    where client_id = ${request.clientId} and finding_id = ${request.id} and kind = 'verdict' and to_value = ${request.verdict}
    order by at desc, id desc limit 1`.execute(db);
  return found.rows[0]?.from_value ?? undefined;
};
