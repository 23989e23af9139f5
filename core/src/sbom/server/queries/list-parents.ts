import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';

export interface ParentEdge {
  from_id: string;
  to_id: string;
  /** The component that needs: as an inventory names it. */
  name: string;
  version: string | null;
  direct: boolean | null;
}

/** Edges that lead to the given components, at most `limit`, in a stable order. Reads component_edges_reverse. */
export const listParents = async (
  db: Db,
  request: { clientId: string; ids: readonly string[]; limit: number },
): Promise<ParentEdge[]> => {
  const { rows } = await sql<ParentEdge>`
    select e.from_id, e.to_id, c.direct, c.version,
      case when coalesce(c.group_name, '') = '' then c.name else c.group_name || '/' || c.name end as name
    from component_edges e
    join components c on c.client_id = e.client_id and c.id = e.from_id and c.removed_at is null
    where e.client_id = ${request.clientId} and e.to_id = any(${request.ids}::uuid[])
    order by e.to_id, c.full_name, e.from_id
    limit ${request.limit}
  `.execute(db);
  return rows;
};
