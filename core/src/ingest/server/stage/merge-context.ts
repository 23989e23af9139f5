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

/**
 * Runs a statement that reads the whole scope by hash tables. Of a scope that was imported a moment ago the planner has no statistics, takes it
 * for one row, and would look up each of its findings by itself. Not for statements that look single rows up in large tables.
 */
export const readingWholeScope = async <T>(
  { client }: Pick<MergeContext, 'client'>,
  work: () => Promise<T>,
): Promise<T> => {
  await client.query('set local enable_nestloop = off');
  const result = await work();
  await client.query('set local enable_nestloop = on');
  return result;
};

/** Runs one statement and says how many rows it touched. */
export const run = async (context: Pick<MergeContext, 'client'>, text: string, values: unknown[]): Promise<number> => {
  const result = await context.client.query(text, values);
  return result.rowCount ?? 0;
};
