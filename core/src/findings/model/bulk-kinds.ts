/** Jobs over many findings, as `client_jobs.kind` says it. */
export const BULK_KINDS = ['findings.change', 'findings.undo'] as const;
export type BulkKind = (typeof BULK_KINDS)[number];
