import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import { allOf, type Condition } from '../filter-conditions.ts';
import { FEW_IDS, type IdSet, idSetOf } from '../id-set.ts';

/** Definitions of a client that meet all conditions on `x`. Reads the client's definitions by primary key: thousands, not millions. */
export const findDefinitions = async (
  db: Db,
  request: { clientId: string; conditions: readonly Condition[] },
): Promise<IdSet> => {
  const all = sql`select x.id from finding_definitions x where x.client_id = ${request.clientId} and ${allOf(request.conditions)}`;
  const found = await sql<{ id: number }>`${all} limit ${FEW_IDS + 1}`.execute(db);
  return idSetOf(
    found.rows.map((row) => row.id),
    all,
  );
};
