import { FINDING_TYPES, SEVERITIES } from '@breakwater/sdk';
import { msg } from '../../platform/model/message.ts';
import { PACKAGE_USES } from '../../reachability/model/package-use.ts';
import { SLA_STATES } from './sla.ts';
import { FINDING_STATUSES, MITIGATIONS, REMEDIATION_TYPES, type Visibility } from './states.ts';

/** What answers a filter: the dimensions of the aggregates (source: what and where; disposition: what was decided), the definitions, or the rows. */
export type FilterSource = 'source' | 'disposition' | 'definition' | 'row';

/** Groups of the dialog of all filters, in its order. Source: specification §3 "Finding filter state". */
export const FILTER_GROUP_LABELS = {
  source_control: msg('Source control'),
  scan_info: msg('Scan'),
  code_info: msg('Code'),
  developer_info: msg('People'),
  remediation_info: msg('Remediation'),
  policy_info: msg('Policy'),
  vulnerability_info: msg('Vulnerability'),
  other_info: msg('Other'),
} as const;
export type FilterGroupKey = keyof typeof FILTER_GROUP_LABELS;

interface Common {
  label: string;
  source: FilterSource;
  /** Group of the dialog, and the position in it; without one it is set by links only. */
  group?: readonly [FilterGroupKey, number];
  /** Its values are counted and offered as options. */
  hasOptions?: true;
  /** So many values that the options are searched on the server. */
  isLong?: true;
  /** The facet that this filter narrows, where it is another than its own. */
  narrows?: 'verdict';
}

/** One filter. `choices`: words of ours. `words`: any text. `bound`: end of a range; at `full` it says nothing. */
export type FilterEntry = Common &
  (
    | { kind: 'choices'; choices: readonly string[] }
    | { kind: 'words' }
    | { kind: 'ids' }
    | { kind: 'cwe' }
    | { kind: 'column' }
    | { kind: 'bound'; min: number; max: number; full: number; isInteger: boolean }
    | { kind: 'date' }
    | { kind: 'visibility' }
  );

const from = (max: number) => ({ kind: 'bound', source: 'row', min: 0, max, full: 0 }) as const;
const upTo = (max: number) => ({ kind: 'bound', source: 'row', min: 0, max, full: max }) as const;
const onDefinition = { source: 'definition', hasOptions: true } as const;
const onSource = { source: 'source', hasOptions: true } as const;
const onDisposition = { source: 'disposition', hasOptions: true } as const;
const onRow = { source: 'row', hasOptions: true } as const;
const shown = { kind: 'visibility', group: ['other_info', 0] } as const;

/**
 * Every filter of findings lists, facets and charts, once: schema, address, chips, dialog, facets, saved views and exports are derived
 * from it, and its SQL stands under the same key in `server/filter/filter-sql.ts`. Source: specification §3, decisions.md "Wire shapes".
 */
export const FILTERS = {
  status: {
    kind: 'choices',
    choices: FINDING_STATUSES,
    label: msg('Status'),
    ...onDisposition,
    group: ['remediation_info', 0],
  },
  severity: {
    kind: 'choices',
    choices: SEVERITIES,
    label: msg('Severity'),
    ...onSource,
    group: ['vulnerability_info', 0],
  },
  type: { kind: 'choices', choices: FINDING_TYPES, label: msg('Type'), ...onSource, group: ['vulnerability_info', 3] },
  category: { kind: 'words', label: msg('Category'), ...onSource, group: ['vulnerability_info', 4] },
  tool: { kind: 'words', label: msg('Tool'), ...onSource, group: ['scan_info', 1] },
  repository: { kind: 'ids', label: msg('Repository'), ...onSource, group: ['source_control', 0] },
  /** Names; the default branch of each repository where none is given. */
  branch: { kind: 'words', label: msg('Branch'), ...onSource, group: ['source_control', 1] },
  cwe: { kind: 'cwe', label: msg('CWE'), ...onDefinition, group: ['vulnerability_info', 5], isLong: true },
  cve: { kind: 'words', label: msg('CVE'), ...onDefinition, group: ['vulnerability_info', 6], isLong: true },
  owasp: { kind: 'words', label: msg('OWASP'), ...onDefinition, group: ['vulnerability_info', 8] },
  slsa_threats: { kind: 'words', label: msg('SLSA threat'), ...onDefinition, group: ['vulnerability_info', 9] },
  owasp_cicd: { kind: 'words', label: msg('OWASP CI/CD'), ...onDefinition, group: ['other_info', 2] },
  language: { kind: 'words', label: msg('Language'), ...onSource, group: ['code_info', 1] },
  file: { kind: 'words', label: msg('File'), ...onRow, group: ['code_info', 0], isLong: true },
  component: {
    kind: 'words',
    label: msg('Component'),
    ...onDefinition,
    group: ['vulnerability_info', 7],
    isLong: true,
  },
  /** How the code of its repository uses the package that a finding is about. */
  package_use: {
    kind: 'choices',
    choices: PACKAGE_USES,
    label: msg('Package use'),
    ...onRow,
    group: ['vulnerability_info', 10],
  },
  /** Cloud resource, Kubernetes object, Terraform address, image or URL that a finding is about. */
  resource: { kind: 'words', label: msg('Resource'), ...onRow, group: ['code_info', 4], isLong: true },
  /** CVE, else the first other name of a vulnerability: exactly one group of findings. */
  vulnerability: { kind: 'words', label: msg('Vulnerability'), source: 'definition' },
  /** Rule ids of tools. */
  rule: { kind: 'words', label: msg('Rule'), source: 'definition' },
  /** Those a finding was sent to. */
  developer: { kind: 'ids', label: msg('Developer'), ...onDisposition, group: ['developer_info', 0] },
  issue_owner: { kind: 'ids', label: msg('Owner'), ...onDisposition, group: ['developer_info', 1] },
  review_requested: {
    kind: 'choices',
    choices: ['true', 'false'],
    label: msg('Review requested'),
    ...onDisposition,
    group: ['developer_info', 2],
  },
  review_requested_by_id: {
    kind: 'ids',
    label: msg('Review asked by'),
    ...onDisposition,
    group: ['developer_info', 3],
  },
  policy_category: {
    kind: 'words',
    label: msg('Policy category'),
    ...onDefinition,
    group: ['policy_info', 1],
    isLong: true,
  },
  policy_name: { kind: 'words', label: msg('Policy'), ...onDefinition, group: ['policy_info', 0], isLong: true },
  policy_control: {
    kind: 'words',
    label: msg('Policy control'),
    ...onDefinition,
    group: ['policy_info', 2],
    isLong: true,
  },
  /** By what was opened for a finding. */
  remediation_type: {
    kind: 'choices',
    choices: REMEDIATION_TYPES,
    label: msg('Remediation'),
    ...onDisposition,
    group: ['remediation_info', 3],
  },
  /** What removes it: an update, nothing known yet, a change of code or configuration. */
  mitigation: {
    kind: 'choices',
    choices: MITIGATIONS,
    label: msg('Mitigation'),
    ...onDefinition,
    group: ['remediation_info', 2],
  },
  /** Controls of frameworks, `pci-dss-4:6.2.4`; `pci-dss-4` is any control of that framework. */
  control: { kind: 'words', label: msg('Control'), source: 'row' },
  /** Source control of the repository. */
  provider: { kind: 'words', label: msg('Provider'), ...onSource, group: ['source_control', 2] },
  /** Of the repository; a finding has tags of its own besides. */
  repository_tag: { kind: 'words', label: msg('Repository tag'), ...onSource, group: ['source_control', 3] },
  tags: { kind: 'words', label: msg('Tag'), ...onRow, group: ['other_info', 1] },
  /** Endings of file names to leave out: `md`, `.lock`. */
  excluded_file_types: { kind: 'words', label: msg('Without file types'), ...onRow, group: ['code_info', 3] },
  /** First and last column of the code location, as reported. */
  start_column: { kind: 'column', label: msg('First column'), source: 'row', group: ['code_info', 2] },
  end_column: { kind: 'column', label: msg('Last column'), source: 'row', group: ['code_info', 2] },
  /** Open findings by the time their severity allows. */
  sla: { kind: 'choices', choices: SLA_STATES, label: msg('Due'), ...onRow, group: ['remediation_info', 1] },
  cvssv3_score_gt: { ...from(10), isInteger: false, label: msg('CVSS from'), group: ['vulnerability_info', 2] },
  cvssv3_score_lt: { ...upTo(10), isInteger: false, label: msg('CVSS up to'), group: ['vulnerability_info', 2] },
  priority_gt: { ...from(100), isInteger: true, label: msg('Priority from'), group: ['vulnerability_info', 1] },
  priority_lt: { ...upTo(100), isInteger: true, label: msg('Priority up to'), group: ['vulnerability_info', 1] },
  fixing_effort_gt: { ...from(100), isInteger: true, label: msg('Effort from'), group: ['remediation_info', 4] },
  fixing_effort_lt: { ...upTo(100), isInteger: true, label: msg('Effort up to'), group: ['remediation_info', 4] },
  /** The scans that brought it: what is new since. */
  first_scan: { kind: 'ids', label: msg('New in scan'), source: 'row' },
  /** Whether the default branch of its repository has it too, open or not: without those, what a branch brings. */
  on_default_branch: { kind: 'visibility', label: msg('On the default branch'), source: 'row' },
  /** By the day on which the tool reported it, from which its due date counts. */
  date_gt: { kind: 'date', label: msg('Reported since'), source: 'row', group: ['scan_info', 0] },
  date_lt: { kind: 'date', label: msg('Reported until'), source: 'row', group: ['scan_info', 0] },
  /** By the day of its first import here. */
  found_gt: { kind: 'date', label: msg('Found here since'), source: 'row', group: ['scan_info', 0] },
  found_lt: { kind: 'date', label: msg('Found here until'), source: 'row', group: ['scan_info', 0] },
  /** Closed because a report no longer has them, or by a person. */
  fixed_gt: { kind: 'date', label: msg('Fixed since'), source: 'row' },
  fixed_lt: { kind: 'date', label: msg('Fixed until'), source: 'row' },
  kev: { ...shown, label: msg('Known exploited'), ...onSource },
  false_positive: { ...shown, label: msg('False positives'), source: 'disposition', narrows: 'verdict' },
  accepted_risk: { ...shown, label: msg('Accepted risk'), source: 'disposition', narrows: 'verdict' },
  /** Verdicts that were carried to another line by position alone. */
  needs_confirmation: { ...shown, label: msg('Verdicts to confirm'), source: 'row' },
  is_duplicate: { ...shown, label: msg('Duplicates'), source: 'disposition' },
  is_subfinding: { ...shown, label: msg('Sub-findings'), source: 'disposition' },
} as const satisfies Readonly<Record<string, FilterEntry>>;

export type FilterKey = keyof typeof FILTERS;
type Filters = typeof FILTERS;

/** Keys of the filters of a kind. */
export type KeysOfKind<Kind extends FilterEntry['kind']> = {
  [K in FilterKey]: Filters[K]['kind'] extends Kind ? K : never;
}[FilterKey];

/** Keys of the filters with options that a source answers. */
export type OptionKeysOf<Source extends FilterSource> = {
  [K in FilterKey]: Filters[K] extends { hasOptions: true; source: Source } ? K : never;
}[FilterKey];

type ValueOf<Entry> = Entry extends { choices: readonly (infer Choice)[] }
  ? Choice[]
  : Entry extends { kind: 'words' | 'ids' }
    ? string[]
    : Entry extends { kind: 'cwe' }
      ? number[]
      : Entry extends { kind: 'column' | 'bound' }
        ? number
        : Entry extends { kind: 'date' }
          ? string
          : Visibility;

/** The filters of a request. An absent filter filters nothing. */
export type FindingFilters = { [K in FilterKey]?: ValueOf<Filters[K]> };

const isFilterKey = (key: string): key is FilterKey => key in FILTERS;

/** All filters, in the order of the catalogue. */
export const FILTER_KEYS: readonly FilterKey[] = Object.keys(FILTERS).filter(isFilterKey);

const isOfKind =
  <Kind extends FilterEntry['kind']>(kind: Kind) =>
  (key: FilterKey): key is KeysOfKind<Kind> =>
    FILTERS[key].kind === kind;

export const keysOfKind = <Kind extends FilterEntry['kind']>(kind: Kind): KeysOfKind<Kind>[] =>
  FILTER_KEYS.filter(isOfKind(kind));

/** Filters that have options, and the verdict, which is a facet only. */
export type FacetKey = OptionKeysOf<FilterSource> | 'verdict';

const hasOptions = (key: FilterKey): key is OptionKeysOf<FilterSource> => 'hasOptions' in FILTERS[key];

export const FACET_KEYS: readonly FacetKey[] = [...FILTER_KEYS.filter(hasOptions), 'verdict'];

/** What the options of a facet are counted from. */
export const facetSource = (key: FacetKey): FilterSource => (key === 'verdict' ? 'disposition' : FILTERS[key].source);

/** The facet whose options leave the condition of this filter out. */
export const facetOf = (key: FilterKey): string => {
  const entry: FilterEntry = FILTERS[key];
  return entry.narrows ?? key;
};

/** What findings can be put together by. */
export const GROUP_KEYS = [
  'vulnerability',
  'component',
  'file',
  'rule',
  'repository',
] as const satisfies readonly FilterKey[];
export type GroupKey = (typeof GROUP_KEYS)[number];

/** Orders of groups. */
export const GROUP_SORTS = ['count', 'priority', 'severity', 'name'] as const;
export type GroupSort = (typeof GROUP_SORTS)[number];

/** The filters that show exactly the findings of a group of a list. A rule is one tool's. */
export const filtersOfGroup = (
  filters: FindingFilters,
  by: GroupKey,
  group: { key: string; tool: string | null },
): FindingFilters => {
  const own = { ...filters, [by]: [group.key] };
  return by === 'rule' && group.tool !== null ? { ...own, tool: [group.tool] } : own;
};
