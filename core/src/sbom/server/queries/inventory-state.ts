import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';

export interface InventoryState {
  /** Sums over all components and edges: equal for equal content, whatever its order. */
  fingerprint: string;
  components: number;
  /** When the inventory last got or lost a component; null for an empty one. */
  changed_at: Date | null;
}

const SUM = sql`sum(('x' || left(h, 16))::bit(64)::bigint)::text || ':' || sum(('x' || right(h, 16))::bit(64)::bigint)::text`;

/** What an application's inventory says, as a fingerprint. Reads all its components and edges once; for a transaction of its own. */
export const readInventoryState = async (
  db: Db,
  request: { clientId: string; repositoryId: string },
): Promise<InventoryState> => {
  const { clientId, repositoryId } = request;
  // everything is read once: without statistics, right after an import, the planner would join row by row
  await sql`set local enable_nestloop = off`.execute(db);
  const { rows } = await sql<InventoryState>`
    select
      coalesce((
        select ${SUM} from (
          select md5(concat_ws(chr(31), digest, name, version, group_name, purl, type, direct, description, licenses::text)) as h
          from components where client_id = ${clientId} and repository_id = ${repositoryId} and removed_at is null
        ) parts
      ), '') || '/' || coalesce((
        select ${SUM} from (
          select md5(f.digest::text || t.digest::text) as h
          from components f
          join component_edges e on e.client_id = f.client_id and e.from_id = f.id
          join components t on t.client_id = e.client_id and t.id = e.to_id and t.removed_at is null
          where f.client_id = ${clientId} and f.repository_id = ${repositoryId} and f.removed_at is null
        ) edges
      ), '') as fingerprint,
      (select count(*) from components where client_id = ${clientId} and repository_id = ${repositoryId} and removed_at is null)
        as components,
      (select max(greatest(first_seen, removed_at)) from components where client_id = ${clientId} and repository_id = ${repositoryId})
        as changed_at
  `.execute(db);
  return rows[0] ?? { fingerprint: '', components: 0, changed_at: null };
};
