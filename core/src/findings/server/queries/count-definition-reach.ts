import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import { allOf } from '../filter-conditions.ts';
import type { IdSet } from '../id-set.ts';

/** Findings of all definitions in the sets, whatever else the filter says. Reads aggregate_definition_dispositions by primary key. */
export const countDefinitionReach = async (
  db: Db,
  request: { clientId: string; definitions: IdSet[] },
): Promise<number> => {
  const sum = await sql<{ count: number }>`
    select coalesce(sum(n.count), 0)::bigint as count from aggregate_definition_dispositions n
    where n.client_id = ${request.clientId} and ${allOf(request.definitions.map((set) => sql<boolean>`n.definition_id = any(${set.array})`))}`.execute(
    db,
  );
  return sum.rows[0]?.count ?? 0;
};
