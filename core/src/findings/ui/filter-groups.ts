import type { ListKey } from './filter-facets.ts';
import type { RangeFilter } from './finding-view.ts';

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
