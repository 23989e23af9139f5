import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { Db } from '../../../platform/server/database.ts';
import type { DependencyPaths } from '../../api/routes.ts';
import { shortestPaths } from '../../model/dependency-paths.ts';

export interface ComponentFinding {
  _id: string;
  title: string;
  severity: number;
  priority: number;
  cve: string | null;
  component_version: string | null;
  fixed_version: string | null;
  same_version: boolean;
}

const MAX_FINDINGS = 500;

/**
 * Open findings that speak of a component, most urgent first, at most 500. Versions may differ: an inventory and a scan can
 * be years apart, and that is shown, not hidden. Reads finding_definitions_component_key, then findings_by_definition.
 */
export const listComponentFindings = async (
  db: Db,
  request: { clientId: string; id: string },
): Promise<ComponentFinding[]> => {
  const { rows } = await sql<ComponentFinding>`
    select f.id as _id, b.title, f.severity, f.priority, b.cve, b.component_version, b.fixed_version,
      coalesce(ltrim(b.component_version, 'v^~=') = ltrim(c.version, 'v'), false) as same_version
    from components c
    join finding_definitions b on b.client_id = c.client_id and b.component_key = any(c.finding_keys)
      and (b.ecosystem is null or c.ecosystem is null or b.ecosystem = c.ecosystem)
    join findings f on f.client_id = b.client_id and f.definition_id = b.id and f.repository_id = c.repository_id and f.is_open
    where c.client_id = ${request.clientId} and c.id = ${request.id}
    order by f.priority desc, f.id desc
    limit ${MAX_FINDINGS}
  `.execute(db);
  return rows;
};

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
 * components by their key: two steps, because without statistics a join may scan the inventory.
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

export interface ComponentUse {
  _id: string;
  repository_id: string;
  repository: string;
  version: string | null;
  same_version: boolean;
}

const MAX_USES = 100;

interface Own {
  digest: string;
  full_name: string;
  ecosystem: string | null;
  repository_id: string;
}

/** A step of its own, so that what is looked for is known when the second one is planned. */
const readOwn = async (db: Db, clientId: string, id: string): Promise<Own[]> => {
  const { rows } = await sql<Own>`
    select digest, full_name, ecosystem, repository_id from components where client_id = ${clientId} and id = ${id}`.execute(
    db,
  );
  return rows;
};

/**
 * The same package in other applications, the same version first, at most 100. Reads components_by_digest for the same version (its digest
 * is made of the purl) and components_by_name for the others.
 */
export const listUses = async (
  db: Db,
  request: { clientId: string; id: string; onlyOwnedBy: string | null },
): Promise<ComponentUse[]> => {
  const { clientId, id, onlyOwnedBy } = request;
  const [own] = await readOwn(db, clientId, id);
  if (own === undefined) return [];
  const { rows } = await sql<ComponentUse>`
    with found as (
      select c.id, c.repository_id, c.version, true as same_version
      from components c where c.client_id = ${clientId} and c.digest = ${own.digest} and c.removed_at is null
      union all
      select c.id, c.repository_id, c.version, false
      from components c where c.client_id = ${clientId} and c.full_name = ${own.full_name} and c.removed_at is null
        and c.ecosystem is not distinct from ${own.ecosystem}::text and c.digest <> ${own.digest}
    )
    select distinct on (f.same_version, lower(r.nickname), r.id, f.version)
      f.id as _id, f.repository_id, r.nickname as repository, f.version, f.same_version
    from found f join repositories r on r.client_id = ${clientId} and r.id = f.repository_id
    where f.repository_id <> ${own.repository_id} and (${onlyOwnedBy}::uuid is null or r.owner = ${onlyOwnedBy})
    order by f.same_version desc, lower(r.nickname), r.id, f.version
    limit ${MAX_USES}
  `.execute(db);
  return rows;
};

export interface Edge {
  from_id: string;
  to_id: string;
}

/*
 * These two read by lists of ids instead of one join: right after an import the tables have no statistics yet, and a join may then scan a
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

const MAX_PATHS = 5;
/** Edges read for one page: what is above is not looked at, and the answer says so. */
const MAX_PATH_EDGES = 20_000;
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
  let left = MAX_PATH_EDGES;
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
