import { FINDING_TYPES, SEVERITIES } from '@breakwater/sdk';
import { MITIGATIONS, REMEDIATION_TYPES } from '../model/remediation-type.ts';
import { SLA_STATES } from '../model/sla.ts';
import { FINDING_STATUSES, OPEN_STATUSES } from '../model/states.ts';
import { type Filters, isOpenStatus } from './finding-view.ts';
import type { FacetKey } from './findings.store.ts';

/** Facets that are filters with a list of values. */
export type ListKey = Exclude<FacetKey, 'kev' | 'verdict'>;

/** Filters whose values are words of ours. */
const CHOICES = {
  severity: SEVERITIES,
  type: FINDING_TYPES,
  status: FINDING_STATUSES,
  remediation_type: REMEDIATION_TYPES,
  mitigation: MITIGATIONS,
  sla: SLA_STATES,
  review_requested: ['true', 'false'],
} as const;
type ChoiceKey = keyof typeof CHOICES;

/** Words of people and tools: any text is a value. */
type WordKey = Exclude<ListKey, ChoiceKey | 'cwe'>;

const toggled = <T>(values: readonly T[], value: T): T[] =>
  values.includes(value) ? values.filter((one) => one !== value) : [...values, value];

/** Chosen values of one filter, as texts. */
export const selectedValues = (filters: Filters, key: FacetKey): string[] => {
  if (key === 'kev' || key === 'verdict') return [];
  return (filters[key] ?? []).map(String);
};

const put = <K extends ListKey>(filters: Filters, key: K, values: Filters[K] & unknown[]): Filters => {
  const next: Filters = { ...filters };
  if (values.length === 0) delete next[key];
  else next[key] = values;
  return next;
};

const chosen = <T extends string>(allowed: readonly T[], current: readonly T[] | undefined, value: string): T[] => {
  const known = allowed.find((one) => one === value);
  return known === undefined ? [...(current ?? [])] : toggled(current ?? [], known);
};

const TOGGLES: { [K in ChoiceKey]: (filters: Filters, value: string) => Filters } = {
  severity: (filters, value) => put(filters, 'severity', chosen(CHOICES.severity, filters.severity, value)),
  type: (filters, value) => put(filters, 'type', chosen(CHOICES.type, filters.type, value)),
  status: (filters, value) => put(filters, 'status', chosen(CHOICES.status, filters.status, value)),
  remediation_type: (filters, value) =>
    put(filters, 'remediation_type', chosen(CHOICES.remediation_type, filters.remediation_type, value)),
  mitigation: (filters, value) => put(filters, 'mitigation', chosen(CHOICES.mitigation, filters.mitigation, value)),
  sla: (filters, value) => put(filters, 'sla', chosen(CHOICES.sla, filters.sla, value)),
  review_requested: (filters, value) =>
    put(filters, 'review_requested', chosen(CHOICES.review_requested, filters.review_requested, value)),
};

const isChoice = (key: ListKey): key is ChoiceKey => key in CHOICES;
const isWord = (key: ListKey): key is WordKey => !isChoice(key) && key !== 'cwe';

/** Adds a value to one filter, or takes it away. Values that the filter does not know change nothing. */
export const toggleValue = (filters: Filters, key: FacetKey, value: string): Filters => {
  if (key === 'kev' || key === 'verdict') return filters;
  if (isChoice(key)) return TOGGLES[key](filters, value);
  if (isWord(key)) return put(filters, key, toggled(filters[key] ?? [], value));
  const number = Number(value.replace(/^CWE-/i, ''));
  return Number.isInteger(number) ? put(filters, 'cwe', toggled(filters.cwe ?? [], number)) : filters;
};

/** All statuses but the end state, or no status filter. */
export const toggleOpen = (filters: Filters): Filters =>
  put(filters, 'status', isOpenStatus(filters.status) ? [] : [...OPEN_STATUSES]);
