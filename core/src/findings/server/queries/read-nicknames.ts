import type { Db } from '../../../platform/server/database.ts';

/** Nicknames of at most 10,000 repositories by id. Reads repositories by primary key. */
export const readNicknames = async (
  db: Db,
  request: { clientId: string; ids: readonly string[] },
): Promise<Map<string, string>> => {
  if (request.ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('repositories')
    .select(['id', 'nickname'])
    .where('client_id', '=', request.clientId)
    .where('id', 'in', request.ids)
    .limit(10_000)
    .execute();
  return new Map(rows.map((row) => [row.id, row.nickname]));
};
