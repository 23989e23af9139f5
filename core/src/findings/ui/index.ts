import { titleOf } from '../model/finding-text.ts';

export { MAX_FIXES_AT_ONCE } from '../model/bulk-limits.ts';
export { splitPath } from '../model/finding-headline.ts';
export { ASSESSED_LABELS, SEVERITY_LABELS, STATUS_LABELS, TYPE_LABELS, toolLabel } from '../model/labels.ts';
export { countIssues, openFilters, topFindings } from './data/finding-queries.ts';
export { type Filters, findingsHref, repositoriesOf } from './data/finding-view.ts';
export {
  type AssessmentPanelProps,
  type BulkFixProps,
  FINDING_FIX,
  type FixGroupsProps,
} from './detail/finding-fix.tsx';
export { importedByText, packageUseText } from './detail/package-use-text.ts';
export { PriorityList, type PriorityRow } from './list/finding-summary.tsx';
export { PathText } from './list/path-text.tsx';

/** The list of findings inside a client that a superadmin reads; in a chunk of its own. */
export const loadManagedFindings = async () => (await import('./list/managed-findings.tsx')).ManagedFindings;

/** The keys of the list; in a chunk of its own. */
export const loadKeyTable = async () => (await import('./triage/list-keys.tsx')).KeyTable;

/** A finding beside such a list. */
export const loadFindingPanel = async () => (await import('./detail/finding-panel.tsx')).FindingPanel;

/** Markdown that others wrote, without raw HTML and with safe links alone. */
export const loadSafeMarkdown = async () => (await import('./detail/safe-markdown.tsx')).SafeMarkdown;

/** Address of one finding, beside the default list. */
export const findingHref = (id: string): string => `/findings/finding-details/${encodeURIComponent(id)}`;

/** A title without the CVE that stands beside it. */
export const plainTitle = ({ title, cve }: { title: string; cve: string | null }): string =>
  titleOf({ title, cve, rule_id: '' });
