import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '@breakwater/host-server/postgres/embedded.ts';
import { migrate } from '@breakwater/host-server/postgres/migrate.ts';
import pg from 'pg';

/**
 * Runs a measurement on a migrated database of its own, which is gone afterwards unless a folder is named for it: then the next run finds
 * what this one stored. @param measure gets the owner's connection and the address.
 */
export const withOwnDatabase = async (
  measure: (owner: pg.Client, url: string) => Promise<void>,
  kept?: string,
): Promise<void> => {
  if (kept !== undefined) await mkdir(kept, { recursive: true });
  const folder = kept ?? (await mkdtemp(path.join(os.tmpdir(), 'breakwater-bench-')));
  await chmod(folder, 0o755);
  const server = await startEmbeddedPostgres({ dataDirectory: folder, isDurable: false });
  try {
    await migrate(server.url);
    const owner = new pg.Client({ connectionString: server.url });
    await owner.connect();
    try {
      await measure(owner, server.url);
    } finally {
      await owner.end();
    }
  } finally {
    await server.stop();
    if (kept === undefined) await rm(folder, { recursive: true, force: true });
  }
};
