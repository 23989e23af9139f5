import { type RawBuilder, sql } from 'kysely';
import { type Db, likePattern, storable } from '../../platform/server/database.ts';
import type { LicenseClass } from '../model/license-classes.ts';

/** Which components are meant. Everything given must hold. */
export interface ComponentFilter {
  clientId: string;
  /** Only in repositories that this user owns; null shows all. */
  onlyOwnedBy: string | null;
  id?: string;
  search?: string;
  repositories?: string[];
  /** Of repositories with any of these. */
  repositoryTags?: string[];
  ecosystems?: string[];
  licenses?: string[];
  licenseClasses?: LicenseClass[];
  vulnerable?: 'hide' | 'show' | 'only';
}

/** Conditions on `c`, the component, but for `vulnerable`, which needs the join of `vulnerablePackages`. */
export const componentConditions = (filter: ComponentFilter): RawBuilder<boolean> => {
  const all = [sql<boolean>`c.client_id = ${filter.clientId} and c.removed_at is null`];
  if (filter.onlyOwnedBy !== null) {
    all.push(
      sql`c.repository_id = any(array(select id from repositories where client_id = ${filter.clientId} and owner = ${filter.onlyOwnedBy}))`,
    );
  }
  if (filter.id !== undefined) all.push(sql`c.id = ${filter.id}`);
  if (filter.repositories !== undefined) all.push(sql`c.repository_id = any(${filter.repositories}::uuid[])`);
  if (filter.repositoryTags !== undefined) {
    all.push(
      sql`c.repository_id = any(array(select id from repositories where client_id = ${filter.clientId} and tags && ${storable(filter.repositoryTags)}::text[]))`,
    );
  }
  if (filter.ecosystems !== undefined) all.push(sql`c.ecosystem = any(${storable(filter.ecosystems)}::text[])`);
  if (filter.licenses !== undefined) all.push(sql`c.licenses && ${storable(filter.licenses)}::text[]`);
  if (filter.licenseClasses !== undefined) all.push(sql`c.license_class = any(${filter.licenseClasses}::text[])`);
  if (filter.search !== undefined && filter.search !== '')
    all.push(sql`c.full_name like lower(${likePattern(filter.search)})`);
  return sql.join(all, sql` and `);
};

/**
 * Packages with open findings, by repository, name and the version that they speak of: `(repository_id, key, ecosystem, version, findings, worst)`.
 * Reads only the rollups of findings that name a component.
 */
export const vulnerablePackages = (clientId: string): RawBuilder<unknown> => sql`
  select k.repository_id, b.component_key as key, b.ecosystem,
    ltrim(b.component_version, 'v^~=') as version, sum(n.count)::bigint as findings, max(k.severity) as worst
  from finding_definitions b
  join aggregate_definitions n on n.client_id = b.client_id and n.definition_id = b.id
  join aggregate_cells c on c.client_id = n.client_id and c.cell = n.cell
  join aggregate_sources k on k.client_id = c.client_id and k.source = c.source
  join aggregate_dispositions s on s.client_id = c.client_id and s.disposition = c.disposition
  where b.client_id = ${clientId} and b.component_key is not null and s.is_open and n.count > 0
  group by k.repository_id, b.component_key, b.ecosystem, 4
`;

/** A finding speaks of this component: same repository and name; where both say an ecosystem, the same. */
export const isAbout: RawBuilder<boolean> = sql<boolean>`
  v.repository_id = c.repository_id and v.key = any(c.finding_keys)
  and (v.ecosystem is null or c.ecosystem is null or v.ecosystem = c.ecosystem)
`;

/**
 * What findings `v` say of a component `c`: how many are reported for its version and how bad the worst is, and how many for another version
 * or for none, which may not affect it.
 */
export const FINDINGS_OF_COMPONENT = sql`
  coalesce(sum(v.findings) filter (where v.version = ltrim(c.version, 'v')), 0)::bigint as findings,
  max(v.worst) filter (where v.version = ltrim(c.version, 'v')) as worst,
  coalesce(sum(v.findings) filter (where (v.version = ltrim(c.version, 'v')) is not true), 0)::bigint as other_findings`;

/**
 * The packages with findings, then the components that match and that they speak of: `(id, findings, worst, other_findings)`. For a `with`.
 * `keyed` stands alone so that names are compared by hash, not after every component met every package of its application.
 */
export const affectedComponents = (filter: ComponentFilter): RawBuilder<unknown> => sql`
  vulnerable as materialized (${vulnerablePackages(filter.clientId)}),
  keyed as materialized (
    select c.id, c.repository_id, c.ecosystem, c.version, unnest(c.finding_keys) as key from components c where ${componentConditions(filter)}
  ),
  affected as materialized (
    select c.id, ${FINDINGS_OF_COMPONENT}
    from keyed c
    join vulnerable v on v.repository_id = c.repository_id and v.key = c.key
      and (v.ecosystem is null or c.ecosystem is null or v.ecosystem = c.ecosystem)
    group by c.id
  )
`;

/** The condition `vulnerable` on `c`: a finding is reported for its version. Beside `affectedComponents`. */
export const vulnerableCondition = (filter: ComponentFilter): RawBuilder<boolean> => {
  const isAffected = sql<boolean>`c.id in (select id from affected where findings > 0)`;
  return { show: sql<boolean>`true`, only: isAffected, hide: sql<boolean>`not ${isAffected}` }[
    filter.vulnerable ?? 'show'
  ];
};

/**
 * Runs a statement that joins a whole inventory. Without statistics, right after an import, the planner takes it for a few rows and would
 * compare each with each: loops are then out of the question.
 */
export const joinedWhole = async <T>(db: Db, run: () => Promise<T>): Promise<T> => {
  await sql`set local enable_nestloop = off`.execute(db);
  const result = await run();
  await sql`set local enable_nestloop = on`.execute(db);
  return result;
};
