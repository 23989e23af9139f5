import type { Db } from '../../../platform/server/database.ts';

/** Usernames of at most 10,000 people by id. Reads users by primary key. */
export const readOwnerNames = async (
  db: Db,
  request: { clientId: string; ids: readonly string[] },
): Promise<Map<string, string>> => {
  if (request.ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('client_id', '=', request.clientId)
    .where('id', 'in', request.ids)
    .limit(10_000)
    .execute();
  return new Map(rows.map((row) => [row.id, row.username]));
};
