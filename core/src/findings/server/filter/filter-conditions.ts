import { sql } from 'kysely';
import { storable } from '../../../platform/server/database.ts';
import { branchesOf } from '../../../repositories/server/index.ts';
import {
  FILTER_KEYS,
  FILTERS,
  type FilterKey,
  type FilterSource,
  type FindingFilters,
  facetOf,
} from '../../model/filter-catalogue.ts';
import type { Condition, NamedCondition } from './conditions.ts';
import { FILTER_SQL, type FilterSql, type SqlContext } from './filter-sql.ts';
import { isSentTo, ownedRepositories, type Viewer } from './viewer.ts';

/** Branches by name, and repositories whose default branch is called so. */
const named = (clientId: string, names: readonly string[]) => sql`
  select b.id from repository_branches b where b.client_id = ${clientId} and b.name = any(${storable(names)}::text[])
  union all
  select r.id from repositories r where r.client_id = ${clientId} and r.repository_branch = any(${storable(names)}::text[])`;

/**
 * Conditions on sources `k` for a client that has other branches than the default ones, or asks for one: those of the default branch
 * where none is named. A finding of another branch has the branch's id as its repository.
 */
export const withBranches = (
  sources: readonly NamedCondition[],
  { clientId, filters }: { clientId: string; filters: FindingFilters },
): NamedCondition[] => {
  const { branch, repository } = filters;
  const isNamed = branch !== undefined && branch.length > 0;
  const wanted = isNamed
    ? sql<boolean>`k.repository_id = any(array(${named(clientId, branch)}))`
    : sql<boolean>`not k.repository_id = any(array(select id from repository_branches where client_id = ${clientId}))`;
  const others = sources.filter((condition) => condition.key !== 'repository');
  if (repository === undefined || repository.length === 0) return [...others, { key: 'branch', sql: wanted }];
  const ids = sql`select unnest(${[...repository]}::uuid[])`;
  const within = sql<boolean>`k.repository_id = any(array(${ids} union all ${branchesOf(clientId, ids)}))`;
  return [...others, { key: 'branch', sql: wanted }, { key: 'repository', sql: within }];
};

/** Conditions of a filter, by the table that answers them. */
export interface FilterConditions {
  /** On aggregate_sources as `k`. */
  sources: NamedCondition[];
  /** On aggregate_dispositions as `s`. */
  dispositions: NamedCondition[];
  /** What the viewer may see, on `k` and `s` together. */
  scope: Condition[];
  /** On finding_definitions as `x`. */
  definitions: NamedCondition[];
  /** On findings as `f`: hardly a rollup answers these. */
  rows: NamedCondition[];
}

const CONDITIONS: { readonly [K in FilterKey]: FilterSql<K> } = FILTER_SQL;

const conditionOf = <K extends FilterKey>(key: K, filters: FindingFilters, context: SqlContext): NamedCondition[] => {
  const value = filters[key];
  const isEmpty = Array.isArray(value) && value.length === 0;
  if (value === undefined || isEmpty) return [];
  const condition = CONDITIONS[key].where(value, context);
  return condition === undefined ? [] : [{ key: facetOf(key), sql: condition }];
};

/** Turns the filters of a request into conditions, bound to what the viewer may see. */
export const conditionsOf = (filters: FindingFilters, viewer: Viewer, context: SqlContext): FilterConditions => {
  const on = (source: FilterSource): NamedCondition[] =>
    FILTER_KEYS.filter((key) => FILTERS[key].source === source).flatMap((key) => conditionOf(key, filters, context));
  const isDueAsked = filters.sla !== undefined && filters.sla.length > 0;
  return {
    sources: on('source'),
    dispositions: [...on('disposition'), ...(isDueAsked ? [{ key: 'sla', sql: sql<boolean>`s.is_open` }] : [])],
    scope: viewer.seesAll
      ? []
      : [sql<boolean>`(k.repository_id = any(${ownedRepositories(viewer)}) or ${isSentTo(viewer, 's')})`],
    definitions: on('definition'),
    rows: on('row'),
  };
};
