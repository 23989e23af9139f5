import { type RawBuilder, sql } from 'kysely';

export type Condition = RawBuilder<boolean>;

/** A condition under the name of the facet that it narrows, so that the facet can leave it out. */
export interface NamedCondition {
  key: string;
  sql: Condition;
}

/** `a and b and …`; true for none. */
export const allOf = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` and `)}`;

/** The conditions but those of one facet. */
export const without = (conditions: readonly NamedCondition[], key?: string): Condition[] =>
  conditions.filter((condition) => condition.key !== key).map((condition) => condition.sql);

/** Above this many ids a set stays a subquery: the list would cost more to send and plan than to find again. */
export const FEW_IDS = 1000;

/** Dictionary ids (definitions or files) that a filter allows. */
export interface IdSet {
  isEmpty: boolean;
  /** Known one by one: worth looking each up in an index. */
  isFew: boolean;
  /** Tests a column. The hashed form keeps an index scan in its order. */
  holds(column: string): Condition;
  /** As an array, for looking up in an index. */
  array: RawBuilder<number[]>;
}

/** A set from what a limited look brought (at most FEW_IDS + 1), and the subquery that would bring all. */
export const idSetOf = (found: readonly number[], all: RawBuilder<unknown>): IdSet => {
  const isFew = found.length <= FEW_IDS;
  const literal = sql<number[]>`${`{${found.join(',')}}`}::bigint[]`;
  return {
    isEmpty: found.length === 0,
    isFew,
    holds: (column) =>
      isFew
        ? sql<boolean>`${sql.ref(column)} = any(${literal})`
        : sql<boolean>`(${sql.ref(column)} in (${all})) is true`,
    array: isFew ? literal : sql<number[]>`array(${all})`,
  };
};
