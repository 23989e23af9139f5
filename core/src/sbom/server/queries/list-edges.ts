import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';

export interface Edge {
  from_id: string;
  to_id: string;
}

/*
 * These two read by lists of ids instead of one join: right after an import the tables have no statistics yet, and a join may then walk a
 * whole inventory for each row.
 */

/** Edges that begin (`from`) or end (`to`) at the given components, at most `limit`. Reads the key of component_edges, or component_edges_reverse. */
export const listEdges = async (
  db: Db,
  request: { clientId: string; ids: readonly string[]; at: 'from' | 'to'; limit: number },
): Promise<Edge[]> => {
  const end = request.at === 'from' ? sql.ref('from_id') : sql.ref('to_id');
  const { rows } = await sql<Edge>`
    select from_id, to_id from component_edges
    where client_id = ${request.clientId} and ${end} = any(${request.ids}::uuid[])
    order by from_id, to_id
    limit ${request.limit}
  `.execute(db);
  return rows;
};

export interface NamedComponent {
  id: string;
  digest: string;
  /** With its group. */
  name: string;
  version: string | null;
  direct: boolean | null;
}

/** The given components as far as an inventory still lists them, by name. Reads the primary key. */
export const listNamed = async (
  db: Db,
  request: { clientId: string; ids: readonly string[] },
): Promise<NamedComponent[]> => {
  const { rows } = await sql<NamedComponent>`
    select id, digest, version, direct, case when coalesce(group_name, '') = '' then name else group_name || '/' || name end as name
    from components
    where client_id = ${request.clientId} and id = any(${request.ids}::uuid[]) and removed_at is null
    order by full_name, id
  `.execute(db);
  return rows;
};
