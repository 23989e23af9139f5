import { ASK_FOR_LICENSE_CHECK, ASK_FOR_VERSION_LOOKUP } from '../../../sbom/server/index.ts';
import { type MergeContext, run } from '../stage/merge-context.ts';
import { createFilled, fillTable } from '../stage/temporary-tables.ts';

const KEEP = `
  update components c
  set name = s.name, version = s.version, group_name = s.group_name, purl = s.purl, ecosystem = s.ecosystem, type = s.type,
    licenses = s.licenses, license_class = s.license_class, description = s.description, direct = s.direct, last_seen = now(), removed_at = null
  from stage_components s
  where c.client_id = $1 and c.repository_id = $2 and c.scope_id = $3 and c.digest = s.digest`;

const ADD = `
  insert into components (client_id, id, repository_id, scope_id, digest, name, version, group_name, purl, ecosystem, type, licenses,
    license_class, description, direct, first_seen, last_seen)
  select $1, s.id, $2, $3, s.digest, s.name, s.version, s.group_name, s.purl, s.ecosystem, s.type, s.licenses,
    s.license_class, s.description, s.direct, now(), now()
  from stage_components s
  where not exists (
    select 1 from components c where c.client_id = $1 and c.repository_id = $2 and c.scope_id = $3 and c.digest = s.digest
  )`;

const REMOVE = `
  update components c set removed_at = now()
  where c.client_id = $1 and c.repository_id = $2 and c.scope_id = $3 and c.removed_at is null
    and not exists (select 1 from stage_components s where s.digest = c.digest)`;

const FIND_IDS = fillTable(
  'component_ids',
  { n: 's.n', id: 'c.id' },
  `from stage_components s
  join components c on c.client_id = $1 and c.repository_id = $2 and c.scope_id = $3 and c.digest = s.digest`,
);

const FIND_EDGES = fillTable(
  'edges',
  { from_id: 'from_id', to_id: 'to_id' },
  `from (
    select distinct f.id as from_id, t.id as to_id
    from stage_edges e
    join stage_refs r on r.ref = e.to_ref
    join component_ids f on f.n = e.from_n
    join component_ids t on t.n = r.n
    where f.id <> t.id
  ) found`,
);

const DROP_EDGES = `
  delete from component_edges x
  using components c
  where x.client_id = $1 and c.client_id = $1 and c.id = x.from_id and c.repository_id = $2 and c.scope_id = $3
    and not exists (select 1 from edges e where e.from_id = x.from_id and e.to_id = x.to_id)`;

const ADD_EDGES = `
  insert into component_edges (client_id, from_id, to_id)
  select $1, from_id, to_id from edges order by from_id, to_id
  on conflict do nothing`;

/*
 * Inside the transaction `components` has no statistics of what was added, so that the planner takes a large inventory for a small one and
 * loops over it. With these indexes a loop costs no more than a lookup for each row, and edges are found among staged rows only.
 */
const INDEX_COMPONENTS = 'create index on stage_components (digest); analyze stage_components, stage_edges, stage_refs';
const INDEX_IDS = 'create index on component_ids (n); analyze component_ids';
const INDEX_EDGES = 'create index on edges (from_id, to_id); analyze edges';

const HAS_ANY = 'select 1 from components where client_id = $1 and repository_id = $2 and scope_id = $3 limit 1';

/** Brings the inventory of the scope to what the report lists. What is gone stays, marked, unless `keepsUnlisted`. */
export const mergeComponents = async (
  context: MergeContext,
  options: { staged: number; keepsUnlisted: boolean },
): Promise<void> => {
  const values = [context.clientId, context.repositoryId, context.scopeId];
  if (options.staged === 0 && (await run(context, HAS_ANY, values)) === 0) return;
  await context.client.query(INDEX_COMPONENTS);
  await run(context, KEEP, values);
  await run(context, ADD, values);
  if (!options.keepsUnlisted) await run(context, REMOVE, values);
  await createFilled(context.client, 'component_ids', FIND_IDS, values);
  await context.client.query(INDEX_IDS);
  await createFilled(context.client, 'edges', FIND_EDGES, []);
  await context.client.query(INDEX_EDGES);
  if (!options.keepsUnlisted) await run(context, DROP_EDGES, values);
  await run(context, ADD_EDGES, [context.clientId]);
  await run(context, ASK_FOR_LICENSE_CHECK, [context.clientId, context.repositoryId]);
  await run(context, ASK_FOR_VERSION_LOOKUP, [context.clientId, context.repositoryId]);
};
