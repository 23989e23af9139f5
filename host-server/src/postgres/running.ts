import { readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';

const SOCKET_LINE = 4;

/** Connection string of the embedded PostgreSQL that a running server keeps on this data folder, if there is one. */
export const findRunningPostgres = async (dataDirectory: string): Promise<string | undefined> => {
  const text = await readFile(path.join(dataDirectory, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '');
  const sockets = text.split('\n')[SOCKET_LINE];
  if (sockets === undefined || sockets === '') return undefined;
  const url = `postgresql://breakwater@/postgres?host=${encodeURIComponent(sockets)}`;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000 });
  try {
    await client.connect();
    return url;
  } catch {
    // the file of a server that is gone
    return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
};
