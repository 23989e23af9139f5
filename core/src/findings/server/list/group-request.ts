import { type RawBuilder, sql } from 'kysely';
import type { GroupKey, GroupSort } from '../../model/filter-catalogue.ts';
import type { ResolvedFilter } from '../filter/resolve-filter.ts';

/** What a group's findings have in common and how they differ. */
export interface GroupFacts {
  critical: number;
  high: number;
  medium: number;
  low: number;
  informational: number;
  highest_priority: number;
  kev: boolean;
  max_epss: number | null;
  repositories: number;
  last_seen: Date | null;
}

/** A group as ranked: its entries are definitions, files or cells, which numbers of JavaScript cannot hold. */
export interface RankedGroup {
  key: string;
  /** What people call it. */
  label: string;
  title: string | null;
  tool: string | null;
  count: number;
  entries: (number | string)[];
}

export interface RankRequest {
  filter: ResolvedFilter;
  by: GroupKey;
  sort: GroupSort;
  direction: 'asc' | 'desc';
  offset: number;
  limit: number;
}

/** The order of groups with `label`, `key`, `tool`, `count` and what they are ordered by besides, `best`. */
export const orderOf = ({ sort, direction }: Pick<RankRequest, 'sort' | 'direction'>): RawBuilder<unknown> => {
  const way = sql.raw(direction);
  if (sort === 'name') return sql`label ${way}, key ${way}, tool ${way}`;
  return sort === 'count' ? sql`count ${way}, key, tool` : sql`best ${way}, count ${way}, key, tool`;
};
