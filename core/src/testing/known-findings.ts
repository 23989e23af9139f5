import { SEVERITIES } from '@breakwater/sdk';
import type { FindingFilters } from '../findings/model/filters.ts';
import type { Viewer } from '../findings/server/index.ts';
import type { KnownFinding, KnownRepository } from './random-findings.ts';

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
  const { title, rule_id, cve, component } = finding.subject;
  const text = [title, rule_id, cve ?? '', component ?? '', ''].join(' ').toLowerCase();
  const words = search.trim().toLowerCase();
  return text.includes(words) || (finding.path?.toLowerCase().includes(words) ?? false);
};

export const isVisible = (finding: KnownFinding, viewer: Viewer, repositories: readonly KnownRepository[]): boolean =>
  viewer.seesAll ||
  finding.issue_owner === viewer.userId ||
  finding.developers?.includes(viewer.userId) === true ||
  repositories.some((one) => one.id === finding.repository_id && one.owner === viewer.userId);

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
  kev: (of, filters) => shown(filters.kev, of.kev),
  verdict: (of, filters) =>
    shown(filters.false_positive, of.verdict === 'false_positive') &&
    shown(filters.accepted_risk, of.verdict === 'accepted_risk'),
  hidden: (of, filters) =>
    shown(filters.is_duplicate, of.is_duplicate || of.verdict === 'duplicate') &&
    shown(filters.is_subfinding, of.is_subfinding),
  cwe: (of, filters) => filters.cwe === undefined || of.subject.cwe.some((cwe) => filters.cwe?.includes(cwe)),
  cve: (of, filters) => among(filters.cve, of.subject.cve),
  owasp: (of, filters) => among(filters.owasp, of.subject.owasp),
  slsa_threats: (of, filters) => overlaps(filters.slsa_threats, of.subject.slsa_threats),
  owasp_cicd: (of, filters) => overlaps(filters.owasp_cicd, of.subject.owasp_cicd),
  component: (of, filters) => among(filters.component, of.subject.component),
  file: (of, filters) => among(filters.file, of.path),
  ranges: (of, filters) =>
    within(of.priority, filters.priority_gt, filters.priority_lt) &&
    within(of.cvss, filters.cvssv3_score_gt, filters.cvssv3_score_lt) &&
    (filters.date_gt === undefined || of.date.slice(0, 10) >= filters.date_gt) &&
    (filters.date_lt === undefined || of.date.slice(0, 10) <= filters.date_lt),
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

type SortKey = (finding: KnownFinding) => (number | string | null)[];

const rank = (finding: KnownFinding): number => -SEVERITIES.indexOf(finding.severity);

const SORT_KEYS: Readonly<Record<string, SortKey>> = {
  priority: (of) => [of.priority, of.id],
  severity: (of) => [rank(of), of.priority, of.id],
  date: (of) => [of.date, of.id],
  cvssv3_score: (of) => [of.cvss, of.id],
  estimated_epss: (of) => [of.epss, of.id],
  _id: (of) => [of.id],
};

/** Sorts as the list does: unknown values last both ways, ids break ties. */
export const sorted = (findings: readonly KnownFinding[], field: string, direction: 'asc' | 'desc'): KnownFinding[] => {
  const keyOf = SORT_KEYS[field];
  if (keyOf === undefined) throw new Error(`No order ${field}`);
  const sign = direction === 'asc' ? 1 : -1;
  return [...findings].sort((a, b) => {
    const [left, right] = [keyOf(a), keyOf(b)];
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
