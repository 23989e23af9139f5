import { msg } from '../../platform/model/message.ts';

/** Where a scan that the server itself starts is. Source: decisions.md "States". */
export const SCAN_REQUEST_STATUSES = [
  'queued',
  'running',
  'parsing',
  'merging',
  'done',
  'failed',
  'cancelled',
] as const;
export type ScanRequestStatus = (typeof SCAN_REQUEST_STATUSES)[number];

/** What people read of a status. */
export const SCAN_REQUEST_LABELS: Readonly<Record<ScanRequestStatus, string>> = {
  queued: msg('Waiting'),
  running: msg('Scanning'),
  parsing: msg('Reading reports'),
  merging: msg('Importing'),
  done: msg('Done'),
  failed: msg('Failed'),
  cancelled: msg('Cancelled'),
};

/** Statuses of a scan that goes on. */
export const UNFINISHED_STATUSES = ['queued', 'running', 'parsing', 'merging'] as const;

/** Who began a scan. */
export const SCAN_TRIGGERS = ['person', 'schedule', 'push'] as const;
export type ScanTrigger = (typeof SCAN_TRIGGERS)[number];

/** What became of one scanner in a scan. `missing`: asked for, and not installed. */
export const TOOL_RUN_STATUSES = ['queued', 'running', 'importing', 'done', 'failed', 'missing', 'excluded'] as const;

/** One scanner of a scan. */
export interface ToolRun {
  /** Id of its catalogue entry, which is the tool of the report. */
  tool: string;
  title: string;
  version: string | null;
  status: (typeof TOOL_RUN_STATUSES)[number];
  /** Why it failed, for people. */
  detail: string | null;
  /** The import of its report. */
  scan_id: string | null;
}

/** Every scanner of the server. */
export const ALL_SCANNERS = 'all';
/** Clouds that are connected. Source: specification §9 "Cloud scan request type". */
export const CLOUD_SCAN = 'cloud';
/** Settings of repositories at their provider, read through the connection; nothing is cloned. */
export const POSTURE_SCAN = 'posture';
/** Category of the clouds' cards. */
export const CLOUD_CATEGORY = 'cloud-deployment';

/** Whether a scanner takes part: `all`, the key of its category, its id, or the name of its importer. */
export const isOfScanType = (
  scanType: string,
  scanner: { readonly id: string; readonly category: string; readonly importer: string | undefined },
): boolean => {
  const wanted = scanType.toLowerCase();
  return wanted === ALL_SCANNERS || [scanner.id, scanner.category, scanner.importer].includes(wanted);
};

/** How far a scan is, 0 to 100: the clone, then the scanners, then their imports. */
export const scanPercentage = (tools: readonly ToolRun[]): number => {
  if (tools.length === 0) return 5;
  const WEIGHT = { queued: 0, running: 0.2, importing: 0.8, done: 1, failed: 1, missing: 1, excluded: 1 } as const;
  const done = tools.reduce((sum, tool) => sum + WEIGHT[tool.status], 0);
  return Math.min(99, Math.round(20 + (80 * done) / tools.length));
};
