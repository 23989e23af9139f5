import { sql } from 'kysely';
import { storable } from '../../platform/server/like-pattern.ts';
import { branchesOf } from '../../repositories/server/index.ts';
import type { FindingFilters } from '../model/filters.ts';
import type { NamedCondition } from './filter-conditions.ts';

/** Branches by name, and repositories whose default branch is called so. */
const named = (clientId: string, names: readonly string[]) => sql`
  select b.id from repository_branches b where b.client_id = ${clientId} and b.name = any(${storable(names)}::text[])
  union all
  select r.id from repositories r where r.client_id = ${clientId} and r.repository_branch = any(${storable(names)}::text[])`;

/**
 * Conditions on kinds `k` for a client that has other branches than the default ones, or asks for one: those of the default branch
 * where none is named. A finding of another branch has the branch's id as its repository.
 */
export const withBranches = (
  kinds: readonly NamedCondition[],
  { clientId, filters }: { clientId: string; filters: FindingFilters },
): NamedCondition[] => {
  const { branch, repository } = filters;
  const isNamed = branch !== undefined && branch.length > 0;
  const wanted = isNamed
    ? sql<boolean>`k.repository_id = any(array(${named(clientId, branch)}))`
    : sql<boolean>`not k.repository_id = any(array(select id from repository_branches where client_id = ${clientId}))`;
  const others = kinds.filter((condition) => condition.key !== 'repository');
  if (repository === undefined || repository.length === 0) return [...others, { key: 'branch', sql: wanted }];
  const ids = sql`select unnest(${[...repository]}::uuid[])`;
  const within = sql<boolean>`k.repository_id = any(array(${ids} union all ${branchesOf(clientId, ids)}))`;
  return [...others, { key: 'branch', sql: wanted }, { key: 'repository', sql: within }];
};
