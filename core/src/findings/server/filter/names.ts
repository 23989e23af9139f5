import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';

/** Nicknames of at most 10,000 repositories by id; a branch has its repository's. Reads primary keys. */
export const readNicknames = async (
  db: Db,
  request: { clientId: string; ids: readonly string[] },
): Promise<Map<string, string>> => {
  if (request.ids.length === 0) return new Map();
  const { clientId, ids } = request;
  const { rows } = await sql<{ id: string; nickname: string }>`
    select w.id, r.nickname
    from unnest(${[...ids]}::uuid[]) w (id)
    left join repository_branches b on b.client_id = ${clientId} and b.id = w.id
    join repositories r on r.client_id = ${clientId} and r.id = coalesce(b.repository_id, w.id)
    limit 10000`.execute(db);
  return new Map(rows.map((row) => [row.id, row.nickname]));
};

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
