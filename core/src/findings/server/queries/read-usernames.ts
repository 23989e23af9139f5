import type { Db } from '../../../platform/server/database.ts';

/** Names of users by id, also of those who may no longer sign in. Reads users by primary key. */
export const readUsernames = async (
  db: Db,
  request: { clientId: string; ids: readonly string[] },
): Promise<Map<string, string>> => {
  if (request.ids.length === 0) return new Map();
  const found = await db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('client_id', '=', request.clientId)
    .where('id', 'in', [...new Set(request.ids)])
    .execute();
  return new Map(found.map((user) => [user.id, user.username]));
};
