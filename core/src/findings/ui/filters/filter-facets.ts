import { FINDING_TYPES, SEVERITIES } from '@breakwater/sdk';
import { SLA_STATES } from '../../model/sla.ts';
import { FINDING_STATUSES, MITIGATIONS, OPEN_STATUSES, REMEDIATION_TYPES } from '../../model/states.ts';
import { type Filters, isOpenStatus, type RangeFilter } from '../data/finding-view.ts';
import type { FacetKey } from '../data/findings.store.ts';

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

const options = (key: ListKey, isLong = false): FilterField => ({ kind: 'options', key, isLong });

/** The whole filter state. Source: specification §3 "Finding filter state". */
export const FILTER_GROUPS: readonly FilterGroup[] = [
  {
    key: 'source_control',
    label: 'Source control',
    fields: [options('repository'), options('branch'), options('provider')],
  },
  { key: 'scan_info', label: 'Scan', fields: [{ kind: 'dates' }, options('tool')] },
  {
    key: 'code_info',
    label: 'Code',
    fields: [options('file', true), options('language'), { kind: 'columns' }, options('excluded_file_types')],
  },
  {
    key: 'developer_info',
    label: 'People',
    fields: [
      options('developer'),
      options('issue_owner'),
      options('review_requested'),
      options('review_requested_by_id'),
    ],
  },
  {
    key: 'remediation_info',
    label: 'Remediation',
    fields: [
      options('status'),
      options('sla'),
      options('mitigation'),
      options('remediation_type'),
      { kind: 'range', key: 'fixing_effort' },
    ],
  },
  {
    key: 'policy_info',
    label: 'Policy',
    fields: [options('policy_name', true), options('policy_category', true), options('policy_control', true)],
  },
  {
    key: 'vulnerability_info',
    label: 'Vulnerability',
    fields: [
      options('severity'),
      { kind: 'range', key: 'priority' },
      { kind: 'range', key: 'cvssv3_score' },
      options('type'),
      options('category'),
      options('cwe', true),
      options('cve', true),
      options('component', true),
      options('owasp'),
      options('slsa_threats'),
    ],
  },
  { key: 'other_info', label: 'Other', fields: [{ kind: 'visibility' }, options('tags'), options('owasp_cicd')] },
];

/** The filters most used, beside the search. */
export const QUICK_FILTERS: readonly ListKey[] = ['severity', 'status', 'repository', 'tool'];
