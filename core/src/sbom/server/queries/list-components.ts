import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import type { LicenseClass } from '../../model/license-classes.ts';
import {
  affectedComponents,
  type ComponentFilter,
  componentConditions,
  FINDINGS_OF_COMPONENT,
  isAbout,
  joinedWhole,
  vulnerableCondition,
  vulnerablePackages,
} from '../component-scope.ts';
import '../tables.ts';

export interface ComponentRowResult {
  id: string;
  name: string;
  version: string | null;
  group_name: string | null;
  purl: string | null;
  ecosystem: string | null;
  type: string | null;
  licenses: string[];
  license_class: LicenseClass;
  direct: boolean | null;
  description: string | null;
  repository_id: string;
  repository: string;
  /** Open findings that are reported for its version. */
  findings: number;
  /** 4 critical to 0 informational; null without open findings. */
  worst: number | null;
  /** Open findings that are reported for another version, or for none. */
  other_findings: number;
  first_seen: Date;
  last_seen: Date;
  digest: string;
  /** What was looked up, also while that is off. */
  released_on: string | null;
  newest_version: string | null;
  newest_released_on: string | null;
}

export interface ComponentOrder {
  sortField: 'name' | 'findings' | 'last_seen' | 'released_on';
  sort: 'asc' | 'desc';
  offset: number;
  pageSize: number;
}

const ORDER = {
  name: { asc: sql`c.full_name asc, c.id asc`, desc: sql`c.full_name desc, c.id desc` },
  findings: {
    asc: sql`coalesce(v.findings, 0) asc, coalesce(v.worst, -1) asc, c.full_name asc, c.id asc`,
    desc: sql`coalesce(v.findings, 0) desc, coalesce(v.worst, -1) desc, c.full_name asc, c.id asc`,
  },
  last_seen: { asc: sql`c.last_seen asc, c.id asc`, desc: sql`c.last_seen desc, c.id desc` },
  released_on: {
    asc: sql`p.released_on asc nulls last, c.full_name asc, c.id asc`,
    desc: sql`p.released_on desc nulls last, c.full_name asc, c.id asc`,
  },
} as const;

const VULNERABLE = { show: sql`true`, only: sql`v.findings > 0`, hide: sql`coalesce(v.findings, 0) = 0` } as const;

const COLUMNS = sql`
  c.id, c.name, c.version, c.group_name, c.purl, c.ecosystem, c.type, c.licenses, c.license_class, c.direct, c.description,
  c.repository_id, r.nickname as repository, coalesce(v.findings, 0)::bigint as findings, v.worst,
  coalesce(v.other_findings, 0)::bigint as other_findings, c.first_seen, c.last_seen, c.digest, p.released_on, p.newest_version, p.newest_released_on`;

/** Key of component_releases. */
const JOIN_RELEASES = sql`left join component_releases p on p.client_id = c.client_id and p.digest = c.digest`;

/** Only the rows of the page are asked for their findings, not those before it. Reads components_by_name for the order by name. */
const listPage = async (db: Db, filter: ComponentFilter, order: ComponentOrder): Promise<ComponentRowResult[]> => {
  const sorting = ORDER[order.sortField][order.sort];
  const needed = order.sortField === 'released_on' ? JOIN_RELEASES : sql``;
  const { rows } = await sql<ComponentRowResult>`
    with vulnerable as materialized (${vulnerablePackages(filter.clientId)}),
    page as materialized (
      select c.* from components c ${needed} where ${componentConditions(filter)}
      order by ${sorting} offset ${order.offset} limit ${order.pageSize}
    )
    select ${COLUMNS}
    from page c
    join repositories r on r.client_id = c.client_id and r.id = c.repository_id
    ${JOIN_RELEASES}
    left join lateral (
      select ${FINDINGS_OF_COMPONENT} from vulnerable v where ${isAbout}
      having sum(v.findings) > 0
    ) v on true
    order by ${sorting}
  `.execute(db);
  return rows;
};

/** Which rows there are, or their order, depends on findings: all that match are asked for them at once. */
const listByFindings = (db: Db, filter: ComponentFilter, order: ComponentOrder): Promise<ComponentRowResult[]> =>
  joinedWhole(db, async () => {
    const { rows } = await sql<ComponentRowResult>`
      with ${affectedComponents(filter)}
      select ${COLUMNS}
      from components c
      join repositories r on r.client_id = c.client_id and r.id = c.repository_id
      ${JOIN_RELEASES}
      left join affected v on v.id = c.id
      where ${componentConditions(filter)} and ${VULNERABLE[filter.vulnerable ?? 'show']}
      order by ${ORDER[order.sortField][order.sort]}
      offset ${order.offset} limit ${order.pageSize}
    `.execute(db);
    return rows;
  });

/** A page of components with the number and worst severity of their open findings. */
export const listComponents = (
  db: Db,
  filter: ComponentFilter,
  order: ComponentOrder,
): Promise<ComponentRowResult[]> =>
  order.sortField === 'findings' || (filter.vulnerable ?? 'show') !== 'show'
    ? listByFindings(db, filter, order)
    : listPage(db, filter, order);

/** How many components match. */
export const countComponents = (db: Db, filter: ComponentFilter): Promise<number> =>
  joinedWhole(db, async () => {
    const { rows } = await sql<{ total: number }>`
      with ${affectedComponents(filter)}
      select count(*) as total from components c where ${componentConditions(filter)} and ${vulnerableCondition(filter)}
    `.execute(db);
    return rows[0]?.total ?? 0;
  });
