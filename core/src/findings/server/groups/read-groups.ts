import { SEVERITIES, type Severity } from '@breakwater/sdk';
import type { Static } from 'typebox';
import type { Db } from '../../../platform/server/database.ts';
import type { FindingGroup } from '../../api/group-routes.ts';
import { filtersOfGroup, type GroupKey, type GroupSort } from '../../model/group-filters.ts';
import { setPlannerHints } from '../queries/set-planner-hints.ts';
import { type FindingsRequest, needsRows, resolveFilter } from '../resolve-filter.ts';
import { describeGroups, type GroupFacts } from './describe-groups.ts';
import { type RankedGroup, rankGroups } from './rank-groups.ts';

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
  const { first_seen, last_seen, place: _place, ...rest } = facts;
  const { critical, high, medium, low, informational, ...others } = rest;
  const severities: Record<Severity, number> = { critical, high, medium, low, informational };
  return {
    _id: group.tool === null ? group.key : `${group.tool}:${group.key}`,
    attributes: {
      key: group.key,
      label: group.key,
      title: group.title,
      tool: group.tool,
      count: group.count,
      severities,
      severity: SEVERITIES.find((severity) => severities[severity] > 0) ?? 'informational',
      ...others,
      first_seen: first_seen.toISOString(),
      last_seen: last_seen.toISOString(),
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
