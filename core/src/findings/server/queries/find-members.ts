import type { Db } from '../../../platform/server/database.ts';

/** Which of the ids are active users of the client. Reads users by primary key. */
export const findMembers = async (
  db: Db,
  request: { clientId: string; ids: readonly string[] },
): Promise<Set<string>> => {
  if (request.ids.length === 0) return new Set();
  const found = await db
    .selectFrom('users')
    .select('id')
    .where('client_id', '=', request.clientId)
    .where('id', 'in', [...request.ids])
    .where('status', '=', 'active')
    .execute();
  return new Set(found.map((user) => user.id));
};
