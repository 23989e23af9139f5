import { type ChildProcess, spawn } from 'node:child_process';
import { chown, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { findProgram } from '../../tools/suites/machine.ts';
import { emptyFolder, freePort, removeFolder } from './server.ts';

export interface PgBouncer {
  /** Address of a database behind it. */
  url(database: string, user?: string): string;
  /** How many connections it has to the servers. */
  countServers(): Promise<number>;
  stop(): Promise<void>;
}

export interface PgBouncerOptions {
  /** Folder of the sockets of PostgreSQL, or its address in the network. */
  server: string | { host: string; port: number };
  mode: 'transaction' | 'session' | 'statement';
  /** Most connections to the server, for each user. */
  poolSize: number;
  /** Who may log in. */
  users: readonly string[];
  settings?: Readonly<Record<string, string>>;
}

const OWNER = 'breakwater';
/** The user "nobody" of every Linux. */
const NOBODY = 65534;

/** PostgreSQL lets only its own user into the folder of its sockets. */
const ownerOf = async (server: PgBouncerOptions['server']): Promise<{ uid: number; gid: number }> =>
  typeof server === 'string' ? stat(server) : { uid: NOBODY, gid: NOBODY };

const placeOf = (server: PgBouncerOptions['server']): string =>
  typeof server === 'string' ? `host=${server}` : `host=${server.host} port=${server.port}`;

const PORTS_TRIED = 5;
/** Whoever took its port first may accept a connection and say nothing. */
const SILENT_MS = 1_000;

/** @returns false where it ended instead: another process has its port. */
const isReadyInTime = async (url: string, child: ChildProcess, lines: string[]): Promise<boolean> => {
  for (const deadline = Date.now() + 60_000; ; ) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: SILENT_MS });
    const isReady = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => undefined);
    // what answers is not it
    if (child.exitCode !== null) return false;
    if (isReady) return true;
    if (Date.now() > deadline) throw new Error(`PgBouncer is not ready:\n${lines.join('')}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

const addressOf = (port: number, database: string, user = OWNER): string =>
  `postgresql://${user}@127.0.0.1:${port}/${database}`;

/** @returns undefined where another process took the port before it. */
const launch = async (program: string, folder: string, options: PgBouncerOptions) => {
  const port = await freePort();
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: path.join(folder, 'users.txt'),
    admin_users: OWNER,
    pool_mode: options.mode,
    default_pool_size: String(options.poolSize),
    max_client_conn: '500',
    ...options.settings,
  };
  const lines = Object.entries(settings).map(([key, value]) => `${key} = ${value}`);
  const file = path.join(folder, 'pgbouncer.ini');
  await writeFile(file, ['[databases]', `* = ${placeOf(options.server)}`, '[pgbouncer]', ...lines, ''].join('\n'));
  await writeFile(settings.auth_file, [...options.users, ''].map((user) => user && `"${user}" ""`).join('\n'));
  const { uid, gid } = await ownerOf(options.server);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chown(folder, uid, gid);
  const child = spawn(program, [file], {
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(isRoot ? { uid, gid } : {}),
  });
  const said: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => void said.push(text));
  if (await isReadyInTime(addressOf(port, 'pgbouncer'), child, said)) return { child, port };
  if (/in use/.test(said.join(''))) return undefined;
  throw new Error(`PgBouncer ended:\n${said.join('')}`);
};

/** Starts the PgBouncer of the machine on loopback. It does not run as root, and asks for no passwords. */
export const startPgBouncer = async (options: PgBouncerOptions): Promise<PgBouncer> => {
  const program = await findProgram('pgbouncer');
  if (program === undefined) throw new Error('There is no pgbouncer. Install it: apt-get install pgbouncer');
  const folder = await emptyFolder();
  let launched: Awaited<ReturnType<typeof launch>>;
  for (let attempt = 0; launched === undefined && attempt < PORTS_TRIED; attempt += 1)
    launched = await launch(program, folder, options);
  if (launched === undefined) throw new Error(`None of ${PORTS_TRIED} ports stayed free for PgBouncer.`);
  const { child, port } = launched;
  const url = (database: string, user?: string): string => addressOf(port, database, user);
  return {
    url,
    countServers: async () => {
      const admin = new pg.Client({ connectionString: url('pgbouncer') });
      await admin.connect();
      const { rowCount } = await admin.query('show servers');
      await admin.end();
      return rowCount ?? 0;
    },
    stop: async () => {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode === null && child.kill('SIGKILL')) await gone;
      await removeFolder(folder);
    },
  };
};
