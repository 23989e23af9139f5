/** One thing a person asks for: the name of a route's handler, and the validated query it gets. */
export interface ListCase {
  name: string;
  group:
    | 'first page'
    | 'middle page'
    | 'last page'
    | 'filter'
    | 'combined'
    | 'search'
    | 'facets'
    | 'groups'
    | 'detail'
    | 'chart';
  path:
    | '/findings'
    | '/findings/groups'
    | '/fixes'
    | '/filter/findings'
    | '/findings/{id}'
    | '/findings_chart'
    | '/total_findings_chart'
    | (typeof CHARTS)[number];
  query: Record<string, unknown>;
  /** 0 is the first page, 1 the last. */
  depth?: number;
}

/** What the list shows unless told otherwise. */
const DEFAULT_VIEW = {
  status: ['enriched', 'pending_input', 'ready', 'pr_submitted', 'issued', 'pr_accepted', 'reopened'],
  false_positive: 'hide',
  accepted_risk: 'hide',
  is_duplicate: 'hide',
};
const SORTS = ['priority', 'severity', 'date', 'cvssv3_score', 'estimated_epss', '_id'];
const FACETS = [
  'severity',
  'status',
  'type',
  'category',
  'tool',
  'cwe',
  'cve',
  'owasp',
  'language',
  'repository',
  'kev',
  'verdict',
  'file',
  'component',
  'policy_name',
  'policy_category',
  'policy_control',
  'mitigation',
  'provider',
  'tags',
  'developer',
  'remediation_type',
  'sla',
  'excluded_file_types',
];

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

const FILTERS: Record<string, Record<string, unknown>> = {
  severity: { severity: ['low'] },
  'severity critical': { severity: ['critical'] },
  status: { status: ['mitigated'] },
  type: { type: ['SCA'] },
  category: { category: ['Injection'] },
  tool: { tool: ['gitleaks'] },
  language: { language: ['go'] },
  cwe: { cwe: [79] },
  cve: { cve: ['CVE-2015-1035'] },
  owasp: { owasp: ['A03:2025'] },
  component: { component: ['lodash-6'] },
  file: { file: ['lib/auth/module-1/service-1.py'] },
  kev: { kev: 'only' },
  'priority range': { priority_gt: 50 },
  'score range': { cvssv3_score_gt: 7 },
  'date range': { date_gt: daysAgo(90) },
  'date today': { date_gt: daysAgo(1) },
  'effort range': { fixing_effort_lt: 30 },
  'start column': { start_column: 5 },
  'end column': { end_column: 60 },
  'file types left out': { excluded_file_types: ['js', 'py'] },
  overdue: { sla: ['overdue'] },
  'due soon': { sla: ['due_soon'] },
  policy: { policy_name: ['OWASP Top 10 2025'] },
  'policy category': { policy_category: ['Injection'] },
  mitigation: { mitigation: ['no_fix'] },
  provider: { provider: ['git'] },
  tags: { tags: ['release'] },
  'remediation type': { remediation_type: ['issue'] },
  'false positives': { false_positive: 'only' },
  duplicates: { is_duplicate: 'only' },
};

const COMBINED: Record<string, Record<string, unknown>> = {
  'severe injections': { ...DEFAULT_VIEW, severity: ['critical', 'high'], type: ['SAST'], cwe: [79, 22, 78] },
  'recent high python': { ...DEFAULT_VIEW, severity: ['high'], language: ['python'], date_gt: daysAgo(90) },
  'exploited this month': { ...DEFAULT_VIEW, kev: 'only', date_gt: daysAgo(30) },
  'severe scores of a tool': { ...DEFAULT_VIEW, tool: ['grype', 'trivy'], cvssv3_score_gt: 9, priority_gt: 40 },
};

const SEARCHES: Record<string, string> = {
  rare: 'handler-77',
  'one package': 'lodash-12',
  common: 'injection',
  'very common': 'untrusted',
  'a folder': 'src',
  'one letter': 'e',
  none: 'zzzznothing',
  percent: '%',
  backslash: '\\',
};

const list = (name: string, group: ListCase['group'], query: Record<string, unknown>, depth = 0): ListCase => ({
  name,
  group,
  path: '/findings',
  query,
  depth,
});

const pages = (): ListCase[] =>
  SORTS.flatMap((field) =>
    ['desc', 'asc'].flatMap((sort) => {
      const query = { filters: DEFAULT_VIEW, sort, sort_field: field };
      const name = `${field} ${sort}`;
      return [
        list(name, 'first page', query),
        list(name, 'middle page', query, 0.5),
        list(name, 'last page', query, 1),
      ];
    }),
  );

const filters = (): ListCase[] =>
  Object.entries(FILTERS).flatMap(([name, filter]) => [
    list(`${name}, by priority`, 'filter', { filters: filter }),
    list(`${name}, by date`, 'filter', { filters: filter, sort_field: 'date' }),
    list(`${name}, last page`, 'filter', { filters: filter }, 1),
  ]);

const facets = (): ListCase[] => {
  const facet = (name: string, query: Record<string, unknown>): ListCase => ({
    name,
    group: 'facets',
    path: '/filter/findings',
    query,
  });
  return [
    facet('all, default view', { filters: DEFAULT_VIEW }),
    facet('all, nothing filtered', {}),
    ...FACETS.map((key) => facet(key, { filter_key: key, filters: DEFAULT_VIEW })),
    facet('all, one tool and severity', { filters: { ...DEFAULT_VIEW, tool: ['grype'], severity: ['high'] } }),
    facet('all, one weakness', { filters: { ...DEFAULT_VIEW, cwe: [79] } }),
  ];
};

const groups = (): ListCase[] =>
  ['vulnerability', 'component', 'file', 'rule', 'repository'].flatMap((by) =>
    ['count', 'priority', 'severity', 'name'].flatMap((sort_field) =>
      Object.entries({ 'default view': DEFAULT_VIEW, 'one severity': { ...DEFAULT_VIEW, severity: ['high'] } }).map(
        ([name, filters]): ListCase => ({
          name: `${by} by ${sort_field}, ${name}`,
          group: 'groups',
          path: '/findings/groups',
          query: { by, sort_field, filters, pagination: { page: 1, pageSize: 25 } },
        }),
      ),
    ),
  );

const CHARTS = [
  '/findings_by_repo_chart',
  '/supply_chain_chart',
  '/owasp_chart',
  '/slsa_threats_chart',
  '/owasp_cicd_chart',
  '/found_findings_chart',
  '/backlog_age_chart',
  '/overdue_chart',
  '/time_to_fix_chart',
] as const;

const chart = (name: string, path: ListCase['path'], query: Record<string, unknown>): ListCase => ({
  name,
  group: 'chart',
  path,
  query,
});

/** The dashboard as it opens, and under a filter that only cells can answer. */
const charts = (): ListCase[] =>
  CHARTS.flatMap((path) => [
    chart(`${path.slice(1)}, default view`, path, { filters: DEFAULT_VIEW }),
    chart(`${path.slice(1)}, one type`, path, { filters: { ...DEFAULT_VIEW, type: ['SAST'] } }),
  ]);

/** Everything that the list and the dashboard ask for. */
export const listCases = (): ListCase[] => [
  list('no filter', 'first page', {}),
  list('no filter', 'last page', {}, 1),
  ...pages(),
  ...filters(),
  ...Object.entries(COMBINED).flatMap(([name, filter]) => [
    list(name, 'combined', { filters: filter }),
    list(`${name}, by date`, 'combined', { filters: filter, sort_field: 'date' }),
  ]),
  ...Object.entries(SEARCHES).map(([name, search]) => list(name, 'search', { filters: DEFAULT_VIEW, search })),
  ...facets(),
  ...groups(),
  { name: 'groups by fix', group: 'groups', path: '/fixes', query: { filters: DEFAULT_VIEW } },
  { name: 'one finding', group: 'detail', path: '/findings/{id}', query: {} },
  { name: 'open now', group: 'chart', path: '/total_findings_chart', query: {} },
  { name: 'thirty days', group: 'chart', path: '/findings_chart', query: { period: '30d' } },
  { name: 'twelve weeks', group: 'chart', path: '/findings_chart', query: { period: '12w' } },
  { name: 'twelve months', group: 'chart', path: '/findings_chart', query: { period: '12m' } },
  ...charts(),
];
