import { type RawBuilder, sql } from 'kysely';
import { allOf, type Condition, without } from './filter-conditions.ts';
import type { NarrowedFilter } from './resolve-filter.ts';

/** Cubes as the text of a PostgreSQL array. JavaScript's numbers cannot hold them. Undefined: all cubes. */
export type CubeList = string | undefined;

/** Conditions of a filter on kinds `k` and states `s`, with what the viewer may see. */
export const cubeConditions = (filter: NarrowedFilter): Condition[] => [
  ...without(filter.conditions.kinds),
  ...without(filter.conditions.states),
  ...filter.conditions.scope,
];

/** `finding_counts c` with its kind `k` and state `s`. */
export const countedCubes = (clientId: string): RawBuilder<unknown> => sql`finding_counts c
  join finding_kinds k on k.client_id = ${clientId} and k.kind = c.kind
  join finding_states s on s.client_id = ${clientId} and s.state = c.state`;

/** The cubes that meet all conditions. Reads the client's counts by primary key. */
export const cubesWhere = (clientId: string, conditions: readonly Condition[]): RawBuilder<unknown> =>
  sql`select c.cube from ${countedCubes(clientId)} where c.client_id = ${clientId} and c.count > 0 and ${allOf(conditions)}`;

/**
 * Tests a column while an index in another order is walked. The sum hides the column from the planner, which would spend
 * longer on estimating thousands of values than on the walk; the list is hashed once.
 */
export const inCubes = (column: string, cubes: CubeList): Condition[] =>
  cubes === undefined ? [] : [sql<boolean>`${sql.ref(column)} + 0 = any(${cubes}::bigint[])`];

/** Joins lists of cubes. */
export const joinCubes = (lists: readonly CubeList[]): CubeList => {
  const texts = lists.filter((list) => list !== undefined);
  return texts.length < lists.length ? undefined : `{${texts.map((text) => text.slice(1, -1)).join(',')}}`;
};
