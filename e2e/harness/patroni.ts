import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, readdir, readlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { chooseLaunch, giveTo, type Launch } from '@breakwater/host-server/postgres/privileges.ts';
import { findProgram, installPackages, newestPostgres } from '../../tools/suites/machine.ts';
import { ask } from './own-postgres.ts';
import { haproxySettings, type NodeSettings, patroniSettings } from './patroni-settings.ts';
import { emptyFolder, freePort, removeFolder } from './server.ts';

/** PostgreSQL with streaming replication, whose failover Patroni does; all of it from Debian's packages. */
export interface PatroniCluster {
  /** Address of a database where HAProxy leads: the primary, whichever node that is. */
  url(database: string, user?: string): string;
  /** The rows of the last statement, asked of the primary. */
  query(text: string, database?: string): Promise<Record<string, unknown>[]>;
  port: number;
  /** Kills Patroni and every process of PostgreSQL on the node of the primary (SIGKILL), as a power cut would. @returns its name. */
  killPrimary(): Promise<string>;
  /** Starts the node again, and waits until it and all others replicate. */
  restart(name: string): Promise<void>;
  stop(): Promise<void>;
}

interface Node extends NodeSettings {
  patroni: ChildProcess | undefined;
}

const PACKAGES = { patroni: 'patroni', etcd: 'etcd-server', haproxy: 'haproxy', pgbouncer: 'pgbouncer' };
const NODES = ['node1', 'node2', 'node3'];
const PATIENCE_MS = 180_000;
const LINES_KEPT = 60;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const until = async (what: string, isSo: () => Promise<boolean>, tail: () => string): Promise<void> => {
  for (const deadline = Date.now() + PATIENCE_MS; !(await isSo().catch(() => false)); await pause(250))
    if (Date.now() > deadline) throw new Error(`${what}: not after ${PATIENCE_MS / 1000} s\n${tail()}`);
};

/** Installs what is missing. @returns the folder of PostgreSQL's programs. */
const requirePrograms = async (): Promise<string> => {
  const missing = [];
  for (const [program, name] of Object.entries(PACKAGES))
    if ((await findProgram(program)) === undefined) missing.push(name);
  if ((await newestPostgres()) === undefined) missing.push('postgresql');
  const issue = missing.length === 0 ? undefined : await installPackages(missing);
  if (issue !== undefined)
    throw new Error(`Install what the failover needs: apt-get install ${missing.join(' ')} (${issue})`);
  return `/usr/lib/postgresql/${await newestPostgres()}/bin`;
};

/** PostgreSQL works in the folder of its data, and so do all of its processes. */
const processesIn = async (folder: string): Promise<number[]> => {
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const places = await Promise.all(numbers.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')));
  return numbers.filter((_pid, index) => places[index] === folder);
};

const killAll = (pids: readonly number[]): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // it has ended meanwhile
    }
  }
};

const end = async (child: ChildProcess | undefined): Promise<void> => {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
};

const killNode = async (node: Node): Promise<void> => {
  await end(node.patroni);
  const data = path.join(node.folder, 'data');
  for (let left = await processesIn(data); left.length > 0; left = await processesIn(data)) killAll(left);
};

const roleOf = async ({ restPort }: Node): Promise<string> => {
  const response = await fetch(`http://127.0.0.1:${restPort}/primary`, { method: 'OPTIONS' }).catch(() => undefined);
  return response?.status === 200 ? 'primary' : 'other';
};

const planNodes = async (folder: string): Promise<Node[]> => {
  const nodes: Node[] = [];
  for (const name of NODES) {
    const ports = { postgresPort: await freePort(), restPort: await freePort() };
    nodes.push({ name, folder: path.join(folder, name), ...ports, patroni: undefined });
  }
  return nodes;
};

/** Starts a program in a folder of the cluster and keeps what it says. */
type Start = (name: string, program: keyof typeof PACKAGES, args: string[], cwd: string) => Promise<ChildProcess>;

/** @param launch as which user. @param lines get the last that any of them said. */
const createStart =
  ({ command, options }: Launch, lines: string[]): Start =>
  async (name, program, args, cwd) => {
    const [file, all] = command((await findProgram(program)) ?? program, args);
    const child = spawn(file, all, { ...options, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        lines.push(
          ...text
            .trimEnd()
            .split('\n')
            .map((line) => `${name}: ${line}`),
        );
        lines.splice(0, lines.length - LINES_KEPT);
      });
    }
    return child;
  };

/** @returns the process and the port for Patroni. */
const startEtcd = async (start: Start, folder: string) => {
  const [port, peerPort] = [await freePort(), await freePort()];
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const args = [
    ...['--data-dir', path.join(folder, 'etcd'), '--initial-cluster', `default=${peer}`],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--log-level', 'warn'],
  ];
  return { port, etcd: await start('etcd', 'etcd', args, folder) };
};

/** Every node but the primary replicates, and one of them has all that is acknowledged. */
const isWhole = async (url: string): Promise<boolean> => {
  const rows = await ask(
    url,
    `select count(*)::int as n, count(*) filter (where sync_state = 'sync')::int as synchronous
     from pg_stat_replication where state = 'streaming'`,
  );
  return rows[0]?.['n'] === NODES.length - 1 && rows[0]?.['synchronous'] === 1;
};

const killPrimaryOf = async (nodes: readonly Node[]): Promise<string> => {
  const roles = await Promise.all(nodes.map(roleOf));
  const primary = nodes[roles.indexOf('primary')];
  if (primary === undefined) throw new Error('There is no primary to kill.');
  await killNode(primary);
  return primary.name;
};

/** Starts etcd, three nodes of PostgreSQL under Patroni and HAProxy on loopback, with an empty database `breakwater` of a user without more rights. */
export const startPatroniCluster = async (): Promise<PatroniCluster> => {
  const bin = await requirePrograms();
  const folder = await emptyFolder();
  const launch = await chooseLaunch([folder]);
  const lines: string[] = [];
  const start = createStart(launch, lines);
  await giveTo(launch.owner, folder);
  const nodes = await planNodes(folder);
  const port = await freePort();
  const url = (database: string, user = 'breakwater'): string => `postgresql://${user}@127.0.0.1:${port}/${database}`;
  const maintenance = url('postgres', 'postgres');
  const others: ChildProcess[] = [];
  const startNode = async (node: Node): Promise<void> => {
    node.patroni = await start(node.name, 'patroni', [path.join(node.folder, 'patroni.yml')], node.folder);
  };
  const untilWhole = (): Promise<void> =>
    until(
      'all nodes replicate',
      () => isWhole(maintenance),
      () => lines.join('\n'),
    );
  const stop = async (): Promise<void> => {
    for (const node of nodes) await killNode(node);
    await Promise.all(others.map(end));
    await removeFolder(folder);
  };
  try {
    const { etcd, port: etcdPort } = await startEtcd(start, folder);
    const haproxyFile = path.join(folder, 'haproxy.cfg');
    await writeFile(haproxyFile, haproxySettings(port, nodes));
    others.push(etcd, await start('haproxy', 'haproxy', ['-db', '-f', haproxyFile], folder));
    for (const node of nodes) {
      await mkdir(node.folder);
      await writeFile(path.join(node.folder, 'patroni.yml'), patroniSettings(node, etcdPort, bin));
      await giveTo(launch.owner, node.folder);
      await startNode(node);
    }
    await untilWhole();
    await ask(maintenance, 'create role breakwater login createrole');
    await ask(maintenance, 'create database breakwater owner breakwater');
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    ...{ url, port, stop },
    query: (text, database = 'breakwater') => ask(url(database, 'postgres'), text),
    killPrimary: () => killPrimaryOf(nodes),
    restart: async (name) => {
      for (const node of nodes) if (node.name === name) await startNode(node);
      await untilWhole();
    },
  };
};
