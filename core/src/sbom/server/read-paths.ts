import type { Static } from 'typebox';
import type { Db } from '../../platform/server/database.ts';
import type { DependencyPaths } from '../api/routes.ts';
import { shortestPaths } from '../model/dependency-paths.ts';
import { listParents, type ParentEdge } from './queries/list-parents.ts';

const MAX_PATHS = 5;
/** Edges read for one page: what is above is not looked at, and the answer says so. */
const MAX_EDGES = 20_000;
const MAX_LAYERS = 200;

interface Ancestors {
  edges: ParentEdge[];
  isCut: boolean;
}

/** Everything that needs the component, layer by layer. A path ends at what the application names itself, so nothing above it is read. */
const readAncestors = async (db: Db, clientId: string, target: string): Promise<Ancestors> => {
  const edges: ParentEdge[] = [];
  const seen = new Set([target]);
  let layer = [target];
  for (let depth = 0; layer.length > 0; depth += 1) {
    const limit = MAX_EDGES - edges.length + 1;
    const found = await listParents(db, { clientId, ids: layer, limit });
    if (found.length === limit || depth === MAX_LAYERS) return { edges, isCut: true };
    edges.push(...found);
    layer = [];
    for (const { from_id, direct } of found) {
      if (seen.has(from_id)) continue;
      seen.add(from_id);
      if (direct !== true) layer.push(from_id);
    }
  }
  return { edges, isCut: false };
};

/** The shortest paths on which a component comes into its application. */
export const readPaths = async (
  db: Db,
  component: { clientId: string; id: string; name: string; version: string | null; direct: boolean | null },
): Promise<Static<typeof DependencyPaths>> => {
  const { clientId, id } = component;
  // what the application names itself needs no path
  const { edges, isCut } =
    component.direct === true ? { edges: [], isCut: false } : await readAncestors(db, clientId, id);
  const parents = new Map<string, string[]>();
  const nodes = new Map([[id, { name: component.name, version: component.version, direct: component.direct }]]);
  for (const { from_id, to_id, name, version, direct } of edges) {
    nodes.set(from_id, { name, version, direct });
    const known = parents.get(to_id);
    if (known === undefined) parents.set(to_id, [from_id]);
    else known.push(from_id);
  }
  const isRoot = (node: string) => nodes.get(node)?.direct === true || (node !== id && !parents.has(node));
  const paths = shortestPaths({ target: id, parents, isRoot, maxPaths: MAX_PATHS });
  return {
    is_cut: isCut,
    paths: paths.map((path) =>
      path.map((node) => {
        const { name = '', version = null } = nodes.get(node) ?? {};
        return { _id: node, name, version };
      }),
    ),
  };
};
