import { isOpenStatus } from '../../model/facet-labels.ts';
import {
  type FacetKey,
  FILTER_GROUP_LABELS,
  FILTER_KEYS,
  FILTERS,
  type FilterEntry,
  type FilterKey,
} from '../../model/filter-catalogue.ts';
import { OPEN_STATUSES, type Visibility } from '../../model/states.ts';
import type { Filters, RangeFilter, RangeKey, VisibilityKey } from '../data/finding-view.ts';

/** Facets that are filters with a list of values. */
export type ListKey = Exclude<FacetKey, 'kev' | 'verdict'>;

const toggled = <T>(values: readonly T[], value: T): T[] =>
  values.includes(value) ? values.filter((one) => one !== value) : [...values, value];

/** Chosen values of one filter, as texts. */
export const selectedValues = (filters: Filters, key: FacetKey): string[] => {
  if (key === 'kev' || key === 'verdict') return [];
  return (filters[key] ?? []).map(String);
};

const put = (filters: Filters, key: ListKey, values: readonly (string | number)[]): Filters => {
  const next: Filters = { ...filters };
  if (values.length === 0) delete next[key];
  else Object.assign(next, { [key]: values });
  return next;
};

/** Adds a value to one filter, or takes it away. Values that the filter does not know change nothing. */
export const toggleValue = (filters: Filters, key: FacetKey, value: string): Filters => {
  if (key === 'kev' || key === 'verdict') return filters;
  const entry: FilterEntry = FILTERS[key];
  if (entry.kind === 'choices' && !entry.choices.includes(value)) return filters;
  if (entry.kind !== 'cwe') return put(filters, key, toggled(selectedValues(filters, key), value));
  const number = Number(value.replace(/^CWE-/i, ''));
  return Number.isInteger(number) ? put(filters, key, toggled(filters.cwe ?? [], number)) : filters;
};

/** A switch set. Most verdicts that wait to be confirmed are of findings that a list hides: who asks for them is shown those too. */
export const withVisibility = (filters: Filters, key: VisibilityKey | 'kev', value: Visibility): Filters => {
  const next = { ...filters };
  if (value === 'show') delete next[key];
  else next[key] = value;
  if (key !== 'needs_confirmation' || value !== 'only') return next;
  for (const hidden of ['false_positive', 'accepted_risk'] as const) if (next[hidden] === 'hide') delete next[hidden];
  return next;
};

/** All statuses but the end state, or no status filter. */
export const toggleOpen = (filters: Filters): Filters =>
  put(filters, 'status', isOpenStatus(filters.status) ? [] : [...OPEN_STATUSES]);

/** One filter of the dialog. */
export type FilterField =
  | { kind: 'options'; key: ListKey; isLong?: boolean }
  | { kind: 'range'; key: RangeFilter }
  | { kind: 'dates' }
  | { kind: 'columns' }
  | { kind: 'visibility' };

export interface FilterGroup {
  key: string;
  label: string;
  fields: readonly FilterField[];
}

const isList = (key: FilterKey): key is ListKey => 'hasOptions' in FILTERS[key] && key !== 'kev';
const isBound = (key: FilterKey): key is RangeKey => FILTERS[key].kind === 'bound';
const RANGE_OF = {
  priority_gt: 'priority',
  priority_lt: 'priority',
  fixing_effort_gt: 'fixing_effort',
  fixing_effort_lt: 'fixing_effort',
  cvssv3_score_gt: 'cvssv3_score',
  cvssv3_score_lt: 'cvssv3_score',
} as const satisfies Record<RangeKey, RangeFilter>;

/** The field in which a filter is set. */
const fieldOf = (key: FilterKey): FilterField | undefined => {
  const entry: FilterEntry = FILTERS[key];
  if (isBound(key)) return { kind: 'range', key: RANGE_OF[key] };
  if (entry.kind === 'date') return { kind: 'dates' };
  if (entry.kind === 'column') return { kind: 'columns' };
  if (entry.kind === 'visibility') return { kind: 'visibility' };
  return isList(key) ? { kind: 'options', key, isLong: entry.isLong === true } : undefined;
};

const fieldsOf = (group: string): FilterField[] => {
  const entries = FILTER_KEYS.map((key): [FilterKey, FilterEntry] => [key, FILTERS[key]]);
  const fields = entries
    .filter(([, entry]) => entry.group?.[0] === group)
    .sort(([, one], [, other]) => (one.group?.[1] ?? 0) - (other.group?.[1] ?? 0))
    .flatMap(([key]) => fieldOf(key) ?? []);
  // two ends of a range, and the switches, share a field
  return [...new Map(fields.map((field) => [JSON.stringify(field), field])).values()];
};

/** The whole filter state. Source: specification §3 "Finding filter state". */
export const FILTER_GROUPS: readonly FilterGroup[] = Object.entries(FILTER_GROUP_LABELS).map(([key, label]) => ({
  key,
  label,
  fields: fieldsOf(key),
}));

/** The filters most used, beside the search. */
export const QUICK_FILTERS: readonly ListKey[] = ['severity', 'status', 'repository', 'tool'];
