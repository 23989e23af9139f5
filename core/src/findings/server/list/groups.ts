import { SEVERITIES, type Severity } from '@breakwater/sdk';
import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import type { Db } from '../../../platform/server/database.ts';
import type { FindingGroup } from '../../api/group-routes.ts';
import { filtersOfGroup, type GroupKey, type GroupSort } from '../../model/filter-catalogue.ts';
import { countsByDefinition } from '../counts/count-definition-facets.ts';
import { conditionsOnFindings, countsByFile } from '../counts/count-row-facets.ts';
import { cellConditions, countedCells } from '../filter/cells.ts';
import { allOf } from '../filter/conditions.ts';
import { setPlannerHints } from '../filter/planner-hints.ts';
import {
  type FindingsRequest,
  isNarrowed,
  needsRows,
  type ResolvedFilter,
  resolveFilter,
} from '../filter/resolve-filter.ts';
import { VULNERABILITY_SQL } from '../filter/value-sql.ts';
import { type GroupFacts, orderOf, type RankedGroup, type RankRequest } from './group-request.ts';
import { countByRepository } from './repository-groups.ts';

/** Facts of the groups of one page, by place. Reads their findings through findings_by_definition, findings_by_file or findings_by_cell. */
export const describeGroups = async (
  db: Db,
  request: { filter: ResolvedFilter; by: GroupKey; groups: readonly RankedGroup[] },
): Promise<Map<number, GroupFacts & { place: number }>> => {
  const { filter, by, groups } = request;
  const { clientId } = filter.viewer;
  const entries = groups.flatMap((group) => group.entries);
  const places = groups.flatMap((group, place) => group.entries.map(() => place));
  const found = await sql<GroupFacts & { place: number }>`
    select g.place, count(*) filter (where f.severity = 4) as critical, count(*) filter (where f.severity = 3) as high,
      count(*) filter (where f.severity = 2) as medium, count(*) filter (where f.severity = 1) as low,
      count(*) filter (where f.severity = 0) as informational, max(f.priority) as highest_priority, bool_or(f.kev) as kev,
      max(f.epss) as max_epss, count(distinct f.repository_id) as repositories,
      max(coalesce(f.last_seen, o.last_seen_at, f.first_seen)) as last_seen
    from unnest(${entries}::bigint[], ${places}::integer[]) g (entry, place)
    join findings f on f.client_id = ${clientId} and ${sql.ref(`f.${ENTRY_COLUMNS[by]}`)} = g.entry
    left join scan_scopes o on o.client_id = ${clientId} and o.id = f.scope_id
    where ${allOf(conditionsOnFindings(filter))} group by g.place`.execute(db);
  return new Map(found.rows.map((row) => [row.place, row]));
};

/** What a group is made of: definitions, files, or cells of the aggregates, of which each is of one repository. */
const ENTRY_COLUMNS = {
  vulnerability: 'definition_id',
  component: 'definition_id',
  rule: 'definition_id',
  file: 'file_id',
  repository: 'cell',
} as const satisfies Record<GroupKey, string>;

/** Rows, through findings_by_definition, findings_by_file or findings_by_priority, which have the priority. */
const bestOfRows = (request: RankRequest, best: RawBuilder<unknown>): RawBuilder<unknown> => {
  const entry = sql.ref(`f.${ENTRY_COLUMNS[request.by]}`);
  return sql`select ${entry} as entry, count(*) as count, max(${best}) as best from findings f
    where ${entry} is not null and ${allOf(conditionsOnFindings(request.filter))} group by ${entry}`;
};

/** The highest priority of each definition that is left is the first one in findings_by_definition; the others are not read. */
const bestOfDefinitions = ({ filter }: RankRequest): RawBuilder<unknown> => sql`
  select n.definition_id as entry, n.count, b.priority as best from (${countsByDefinition(filter)}) n
  cross join lateral (
    select f.priority from findings f where f.definition_id = n.definition_id and ${allOf(conditionsOnFindings(filter))}
    order by f.priority desc, f.id desc limit 1
  ) b where n.count > 0`;

/** The worst severity of a definition from aggregate_definitions. */
const worstOfDefinitions = ({ filter }: RankRequest): RawBuilder<unknown> => {
  const { clientId } = filter.viewer;
  const among = filter.definitions.map((set) => sql<boolean>`n.definition_id = any(${set.array})`);
  return sql`select n.definition_id as entry, sum(n.count) as count, max(k.severity) as best
    from aggregate_definitions n join (${countedCells(clientId)}) on c.client_id = ${clientId} and c.cell = n.cell
    where n.client_id = ${clientId} and n.count > 0 and ${allOf([...among, ...cellConditions(filter)])} group by n.definition_id`;
};

/** `entry`, `count` and `best`, by which the groups are ordered besides. */
const entriesOf = (request: RankRequest): RawBuilder<unknown> => {
  const { filter, by, sort } = request;
  // only under a filter that cells cannot answer; without one `countByRepository` reads no rows
  if (by === 'repository') return bestOfRows(request, sort === 'severity' ? sql`f.severity` : sql`f.priority`);
  if (sort === 'priority') {
    return by === 'file' || needsRows(filter) ? bestOfRows(request, sql`f.priority`) : bestOfDefinitions(request);
  }
  if (sort === 'severity') {
    return by === 'file' || needsRows(filter) ? bestOfRows(request, sql`f.severity`) : worstOfDefinitions(request);
  }
  return by === 'file'
    ? sql`select n.file_id as entry, n.count, 0 as best from (${countsByFile(filter)}) n`
    : sql`select n.definition_id as entry, n.count, 0 as best from (${countsByDefinition(filter)}) n`;
};

const KEYS: Readonly<Record<Exclude<GroupKey, 'file' | 'repository'>, RawBuilder<string>>> = {
  vulnerability: VULNERABILITY_SQL,
  component: sql<string>`x.component`,
  rule: sql<string>`x.rule_id`,
};

/** A source of another branch has the branch as its repository. */
const repositoriesOf = (request: RankRequest): RawBuilder<unknown> => {
  const { clientId } = request.filter.viewer;
  return sql`select r.id::text as key, r.nickname as label, null as title, null as tool, sum(n.count)::bigint as count,
      max(n.best) as best, array_agg(n.entry::text) as entries
    from (${entriesOf(request)}) n
    join aggregate_cells c on c.client_id = ${clientId} and c.cell = n.entry
    join aggregate_sources k on k.client_id = ${clientId} and k.source = c.source
    left join repository_branches b on b.client_id = ${clientId} and b.id = k.repository_id
    join repositories r on r.client_id = ${clientId} and r.id = coalesce(b.repository_id, k.repository_id)
    group by r.id, r.nickname`;
};

const groupsOf = (request: RankRequest): RawBuilder<unknown> => {
  const { by, filter } = request;
  const { clientId } = filter.viewer;
  if (by === 'repository') return repositoriesOf(request);
  if (by === 'file') {
    return sql`select p.path as key, p.path as label, null as title, null as tool, n.count::bigint as count, n.best, array[n.entry] as entries
      from (${entriesOf(request)}) n join finding_files p on p.client_id = ${clientId} and p.id = n.entry where n.count > 0`;
  }
  const tool = by === 'rule' ? sql`x.tool` : sql`null::text`;
  return sql`select ${KEYS[by]} as key, ${KEYS[by]} as label, min(x.title) as title, ${tool} as tool, sum(n.count)::bigint as count, max(n.best) as best,
      array_agg(n.entry) as entries
    from (${entriesOf(request)}) n join finding_definitions x on x.client_id = ${clientId} and x.id = n.entry
    where n.count > 0 and ${KEYS[by]} is not null group by 1, ${by === 'rule' ? sql`x.tool` : sql`4`}`;
};

/**
 * One page of groups, and how many groups and findings there are. Counts come from aggregate_definition_dispositions, aggregate_definitions
 * or aggregate_files where only cells are asked for, else from the rows. Files ordered by priority or
 * severity read all of findings_by_file: no index has the first of a file.
 */
export const rankGroups = async (
  db: Db,
  request: RankRequest,
): Promise<{ groups: RankedGroup[]; total: number; grouped: number }> => {
  const found = await sql<{ groups: RankedGroup[]; total: number; grouped: number }>`
    with g as materialized (${groupsOf(request)})
    select (select count(*) from g) as total, (select coalesce(sum(count), 0)::bigint from g) as grouped,
      coalesce((select json_agg(p) from (
        select key, label, title, tool, count, entries from g order by ${orderOf(request)} limit ${request.limit} offset ${request.offset}
      ) p), '[]') as groups`.execute(db);
  return found.rows[0] ?? { groups: [], total: 0, grouped: 0 };
};

export interface GroupsRequest extends FindingsRequest {
  by: GroupKey;
  sort: GroupSort;
  direction: 'asc' | 'desc';
  offset: number;
  limit: number;
}

interface GroupItem {
  _id: string;
  attributes: Static<typeof FindingGroup>;
}

const itemOf = (request: GroupsRequest, group: RankedGroup, facts: GroupFacts): GroupItem => {
  const { critical, high, medium, low, informational, highest_priority, kev, max_epss, repositories, last_seen } =
    facts;
  const severities: Record<Severity, number> = { critical, high, medium, low, informational };
  return {
    _id: group.tool === null ? group.key : `${group.tool}:${group.key}`,
    attributes: {
      key: group.key,
      label: group.label,
      title: group.title,
      tool: group.tool,
      count: group.count,
      severities,
      severity: SEVERITIES.find((severity) => severities[severity] > 0) ?? 'informational',
      highest_priority,
      kev,
      max_epss,
      repositories,
      last_seen: last_seen?.toISOString() ?? null,
      filters: filtersOfGroup(request.filters, request.by, group),
    },
  };
};

/** One page of groups of the findings that a filter leaves, with how many groups there are and how many findings are in them. */
export const readGroups = async (
  db: Db,
  request: GroupsRequest,
): Promise<{ items: GroupItem[]; total: number; grouped: number }> => {
  const filter = await resolveFilter(db, request);
  if (filter.isEmpty) return { items: [], total: 0, grouped: 0 };
  const { by, sort, direction, offset, limit } = request;
  if (by === 'repository' && !isNarrowed(filter)) {
    const { groups, ...sums } = await countByRepository(db, { filter, sort, direction, offset, limit });
    return { items: groups.map(({ group, facts }) => itemOf(request, group, facts)), ...sums };
  }
  await setPlannerHints(db, needsRows(filter) || sort === 'priority' ? 'free' : 'rollups');
  const ranked = await rankGroups(db, { filter, by, sort, direction, offset, limit });
  await setPlannerHints(db, 'free');
  const facts = await describeGroups(db, { filter, by, groups: ranked.groups });
  const items = ranked.groups.flatMap((group, place) => {
    const known = facts.get(place);
    return known === undefined ? [] : [itemOf(request, group, known)];
  });
  return { items, total: ranked.total, grouped: ranked.grouped };
};
