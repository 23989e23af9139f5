import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';

export interface Neighbour {
  _id: string;
  name: string;
  version: string | null;
}

const MAX_NEIGHBOURS = 500;

/** Components that one needs, or that need it, by name; at most 500. Reads the key of component_edges, or component_edges_reverse. */
export const listNeighbours = async (
  db: Db,
  request: { clientId: string; id: string; direction: 'needs' | 'needed_by' },
): Promise<Neighbour[]> => {
  const [here, there] =
    request.direction === 'needs' ? [sql.ref('from_id'), sql.ref('to_id')] : [sql.ref('to_id'), sql.ref('from_id')];
  const { rows } = await sql<Neighbour>`
    select c.id as _id, case when coalesce(c.group_name, '') = '' then c.name else c.group_name || '/' || c.name end as name, c.version
    from component_edges e
    join components c on c.client_id = e.client_id and c.id = ${there}
    where e.client_id = ${request.clientId} and ${here} = ${request.id} and c.removed_at is null
    order by c.full_name, c.id
    limit ${MAX_NEIGHBOURS}
  `.execute(db);
  return rows;
};
