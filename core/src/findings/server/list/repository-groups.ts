import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import { cellConditions, countedCells } from '../filter/cells.ts';
import { allOf } from '../filter/conditions.ts';
import { setPlannerHints } from '../filter/planner-hints.ts';
import { type GroupFacts, orderOf, type RankedGroup, type RankRequest } from './group-request.ts';

type RepositoryRow = GroupFacts & { key: string; label: string; count: number };
/** Past the last page there are the sums alone. */
type Row = { total: number; grouped: number } & (RepositoryRow | { key: null });

/** A group of one repository; its findings are described already, so that it needs no entries. */
const groupOf = ({ key, label, count }: RepositoryRow): RankedGroup => ({
  key,
  label,
  title: null,
  tool: null,
  count,
  entries: [],
});

/**
 * One page of repositories with their findings, of a filter that cells answer. Counts come from aggregate_cells; the highest priority and
 * EPSS of the cells from one index-only scan each (findings_by_priority or findings_by_file, findings_by_epss): no aggregate has them. No finding is read.
 */
export const countByRepository = async (
  db: Db,
  request: Omit<RankRequest, 'by'>,
): Promise<{ groups: { group: RankedGroup; facts: GroupFacts }[]; total: number; grouped: number }> => {
  const { filter, sort, limit, offset } = request;
  const { clientId } = filter.viewer;
  await setPlannerHints(db, 'free');
  const best = sort === 'severity' ? sql`max(o.severity)` : sql`max(p.priority)`;
  // a source of another branch has the branch as its repository
  const found = await sql<Row>`
    with o as materialized (
      select c.cell, c.count, k.severity, k.kev, k.tool, b.id as branch_id, coalesce(b.repository_id, k.repository_id) as repository_id
      from ${countedCells(clientId)}
      left join repository_branches b on b.client_id = ${clientId} and b.id = k.repository_id
      where c.client_id = ${clientId} and c.count > 0 and ${allOf(cellConditions(filter))}
    ), p as materialized (
      select f.cell, max(f.priority) as priority from findings f where f.client_id = ${clientId} group by f.cell
    ), e as materialized (
      select f.cell, max(f.epss) as epss from findings f where f.client_id = ${clientId} and f.epss is not null group by f.cell
    ), seen as materialized (
      select t.repository_id, max(s.last_seen_at) as last_seen
      from (select distinct repository_id, branch_id, tool from o) t
      join scan_scopes s on s.client_id = ${clientId} and s.repository_id = t.repository_id and s.tool = t.tool
        and s.branch_id is not distinct from t.branch_id
      group by t.repository_id
    ), g as materialized (
      select r.id::text as key, r.nickname as label, null::text as tool, sum(o.count)::bigint as count, ${best} as best,
        coalesce(sum(o.count) filter (where o.severity = 4), 0)::bigint as critical,
        coalesce(sum(o.count) filter (where o.severity = 3), 0)::bigint as high,
        coalesce(sum(o.count) filter (where o.severity = 2), 0)::bigint as medium,
        coalesce(sum(o.count) filter (where o.severity = 1), 0)::bigint as low,
        coalesce(sum(o.count) filter (where o.severity = 0), 0)::bigint as informational,
        max(p.priority) as highest_priority, bool_or(o.kev) as kev, max(e.epss) as max_epss, max(n.last_seen) as last_seen
      from o join repositories r on r.client_id = ${clientId} and r.id = o.repository_id
      join p on p.cell = o.cell left join e on e.cell = o.cell left join seen n on n.repository_id = o.repository_id
      group by r.id, r.nickname
    )
    select z.total, z.grouped, y.*, 1 as repositories
    from (select count(*) as total, coalesce(sum(count), 0)::bigint as grouped from g) z
    left join lateral (select * from g order by ${orderOf(request)} limit ${limit} offset ${offset}) y on true
    order by ${orderOf(request)}`.execute(db);
  const groups = found.rows.flatMap((row) => (row.key === null ? [] : [{ group: groupOf(row), facts: row }]));
  const { total = 0, grouped = 0 } = found.rows[0] ?? {};
  return { groups, total, grouped };
};
