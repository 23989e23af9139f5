import type { FindingFilters } from './filters.ts';

/** What findings can be put together by. */
export const GROUP_KEYS = ['vulnerability', 'component', 'file', 'rule'] as const;
export type GroupKey = (typeof GROUP_KEYS)[number];

/** Orders of groups. */
export const GROUP_SORTS = ['count', 'priority', 'severity', 'name'] as const;
export type GroupSort = (typeof GROUP_SORTS)[number];

/** The filters that show exactly the findings of a group of a list. A rule is one tool's. */
export const filtersOfGroup = (
  filters: FindingFilters,
  by: GroupKey,
  group: { key: string; tool: string | null },
): FindingFilters => {
  const own = { ...filters, [by]: [group.key] };
  return by === 'rule' && group.tool !== null ? { ...own, tool: [group.tool] } : own;
};
