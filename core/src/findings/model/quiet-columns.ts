import type { ColumnKey } from './column-catalogue.ts';
import { isOpenStatus } from './facet-labels.ts';
import type { FindingFilters } from './filter-catalogue.ts';

/** Columns whose value a filter of the same name fixes. */
const FIXED_BY = ['repository', 'branch', 'tool', 'type', 'category', 'language'] as const;

/** What is known of the rows of a list. */
interface QuietRows {
  hasOneRepository?: boolean;
  isWithoutSignals?: boolean;
}

/**
 * Columns that say the same in every row of a list with these filters: those of a filter with one value, the status while only open work
 * shows, and by their rows the repository where there is but one and the signals where there are none.
 */
export const quietColumns = (
  filters: FindingFilters,
  { hasOneRepository = false, isWithoutSignals = false }: QuietRows = {},
): ColumnKey[] => {
  const quiet: ColumnKey[] = FIXED_BY.filter(
    (key) => filters[key]?.length === 1 || (key === 'repository' && hasOneRepository),
  );
  const hidesDecided = [filters.false_positive, filters.accepted_risk, filters.is_duplicate].every(
    (one) => one === 'hide',
  );
  if (isOpenStatus(filters.status) && hidesDecided) quiet.push('status');
  if (isWithoutSignals) quiet.push('signals');
  return quiet;
};
