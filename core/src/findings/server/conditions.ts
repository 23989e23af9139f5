import type { RawBuilder } from 'kysely';

export type Condition = RawBuilder<boolean>;

/** A condition under the name of the facet that it narrows, so that the facet can leave it out. */
export interface NamedCondition {
  key: string;
  sql: Condition;
}
