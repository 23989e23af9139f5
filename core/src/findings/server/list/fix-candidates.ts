import type { FindingType } from '@breakwater/sdk';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import { countsByDefinition } from '../counts/count-definition-facets.ts';
import { conditionsOnFindings } from '../counts/count-row-facets.ts';
import { allOf } from '../filter/conditions.ts';
import { setPlannerHints } from '../filter/planner-hints.ts';
import { type FindingsRequest, needsRows, type ResolvedFilter, resolveFilter } from '../filter/resolve-filter.ts';
import type { GroupFacts, RankedGroup } from './group-request.ts';
import { describeGroups } from './groups.ts';
import { type FindingItem, readFindingRows } from './read-finding-rows.ts';

/** Findings that a fix cannot tell apart: of one version of a package with the same fixed version, or of one rule. */
export interface FixCandidate {
  component: string | null;
  ecosystem: string | null;
  version: string | null;
  purl: string | null;
  fixedVersion: string | null;
  /** Of the findings without a component; '' of all others. */
  tool: string;
  ruleId: string;
  /** Of one of them. */
  title: string;
  type: FindingType;
  /** How many findings. */
  count: number;
  /** The highest priority among them, 0-100. */
  best: number;
  /** Their definitions. */
  entries: number[];
}

/** Definitions with the priority of their first finding: the others are not read. Index: findings_by_definition. */
const definitionsOf = (filter: ResolvedFilter): RawBuilder<unknown> => {
  const conditions = allOf(conditionsOnFindings(filter));
  if (needsRows(filter)) {
    return sql`select f.definition_id as entry, count(*) as count, max(f.priority) as best, min(f.type) as type
      from findings f where ${conditions} group by f.definition_id`;
  }
  return sql`select n.definition_id as entry, n.count, b.priority as best, b.type
    from (${countsByDefinition(filter)}) n
    cross join lateral (
      select f.priority, f.type from findings f where f.definition_id = n.definition_id and ${conditions}
      order by f.priority desc, f.id desc limit 1
    ) b where n.count > 0`;
};

/** What fixes could be planned for: thousands of rows, whatever the number of findings. Licences are not fixed by an upgrade. */
export const readFixCandidates = async (
  db: Db,
  request: FindingsRequest,
): Promise<{ filter: ResolvedFilter; candidates: FixCandidate[] }> => {
  const filter = await resolveFilter(db, request);
  if (filter.isEmpty) return { filter, candidates: [] };
  await setPlannerHints(db, 'free');
  const isPackage = sql`x.component is not null and n.type <> 'License'`;
  const found = await sql<FixCandidate>`
    select case when ${isPackage} then x.component end as component, case when ${isPackage} then x.ecosystem end as ecosystem,
      case when ${isPackage} then x.component_version end as version, case when ${isPackage} then x.purl end as purl,
      case when ${isPackage} then x.fixed_version end as "fixedVersion", case when ${isPackage} then '' else x.tool end as tool,
      case when ${isPackage} then '' else x.rule_id end as "ruleId", min(x.title) as title, n.type, sum(n.count)::integer as count,
      max(n.best) as best, array_agg(n.entry::float8) as entries
    from (${definitionsOf(filter)}) n
    join finding_definitions x on x.client_id = ${filter.viewer.clientId} and x.id = n.entry
    group by 1, 2, 3, 4, 5, 6, 7, n.type`.execute(db);
  return { filter, candidates: found.rows };
};

/** Counts by severity, repositories and signals of groups, in their order. */
export const describeFixGroups = async (
  db: Db,
  filter: ResolvedFilter,
  groups: readonly Pick<RankedGroup, 'key' | 'count' | 'entries'>[],
): Promise<(GroupFacts | undefined)[]> => {
  const ranked = groups.map((group) => ({ ...group, label: group.key, title: null, tool: null }));
  const facts = await describeGroups(db, { filter, by: 'rule', groups: ranked });
  return groups.map((_group, place) => facts.get(place));
};

/** Where a page of findings begins. */
export interface FixPosition {
  priority: number;
  id: string;
}

const FIELDS = [
  ...(['title', 'cve', 'severity', 'priority', 'status', 'repository_id', 'repository', 'file_path'] as const),
  ...(['start_line', 'component_version'] as const),
];

/** The findings of definitions, highest priority first, after a position. Index: findings_by_definition. */
export const readFixFindings = async (
  db: Db,
  filter: ResolvedFilter,
  { entries, after, limit }: { entries: readonly number[]; after?: FixPosition | undefined; limit: number },
): Promise<FindingItem[]> => {
  const isAfter =
    after === undefined ? sql`true` : sql`(f.priority, f.id) < (${after.priority}::real, ${after.id}::uuid)`;
  const found = await sql<{ id: string }>`
    select f.id from unnest(${[...entries]}::bigint[]) g (entry)
    join findings f on f.definition_id = g.entry
    where ${allOf(conditionsOnFindings(filter))} and ${isAfter} order by f.priority desc, f.id desc limit ${limit}`.execute(
    db,
  );
  const ids = found.rows.map(({ id }) => id);
  return readFindingRows(db, { clientId: filter.viewer.clientId, ids, names: FIELDS });
};
