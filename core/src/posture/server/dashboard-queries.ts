import { type RawBuilder, sql } from 'kysely';
import {
  allOf,
  cellConditions,
  countedCells,
  isCountedByDay,
  isNarrowed,
  ownedRepositories,
  type ResolvedFilter,
  rowConditionsOf,
  type Viewer,
} from '../../findings/server/index.ts';
import type { Db } from '../../platform/server/database.ts';
import type { DayChange } from '../model/backlog.ts';
import type { FindingFilters } from '../model/charts.ts';

/** What the rollups have of each day: the small one where it knows enough. */
const fromRollup = (filter: ResolvedFilter, after: string): RawBuilder<DayChange> => {
  const { clientId } = filter.viewer;
  const conditions = allOf(cellConditions(filter));
  if (isCountedByDay(filter)) {
    return sql<DayChange>`
      select k.severity, k.day::text as day, sum(k.count)::bigint as delta
      from aggregate_days k join aggregate_dispositions s on s.client_id = ${clientId} and s.disposition = k.disposition
      where k.client_id = ${clientId} and k.field = 'changed' and k.day > ${after}::date and ${conditions}
      group by k.severity, k.day having sum(k.count) <> 0`;
  }
  return sql<DayChange>`
    select k.severity, d.day::text as day, sum(d.delta)::bigint as delta
    from aggregate_changes d
    join aggregate_sources k on k.client_id = ${clientId} and k.source = d.source
    join aggregate_dispositions s on s.client_id = ${clientId} and s.disposition = d.disposition
    where d.client_id = ${clientId} and d.day > ${after}::date and ${conditions}
    group by k.severity, d.day having sum(d.delta) <> 0`;
};

/**
 * The rollups of days know neither definitions nor files. A finding counted from when it was first seen until it was closed, unless the
 * filter asks for closed ones too; what its status and verdict were in between is not asked.
 */
const fromFindings = (filter: ResolvedFilter, after: string): RawBuilder<DayChange> => {
  const { clientId } = filter.viewer;
  const { sources, dispositions, scope } = filter.conditions;
  const now = allOf(cellConditions(filter));
  const others = [...sources, ...dispositions].filter(({ key }) => key !== 'status').map((condition) => condition.sql);
  const whenOpen = allOf([...others, ...scope]);
  return sql<DayChange>`
    with cells as (
      select c.cell, ${now} as counts, s.status = 'mitigated' as is_closed
      from ${countedCells(clientId)}
      where c.client_id = ${clientId} and c.count > 0 and (${now} or s.status = 'mitigated' and ${whenOpen})
    )
    select f.severity, (e.at at time zone 'UTC')::date::text as day, sum(e.delta)::bigint as delta
    from findings f
    join cells on cells.cell = f.cell
    cross join lateral (
      values (f.first_seen, 1), (case when cells.is_closed and not cells.counts then f.closed_at end, -1)
    ) e (at, delta)
    where f.client_id = ${clientId} and ${allOf(rowConditionsOf(filter))}
      and e.at >= (${after}::date + 1)::timestamp at time zone 'UTC'
    group by 1, 2 having sum(e.delta) <> 0`;
};

/**
 * Changes of the number of findings of a filter on the days after one (UTC). Reads aggregate_days or aggregate_changes by
 * primary key, or findings where a filter is about definitions, files, ranges or free text.
 */
export const listDayChanges = async (
  db: Db,
  request: { filter: ResolvedFilter; after: string },
): Promise<DayChange[]> => {
  const { filter, after } = request;
  const changes = await (isNarrowed(filter) ? fromFindings(filter, after) : fromRollup(filter, after)).execute(db);
  return changes.rows;
};

export interface Headline {
  repositories: number;
  components: number;
  has_data: boolean;
  has_sample: boolean;
  has_verdict: boolean;
  has_pull_request: boolean;
}

/**
 * Figures at the head of the dashboard: what the viewer may see, and whether the organisation has anything yet. Reads
 * repositories and components by client, finding_events_by_people, remediations_repository.
 */
export const readHeadline = async (
  db: Db,
  request: { viewer: Viewer; filters: Pick<FindingFilters, 'repository' | 'repository_tag'> },
): Promise<Headline> => {
  const { viewer } = request;
  const { clientId } = viewer;
  const { repository, repository_tag: tags } = request.filters;
  const chosen = repository === undefined ? null : [...repository];
  const tagged = tags === undefined ? null : [...tags];
  const found = await sql<Headline>`
    with mine as (
      select id from repositories where client_id = ${clientId} and (${viewer.seesAll} or id = any(${ownedRepositories(viewer)}))
        and (${chosen}::uuid[] is null or id = any(${chosen}::uuid[]))
        and (${tagged}::text[] is null or tags && ${tagged}::text[])
    )
    select (select count(*) from mine) as repositories,
      (select count(*) from components where client_id = ${clientId} and removed_at is null
        and repository_id in (select id from mine)) as components,
      exists (select from repositories where client_id = ${clientId}) as has_data,
      exists (select from repositories where client_id = ${clientId} and is_sample) as has_sample,
      exists (select from finding_events where client_id = ${clientId} and actor is not null) as has_verdict,
      exists (
        select from remediations where client_id = ${clientId} and number is not null and remediation_type = 'pull_request'
      ) as has_pull_request`.execute(db);
  return (
    found.rows[0] ?? {
      repositories: 0,
      components: 0,
      has_data: false,
      has_sample: false,
      has_verdict: false,
      has_pull_request: false,
    }
  );
};
