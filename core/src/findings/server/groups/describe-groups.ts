import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import type { GroupKey } from '../../model/group-filters.ts';
import { allOf } from '../filter-conditions.ts';
import { conditionsOnFindings } from '../queries/count-row-facets.ts';
import type { NarrowedFilter } from '../resolve-filter.ts';
import { entryColumn, type RankedGroup } from './rank-groups.ts';

/** What a group's findings have in common and how they differ. */
export interface GroupFacts {
  place: number;
  critical: number;
  high: number;
  medium: number;
  low: number;
  informational: number;
  highest_priority: number;
  kev: boolean;
  max_epss: number | null;
  repositories: number;
  first_seen: Date;
  last_seen: Date;
}

/** Facts of the groups of one page, by place. Reads their findings through findings_by_definition or findings_by_file. */
export const describeGroups = async (
  db: Db,
  request: { filter: NarrowedFilter; by: GroupKey; groups: readonly RankedGroup[] },
): Promise<Map<number, GroupFacts>> => {
  const { filter, by, groups } = request;
  const { clientId } = filter.viewer;
  const entries = groups.flatMap((group) => group.entries);
  const places = groups.flatMap((group, place) => group.entries.map(() => place));
  const found = await sql<GroupFacts>`
    select g.place, count(*) filter (where f.severity = 4) as critical, count(*) filter (where f.severity = 3) as high,
      count(*) filter (where f.severity = 2) as medium, count(*) filter (where f.severity = 1) as low,
      count(*) filter (where f.severity = 0) as informational, max(f.priority) as highest_priority, bool_or(f.kev) as kev,
      max(f.epss) as max_epss, count(distinct f.repository_id) as repositories, min(f.first_seen) as first_seen,
      max(coalesce(f.last_seen, o.last_seen_at, f.first_seen)) as last_seen
    from unnest(${entries}::bigint[], ${places}::integer[]) g (entry, place)
    join findings f on f.client_id = ${clientId} and ${sql.ref(`f.${entryColumn(by)}`)} = g.entry
    left join scan_scopes o on o.client_id = ${clientId} and o.id = f.scope_id
    where ${allOf(conditionsOnFindings(filter))} group by g.place`.execute(db);
  return new Map(found.rows.map((row) => [row.place, row]));
};
