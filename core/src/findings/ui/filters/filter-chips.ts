import { FILTER_KEYS, FILTERS } from '../../model/filter-catalogue.ts';
import { SEVERITY_LABELS, STATUS_OPTION_LABELS } from '../../model/labels.ts';
import { VISIBILITY_LABELS } from '../data/filter-labels.ts';
import { type FilterKey, type Filters, type FindingView, isOpenStatus, VISIBILITY_KEYS } from '../data/finding-view.ts';

/** One active filter as a person reads it. */
export interface FilterChip {
  key: FilterKey | 'search';
  label: string;
  value: string;
}

/** Turns ids into names where the page knows them: repositories by id, CWE names. */
export type Naming = (key: FilterKey, value: string) => string;

const listed = (values: readonly (string | number)[], key: FilterKey, naming: Naming): string => {
  const words = values.slice(0, 3).map((value) => naming(key, String(value)));
  return values.length > 3 ? `${words.join(', ')} and ${values.length - 3} more` : words.join(', ');
};

const chipValue = (filters: Filters, key: FilterKey, naming: Naming): string => {
  if (key === 'status') {
    if (isOpenStatus(filters.status)) return 'open';
    return (filters.status ?? []).map((status) => STATUS_OPTION_LABELS[status].toLowerCase()).join(', ');
  }
  if (key === 'severity') return (filters.severity ?? []).map((one) => SEVERITY_LABELS[one].toLowerCase()).join(', ');
  const value = filters[key];
  const visibility = VISIBILITY_KEYS.find((one) => one === key);
  if (visibility !== undefined || key === 'kev') return VISIBILITY_LABELS[value === 'only' ? 'only' : 'hide'];
  if (Array.isArray(value)) return listed(value, key, naming);
  return String(value ?? '');
};

/** Every active filter, in a fixed order; the search last. */
export const filterChips = (view: FindingView, naming: Naming): FilterChip[] => {
  const chips: FilterChip[] = [];
  for (const key of FILTER_KEYS) {
    const value = view.filters[key];
    const isActive = value !== undefined && value !== 'show' && (!Array.isArray(value) || value.length > 0);
    if (isActive) chips.push({ key, label: FILTERS[key].label, value: chipValue(view.filters, key, naming) });
  }
  if (view.search !== '') chips.push({ key: 'search', label: 'Search', value: view.search });
  return chips;
};

const isDefault = ({ filters }: FindingView, key: FilterChip['key']): boolean =>
  key === 'status'
    ? isOpenStatus(filters.status)
    : VISIBILITY_KEYS.some((one) => one === key && filters[one] === 'hide');

/** The filter to give up first where nothing matches: the last that somebody chose, before those every list begins with. */
export const lastChosen = (view: FindingView, chips: readonly FilterChip[]): FilterChip | undefined =>
  chips.findLast((chip) => !isDefault(view, chip.key)) ?? chips.at(-1);

/** The view without one of its filters. */
export const withoutFilter = (view: FindingView, key: FilterChip['key']): FindingView => {
  if (key === 'search') return { ...view, search: '' };
  const filters = { ...view.filters };
  delete filters[key];
  return { ...view, filters };
};

/** The view without any filter; sorting stays. */
export const withoutFilters = (view: FindingView): FindingView => ({ ...view, filters: {}, search: '' });
