import type { Static } from 'typebox';
import type { Db } from '../../platform/server/database.ts';
import type { DependencyPaths } from '../api/routes.ts';
import { shortestPaths } from '../model/dependency-paths.ts';
import { listEdges, listNamed, type NamedComponent } from './queries/list-edges.ts';

const MAX_PATHS = 5;
/** Edges read for one page: what is above is not looked at, and the answer says so. */
const MAX_EDGES = 20_000;
const MAX_LAYERS = 200;

type Step = Pick<NamedComponent, 'name' | 'version' | 'direct'>;

interface Ancestors {
  parents: Map<string, string[]>;
  steps: Map<string, Step>;
  isCut: boolean;
}

/** Everything that needs the component, layer by layer. A path ends at what the application names itself, so nothing above it is read. */
const readAncestors = async (db: Db, clientId: string, target: string): Promise<Ancestors> => {
  const parents = new Map<string, string[]>();
  const steps = new Map<string, Step>();
  let left = MAX_EDGES;
  let layer = [target];
  for (let depth = 0; layer.length > 0; depth += 1) {
    const edges = await listEdges(db, { clientId, ids: layer, at: 'to', limit: left + 1 });
    if (edges.length > left || depth === MAX_LAYERS) return { parents, steps, isCut: true };
    left -= edges.length;
    const ids = new Set(edges.map((edge) => edge.from_id).filter((id) => id !== target && !steps.has(id)));
    const found = await listNamed(db, { clientId, ids: [...ids] });
    for (const { id, ...step } of found) steps.set(id, step);
    for (const { from_id, to_id } of edges) {
      if (steps.has(from_id) || from_id === target) parents.set(to_id, [...(parents.get(to_id) ?? []), from_id]);
    }
    layer = found.filter(({ direct }) => direct !== true).map(({ id }) => id);
  }
  return { parents, steps, isCut: false };
};

/** The shortest paths on which a component comes into its application. */
export const readPaths = async (
  db: Db,
  component: { clientId: string; id: string; name: string; version: string | null; direct: boolean | null },
): Promise<Static<typeof DependencyPaths>> => {
  const { clientId, id } = component;
  // what the application names itself needs no path
  const { parents, steps, isCut }: Ancestors =
    component.direct === true
      ? { parents: new Map(), steps: new Map(), isCut: false }
      : await readAncestors(db, clientId, id);
  steps.set(id, component);
  const isRoot = (node: string) => steps.get(node)?.direct === true || (node !== id && !parents.has(node));
  const paths = shortestPaths({ target: id, parents, isRoot, maxPaths: MAX_PATHS });
  return {
    is_cut: isCut,
    paths: paths.map((path) =>
      path.map((node) => {
        const { name = '', version = null } = steps.get(node) ?? {};
        return { _id: node, name, version };
      }),
    ),
  };
};
