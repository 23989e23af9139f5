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
