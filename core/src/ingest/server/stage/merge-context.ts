import type pg from 'pg';

/**
 * The lock of a repository ($1), held until the transaction ends: by whoever merges into it, correlates its findings or removes it.
 */
export const LOCK_REPOSITORY = `select pg_advisory_xact_lock(hashtextextended('repository:' || $1, 0))`;

/** One import at work: its connection with the open transaction, and what its statements are limited to. */
export interface MergeContext {
  client: pg.ClientBase;
  clientId: string;
  /** Where findings are written: the repository, or of another branch than its default one that branch. */
  repositoryId: string;
  /** Null for the default branch. */
  branchId: string | null;
  scanId: string;
  /** All ids of the importer. */
  toolIds: readonly string[];
  scopeId: number;
  /** When a report of the scope was imported before; null at the first. */
  lastSeenAt: Date | null;
  /** That import. */
  lastScanId: string | null;
  /** Long text of the results is stored already: the scope has no history. */
  hasStoredDetails: boolean;
  /** ISO 8601; stands for the date of results without one. */
  reportDate: string;
}

/** Runs one statement and says how many rows it touched. */
export const run = async (context: Pick<MergeContext, 'client'>, text: string, values: unknown[]): Promise<number> => {
  const result = await context.client.query(text, values);
  return result.rowCount ?? 0;
};
