import { titleOf } from './finding-text.ts';

export { PriorityList, type PriorityRow } from './components/priority-list.tsx';
export { findingsHref } from './finding-view.ts';
export { countIssues, openFilters, topFindings } from './findings-queries.ts';

/** Address of one finding, beside the default list. */
export const findingHref = (id: string): string => `/findings/finding-details/${encodeURIComponent(id)}`;

/** A title without the CVE that stands beside it. */
export const plainTitle = ({ title, cve }: { title: string; cve: string | null }): string =>
  titleOf({ title, cve, rule_id: '' });
