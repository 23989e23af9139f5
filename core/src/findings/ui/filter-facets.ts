import { FINDING_TYPES, SEVERITIES } from '@breakwater/sdk';
import { FINDING_STATUSES, OPEN_STATUSES } from '../model/states.ts';
import { type Filters, isOpenStatus } from './finding-view.ts';
import type { FacetKey } from './findings.store.ts';

/** Filters offered in the menu, most used first. */
export const FACET_KEYS = [
  'severity',
  'status',
  'type',
  'tool',
  'category',
  'repository',
  'branch',
  'cwe',
  'cve',
  'owasp',
  'slsa_threats',
  'owasp_cicd',
  'language',
] as const satisfies readonly FacetKey[];
export type MenuFacet = (typeof FACET_KEYS)[number];

const toggled = <T>(values: readonly T[], value: T): T[] =>
  values.includes(value) ? values.filter((one) => one !== value) : [...values, value];

/** Chosen values of one filter, as texts. */
export const selectedValues = (filters: Filters, key: FacetKey): string[] => {
  if (key === 'kev' || key === 'verdict') return [];
  return (filters[key] ?? []).map(String);
};

const put = <K extends MenuFacet>(filters: Filters, key: K, values: Filters[K] & unknown[]): Filters => {
  const next: Filters = { ...filters };
  if (values.length === 0) delete next[key];
  else next[key] = values;
  return next;
};

/** Adds a value to one filter, or takes it away. Values that the filter does not know change nothing. */
export const toggleValue = (filters: Filters, key: FacetKey, value: string): Filters => {
  const severity = SEVERITIES.find((one) => one === value);
  if (key === 'severity') return severity ? put(filters, key, toggled(filters.severity ?? [], severity)) : filters;
  const type = FINDING_TYPES.find((one) => one === value);
  if (key === 'type') return type ? put(filters, key, toggled(filters.type ?? [], type)) : filters;
  const status = FINDING_STATUSES.find((one) => one === value);
  if (key === 'status') return status ? put(filters, key, toggled(filters.status ?? [], status)) : filters;
  if (key === 'cwe') {
    const number = Number(value.replace(/^CWE-/i, ''));
    return Number.isInteger(number) ? put(filters, key, toggled(filters.cwe ?? [], number)) : filters;
  }
  if (key === 'kev' || key === 'verdict') return filters;
  return put(filters, key, toggled(filters[key] ?? [], value));
};

/** All statuses but the end state, or no status filter. */
export const toggleOpen = (filters: Filters): Filters =>
  put(filters, 'status', isOpenStatus(filters.status) ? [] : [...OPEN_STATUSES]);
