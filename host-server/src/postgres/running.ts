import { readFile, rm } from 'node:fs/promises';
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

/** Beginning of the name of the folders that hold our sockets. */
export const SOCKET_FOLDER = 'breakwater-pg-';
const POLL_MS = 50;

/** State letter of a process as the kernel gives it; null when there is no such process. `Z` is dead but not yet collected. */
const stateOf = async (pid: number): Promise<string | null> => {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2)[0] ?? null;
  } catch {
    if (process.platform === 'linux') return null;
  }
  try {
    process.kill(pid, 0);
    return 'S';
  } catch {
    return null;
  }
};

const isAlive = async (pid: number): Promise<boolean> => {
  const state = await stateOf(pid);
  return state !== null && state !== 'Z';
};

const waitUntilGone = async (pid: number, timeoutMs: number): Promise<boolean> => {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; ) {
    if (!(await isAlive(pid))) return true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return false;
};

const isPostgresOf = async (pid: number, data: string): Promise<boolean> => {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0').includes(data);
  } catch {
    return process.platform !== 'linux';
  }
};

/**
 * Stops the PostgreSQL that a killed Breakwater left running on this data folder, and removes its sockets. A stale postmaster.pid (its process is
 * gone, or is another program by now) is left to PostgreSQL, which replaces it.
 */
export const stopLeftover = async (data: string): Promise<void> => {
  const text = await readFile(path.join(data, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  await stopProcess(pid, data);
  const sockets = text.split('\n')[SOCKET_LINE] ?? '';
  if (path.basename(sockets).startsWith(SOCKET_FOLDER)) await rm(sockets, { recursive: true, force: true });
};

const stopProcess = async (pid: number, data: string): Promise<void> => {
  if (!Number.isInteger(pid) || pid <= 0) return;
  if (!(await isAlive(pid)) || !(await isPostgresOf(pid, data))) return;
  process.kill(pid, 'SIGINT');
  if (await waitUntilGone(pid, 20_000)) return;
  process.kill(pid, 'SIGQUIT');
  if (await waitUntilGone(pid, 10_000)) return;
  throw new Error(
    `An older PostgreSQL (process ${pid}) still uses ${data} and does not stop. End it, then start again.`,
  );
};
