import { SEVERITIES } from '@breakwater/sdk';
import type { FindingFilters } from '../findings/model/filter-catalogue.ts';
import { slaStateOf } from '../findings/model/sla.ts';
import { FINDING_STATUSES, VERDICTS } from '../findings/model/states.ts';
import type { Viewer } from '../findings/server/index.ts';
import { loadFrameworks } from '../prioritisation/server/index.ts';
import type { KnownFinding, KnownRepository } from './random-findings.ts';

const placeIn = (words: readonly string[], word: string): number => words.indexOf(word);

/** What a filter means, said once more without SQL. */
export interface KnownRequest {
  viewer: Viewer;
  filters: FindingFilters;
  search: string;
}

const among = <T>(values: readonly T[] | undefined, value: T | null): boolean =>
  values === undefined || values.length === 0 || (value !== null && values.includes(value));

const overlaps = (wanted: readonly string[] | undefined, values: readonly string[]): boolean =>
  wanted === undefined || wanted.length === 0 || values.some((value) => wanted.includes(value));

const shown = (wanted: string | undefined, holds: boolean): boolean =>
  wanted === undefined || wanted === 'show' || (wanted === 'only') === holds;

const within = (value: number | null, low: number | undefined, high: number | undefined): boolean =>
  (low === undefined || (value !== null && value >= low)) && (high === undefined || (value !== null && value <= high));

const matchesSearch = (finding: KnownFinding, search: string): boolean => {
  const { title, rule_id, cve, component } = finding.definition;
  const text = [title, rule_id, cve ?? '', component ?? '', ''].join(' ').toLowerCase();
  const words = search.trim().toLowerCase();
  return text.includes(words) || (finding.path?.toLowerCase().includes(words) ?? false);
};

export const isVisible = (finding: KnownFinding, viewer: Viewer, repositories: readonly KnownRepository[]): boolean =>
  viewer.seesAll ||
  finding.issue_owner === viewer.userId ||
  finding.developers?.includes(viewer.userId) === true ||
  repositories.some((one) => one.id === finding.repository_id && one.owner === viewer.userId);

/** Titles of the categories that the random findings have. */
const TITLES: Readonly<Record<string, string>> = {
  'A01:2025': 'Broken Access Control',
  'A02:2025': 'Security Misconfiguration',
  'A03:2025': 'Software Supply Chain Failures',
  'A04:2025': 'Cryptographic Failures',
  'A05:2025': 'Injection',
  'CICD-SEC-1': 'Insufficient Flow Control Mechanisms',
  'CICD-SEC-6': 'Insufficient Credential Hygiene',
};

const policyOf = ({
  definition,
}: KnownFinding): { name: string | null; category: string | null; control: string | null } => {
  const { policy, owasp, owasp_cicd } = definition;
  if (policy !== null)
    return { name: policy.name ?? null, category: policy.category ?? null, control: policy.control ?? null };
  const control = owasp ?? owasp_cicd[0] ?? null;
  if (control === null) return { name: null, category: null, control: null };
  return {
    name: owasp === null ? 'OWASP CI/CD Top 10' : 'OWASP Top 10 2025',
    category: TITLES[control] ?? null,
    control,
  };
};

const mitigationOf = ({ definition }: KnownFinding): string => {
  if (definition.fixed_version !== null) return 'update';
  return definition.component === null ? 'change' : 'no_fix';
};

const remediationOf = ({ status }: KnownFinding): string[] => {
  if (status === 'issued') return ['issue'];
  return status === 'pr_submitted' || status === 'pr_accepted' ? ['pull_request'] : [];
};

const extensionOf = ({ path }: KnownFinding): string => path?.split('/').at(-1)?.split('.').slice(1).at(-1) ?? '';

const slaOf = (finding: KnownFinding): string[] => {
  if (!isOpen(finding)) return [];
  const age = Math.floor(Date.now() / 86_400_000) - Math.floor(Date.parse(finding.date) / 86_400_000);
  return [slaStateOf(finding.severity, age)];
};

const some = (value: string | null): string[] => (value === null || value === '' ? [] : [value]);

/** Values of a finding that a facet counts. */
export const facetValues = (finding: KnownFinding, key: string): string[] => {
  const { definition } = finding;
  const values: Record<string, () => string[]> = {
    cwe: () => definition.cwe.map(String),
    slsa_threats: () => definition.slsa_threats,
    owasp_cicd: () => definition.owasp_cicd,
    cve: () => some(definition.cve),
    owasp: () => some(definition.owasp),
    component: () => some(definition.component),
    repository: () => [finding.repository_id],
    branch: () => [],
    kev: () => [finding.kev ? 'only' : 'hide'],
    file: () => some(finding.path),
    resource: () => some(finding.resource),
    developer: () => finding.developers ?? [],
    review_requested: () => [String(finding.review_requested_by_id !== null)],
    policy_name: () => some(policyOf(finding).name),
    policy_category: () => some(policyOf(finding).category),
    policy_control: () => some(policyOf(finding).control),
    remediation_type: () => remediationOf(finding),
    mitigation: () => [mitigationOf(finding)],
    provider: () => ['git'],
    repository_tag: () => finding.repository_tags,
    tags: () => finding.tags,
    package_use: () => some(finding.package_use),
    sla: () => slaOf(finding),
    excluded_file_types: () => some(extensionOf(finding)),
    issue_owner: () => some(finding.issue_owner),
    review_requested_by_id: () => some(finding.review_requested_by_id),
  };
  const known = values[key];
  return known === undefined ? [String(finding[key as 'tool'])].filter((value) => value !== '') : known();
};

const FRAMEWORKS = await loadFrameworks();

/** By family, or by family and weakness: no random finding is about a setting. */
const speaksOf = ({ type, definition }: KnownFinding, key: string): boolean => {
  const match = FRAMEWORKS.match(key);
  if (match === undefined) return false;
  const has = (families: readonly string[]): boolean => families.includes(type);
  return (
    has(match.families) ||
    match.weaknesses.some((rule) => has(rule.families) && definition.cwe.some((cwe) => rule.cwe.includes(cwe)))
  );
};

/** Tests of each filter by the facet that it belongs to. */
export const tests: Readonly<Record<string, (finding: KnownFinding, filters: FindingFilters) => boolean>> = {
  severity: (of, filters) => among(filters.severity, of.severity),
  status: (of, filters) => among<string>(filters.status, of.status),
  type: (of, filters) => among<string>(filters.type, of.type),
  category: (of, filters) => among(filters.category, of.category),
  tool: (of, filters) => among(filters.tool, of.tool),
  language: (of, filters) => among(filters.language, of.language),
  repository: (of, filters) => among(filters.repository, of.repository_id),
  issue_owner: (of, filters) => among(filters.issue_owner, of.issue_owner),
  // each random finding was brought by a scan of its own id
  first_scan: (of, filters) => among(filters.first_scan, of.id),
  // all random findings are of default branches
  on_default_branch: (_, filters) => shown(filters.on_default_branch, true),
  kev: (of, filters) => shown(filters.kev, of.kev),
  verdict: (of, filters) =>
    shown(filters.false_positive, of.verdict === 'false_positive') &&
    shown(filters.accepted_risk, of.verdict === 'accepted_risk'),
  hidden: (of, filters) =>
    shown(filters.is_duplicate, of.is_duplicate || of.verdict === 'duplicate') &&
    shown(filters.is_subfinding, of.is_subfinding) &&
    shown(filters.needs_confirmation, of.needs_confirmation),
  cwe: (of, filters) => filters.cwe === undefined || of.definition.cwe.some((cwe) => filters.cwe?.includes(cwe)),
  cve: (of, filters) =>
    filters.cve === undefined ||
    [of.definition.cve ?? '', ...of.definition.aliases].some((name) => filters.cve?.includes(name)),
  owasp: (of, filters) => among(filters.owasp, of.definition.owasp),
  slsa_threats: (of, filters) => overlaps(filters.slsa_threats, of.definition.slsa_threats),
  owasp_cicd: (of, filters) => overlaps(filters.owasp_cicd, of.definition.owasp_cicd),
  component: (of, filters) => among(filters.component, of.definition.component),
  file: (of, filters) => among(filters.file, of.path),
  resource: (of, filters) => among(filters.resource, of.resource),
  developer: (of, filters) => overlaps(filters.developer, of.developers ?? []),
  review_requested: (of, filters) =>
    overlaps(filters.review_requested, [of.review_requested_by_id === null ? 'false' : 'true']),
  review_requested_by_id: (of, filters) => among(filters.review_requested_by_id, of.review_requested_by_id),
  vulnerability: (of, filters) => among(filters.vulnerability, of.definition.cve ?? of.definition.aliases[0] ?? null),
  rule: (of, filters) => among(filters.rule, of.definition.rule_id),
  policy_name: (of, filters) => among(filters.policy_name, policyOf(of).name),
  policy_category: (of, filters) => among(filters.policy_category, policyOf(of).category),
  policy_control: (of, filters) => among(filters.policy_control, policyOf(of).control),
  remediation_type: (of, filters) => overlaps(filters.remediation_type, remediationOf(of)),
  mitigation: (of, filters) => overlaps(filters.mitigation, [mitigationOf(of)]),
  provider: (_of, filters) => overlaps(filters.provider, ['git']),
  repository_tag: (of, filters) => overlaps(filters.repository_tag, of.repository_tags),
  tags: (of, filters) => overlaps(filters.tags, of.tags),
  control: (of, filters) =>
    filters.control === undefined || filters.control.length === 0 || filters.control.some((key) => speaksOf(of, key)),
  package_use: (of, filters) => among(filters.package_use, of.package_use),
  excluded_file_types: (of, filters) =>
    !(filters.excluded_file_types ?? []).some(
      (type) => extensionOf(of) !== '' && type.replace(/^\./, '').toLowerCase() === extensionOf(of),
    ),
  columns: (of, filters) =>
    (filters.start_column === undefined || of.start_column === filters.start_column) &&
    (filters.end_column === undefined || of.end_column === filters.end_column),
  sla: (of, filters) => overlaps(filters.sla, slaOf(of)),
  ranges: (of, filters) =>
    within(Math.floor(of.priority), filters.priority_gt, filters.priority_lt) &&
    within(of.effort, filters.fixing_effort_gt, filters.fixing_effort_lt) &&
    within(of.cvss, filters.cvssv3_score_gt, filters.cvssv3_score_lt) &&
    (filters.date_gt === undefined || of.date.slice(0, 10) >= filters.date_gt) &&
    (filters.date_lt === undefined || of.date.slice(0, 10) <= filters.date_lt) &&
    (filters.found_gt === undefined || of.first_seen.slice(0, 10) >= filters.found_gt) &&
    (filters.found_lt === undefined || of.first_seen.slice(0, 10) <= filters.found_lt) &&
    // none of the random findings was closed by an import
    filters.fixed_gt === undefined &&
    filters.fixed_lt === undefined,
};

/** Findings that a request means. `omit` leaves one test out, as a facet leaves out its own. */
export const matching = (
  all: { findings: readonly KnownFinding[]; repositories: readonly KnownRepository[] },
  request: KnownRequest,
  omit?: string,
): KnownFinding[] =>
  all.findings.filter(
    (finding) =>
      isVisible(finding, request.viewer, all.repositories) &&
      matchesSearch(finding, request.search) &&
      Object.entries(tests).every(([key, holds]) => key === omit || holds(finding, request.filters)),
  );

export const isOpen = (finding: KnownFinding): boolean =>
  finding.status !== 'mitigated' &&
  ['none', 'valid'].includes(finding.verdict) &&
  !finding.is_duplicate &&
  !finding.is_subfinding;

type SortKey = (finding: KnownFinding, repositories: readonly KnownRepository[]) => (number | string | null)[];

const rank = (finding: KnownFinding): number => -SEVERITIES.indexOf(finding.severity);

const SORT_KEYS: Readonly<Record<string, SortKey>> = {
  priority: (of) => [of.priority, of.id],
  severity: (of) => [rank(of), of.priority, of.id],
  date: (of) => [of.date, of.id],
  first_seen: (of) => [of.first_seen, of.id],
  cvssv3_score: (of) => [of.cvss, of.id],
  estimated_epss: (of) => [of.epss, of.id],
  _id: (of) => [of.id],
  status: (of) => [placeIn(FINDING_STATUSES, of.status), of.priority, of.id],
  verdict: (of) => [placeIn(VERDICTS, of.verdict), of.priority, of.id],
  type: (of) => [of.type.toLowerCase(), of.priority, of.id],
  tool: (of) => [of.tool, of.priority, of.id],
  category: (of) => [of.category.toLowerCase(), of.priority, of.id],
  language: (of) => [of.language, of.priority, of.id],
  repository: (of, all) => [all.find(({ id }) => id === of.repository_id)?.nickname ?? '', of.priority, of.id],
  kev: (of) => [Number(of.kev), of.priority, of.id],
};

/** Sorts as the list does: unknown values last both ways, ids break ties. */
export const sorted = (
  findings: readonly KnownFinding[],
  field: string,
  direction: 'asc' | 'desc',
  repositories: readonly KnownRepository[] = [],
): KnownFinding[] => {
  const keyOf = SORT_KEYS[field];
  if (keyOf === undefined) throw new Error(`No order ${field}`);
  const sign = direction === 'asc' ? 1 : -1;
  return [...findings].sort((a, b) => {
    const [left, right] = [keyOf(a, repositories), keyOf(b, repositories)];
    for (const [index, one] of left.entries()) {
      const other = right[index] ?? null;
      if (one === other) continue;
      if (one === null) return 1;
      if (other === null) return -1;
      return one < other ? -sign : sign;
    }
    return 0;
  });
};
