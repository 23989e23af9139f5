import type { Db } from '../../../platform/server/database.ts';

/** Names of at most 200 repositories by id. Reads repositories by primary key. */
export const readRepositoryNames = async (
  db: Db,
  request: { clientId: string; ids: readonly string[] },
): Promise<ReadonlyMap<string, string>> => {
  if (request.ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('repositories')
    .select(['id', 'nickname'])
    .where('client_id', '=', request.clientId)
    .where('id', 'in', [...request.ids])
    .limit(200)
    .execute();
  return new Map(rows.map((row) => [row.id, row.nickname]));
};
