import { isNarrowed, type NarrowedFilter } from '../../findings/server/index.ts';

/** True where severity and state are all that a filter asks about: finding_severity_days can answer. */
export const isCoarse = (filter: NarrowedFilter): boolean =>
  !isNarrowed(filter) &&
  filter.conditions.scope.length === 0 &&
  filter.conditions.kinds.every(({ key }) => key === 'severity');
