import type { Db } from '../../../platform/server/database.ts';
import { listEdges, listNamed } from './list-edges.ts';

export interface Neighbour {
  _id: string;
  name: string;
  version: string | null;
}

const MAX_NEIGHBOURS = 500;
/** More edges than this end at no component that a person reads. */
const MAX_EDGES = 20_000;

/**
 * Components that one needs, or that need it, by name; at most 500. Reads the key of component_edges, or component_edges_reverse, then
 * components by their key: two steps, because without statistics a join may walk the inventory.
 */
export const listNeighbours = async (
  db: Db,
  request: { clientId: string; id: string; direction: 'needs' | 'needed_by' },
): Promise<Neighbour[]> => {
  const { clientId, id, direction } = request;
  const at = direction === 'needs' ? 'from' : 'to';
  const edges = await listEdges(db, { clientId, ids: [id], at, limit: MAX_EDGES });
  const ids = edges.map((edge) => (at === 'from' ? edge.to_id : edge.from_id));
  const named = await listNamed(db, { clientId, ids });
  return named.slice(0, MAX_NEIGHBOURS).map((row) => ({ _id: row.id, name: row.name, version: row.version }));
};
