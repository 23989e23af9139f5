import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, readlink, realpath, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { IsolationError } from '../isolation-error.ts';
import { type IsolatedPlugin, openIsolated } from '../open-isolated.ts';
import { NICE } from '../plugin-command.ts';

const PLUGIN = `export const plugin = {
  id: 'harbour', version: '1.0.0',
  connectors: [{ id: 'harbour', title: 'Harbour', category: 'sast', image: '/images/h.svg', description: 'Made for tests.' }],
  importers: [],
};
export const server = { pluginId: 'harbour', connectors: { harbour: {
  migrate: [{ from: '0.9.0', config: async (old) => { for (; old.loops; ); if (old.ends) process.exit(1); return old.waits ? new Promise(() => setInterval(() => {}, 1000)) : { ok: true }; } }],
} } };`;

let folder: string;
let harbour: IsolatedPlugin;

const open = () => {
  const entry = pathToFileURL(path.join(folder, 'plugin.mjs')).href;
  const entries = { manifest: entry, parsers: null, server: entry };
  // on a busy machine one that loops gets hardly more
  return openIsolated({ entries, readable: [`${folder}/`], mayHaveNetwork: true, limits: { greedyMs: 60 } });
};
const migrate = async (old: Record<string, boolean>): Promise<unknown> =>
  harbour.server?.connectors['harbour']?.migrate?.[0]?.config?.(old);

beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'breakwater-harbour-')));
  await writeFile(path.join(folder, 'plugin.mjs'), PLUGIN);
  harbour = await open();
});
afterAll(async () => {
  harbour.pool.close();
  await rm(folder, { recursive: true });
});

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

const processes = async (): Promise<Process[]> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(
    pids.map(async (pid): Promise<Process[]> => {
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
      const parent = Number(/^PPid:\t(\d+)$/m.exec(status)?.[1] ?? 0);
      return command === '' || /^State:\tZ/m.test(status) ? [] : [{ pid, parent, command }];
    }),
  );
  return found.flat();
};
const starterOf = async (host: number): Promise<number | undefined> =>
  (await processes()).find(({ parent, command }) => parent === host && /starter\.[jt]s/.test(command))?.pid;
const isPlugin = ({ command }: Process): boolean =>
  command.includes(folder) && command.includes('/program/child/runner.js');

/** Of processes that run code of the plugin, not of what waits for them. */
const programs = async (): Promise<number[]> =>
  (await processes())
    .filter((each) => isPlugin(each) && each.command.startsWith(process.execPath))
    .map(({ pid }) => pid);
/** `T` for a process that is stopped; undefined for one that is gone. Source: proc_pid_status(5). */
const stateOf = async (pid: number): Promise<string | undefined> =>
  /^State:\t(\w)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''))?.[1];

/** One is ended as one that hangs, on a busy machine before it took much: then the next one loops. */
const keepLooping = () => {
  let isOver = false;
  const loop = async (): Promise<unknown> => {
    const failure: unknown = await migrate({ loops: true }).catch((error: unknown) => error);
    return isOver ? failure : loop();
  };
  const last = loop();
  return {
    stop: () => {
      isOver = true;
    },
    /** How the last of them ended. */
    last: () => last,
  };
};

test('a starter that is killed takes what it started along, and the next call starts all anew', async () => {
  expect(await migrate({})).toEqual({ ok: true });
  const waiting = migrate({ waits: true });
  waiting.catch(() => undefined);
  const looping = keepLooping();
  const first = await starterOf(process.pid);
  if (first === undefined) throw new Error('no starter');
  // one that is stopped, which cannot end itself
  const states = async () => Promise.all((await programs()).map(stateOf));
  await expect.poll(states, { interval: 5 }).toContain('T');
  looping.stop();
  process.kill(first, 'SIGKILL');
  await expect(waiting).rejects.toBeInstanceOf(IsolationError);
  expect(await looping.last()).toBeInstanceOf(IsolationError);
  await expect.poll(async () => (await processes()).filter(isPlugin)).toEqual([]);
  expect(await migrate({})).toEqual({ ok: true });
  expect(await starterOf(process.pid)).not.toBe(first);
});

/** The fields of proc_pid_stat(5) from the third on; what is before them in brackets may have spaces. */
const statOf = async (pid: number): Promise<number[]> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  return stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
};
/** Source: proc_pid_stat(5), the 19th field. */
const niceOf = async (pid: number): Promise<number> => (await statOf(pid))[16] ?? 0;
/** Source: proc_pid_stat(5), the 6th field. */
const sessionOf = async (pid: number): Promise<number> => (await statOf(pid))[3] ?? 0;

test('the process of a plugin gives way to its host, in its session: the kernel may share processors between sessions first', async () => {
  const waiting = migrate({ waits: true });
  waiting.catch(() => undefined);
  const expected = { nice: (await niceOf(process.pid)) + NICE, session: await sessionOf(process.pid) };
  const one = async () => {
    const found = (await processes()).find((each) => isPlugin(each) && each.command.startsWith(process.execPath));
    return found && { nice: await niceOf(found.pid), session: await sessionOf(found.pid) };
  };
  await expect.poll(one).toEqual(expected);
  for (const { pid } of (await processes()).filter(isPlugin)) process.kill(pid, 'SIGKILL');
  await expect(waiting).rejects.toBeInstanceOf(IsolationError);
});

test('one that takes a processor for itself runs by turns, and one that waits is never stopped', async () => {
  const waiting = migrate({ waits: true });
  await expect.poll(async () => (await programs()).length).toBe(1);
  const [waits = 0] = await programs();
  const looping = keepLooping();
  const states = new Map<number, string>();
  const look = async () => {
    for (const pid of await programs()) states.set(pid, `${states.get(pid) ?? ''}${(await stateOf(pid)) ?? ''}`);
    return [...states.values()].join(' ');
  };
  await expect.poll(look, { interval: 5 }).toMatch(/T+R+T/);
  expect(states.get(waits)).not.toContain('T');
  looping.stop();
  for (const { pid } of (await processes()).filter(isPlugin)) process.kill(pid, 'SIGKILL');
  await expect(waiting).rejects.toBeInstanceOf(IsolationError);
  expect(await looping.last()).toBeInstanceOf(IsolationError);
});

test('after one that failed, the next one of its owner runs by turns until it has answered', async () => {
  const path = ['connectors', 'harbour', 'migrate', '0', 'config'];
  const call = (old: Record<string, boolean>) => harbour.pool.call('ada', { path, args: [old] });
  await expect(call({ ends: true })).rejects.toBeInstanceOf(IsolationError);
  const waiting = call({ waits: true });
  waiting.catch(() => undefined);
  const states = async () => (await Promise.all((await programs()).map(stateOf))).join('');
  await expect.poll(states, { interval: 5 }).toMatch(/^T$/);
  expect(await call({})).toEqual({ ok: true });
  await expect.poll(states, { interval: 5 }).toMatch(/^[RS]$/);
  const later = [];
  for (let look = 0; look < 40; look += 1) {
    later.push(await states());
    await sleep(5);
  }
  expect(later.filter((state) => state !== 'R' && state !== 'S')).toEqual([]);
  for (const pid of await programs()) process.kill(pid, 'SIGKILL');
  await expect(waiting).rejects.toBeInstanceOf(IsolationError);
});

test('nothing is left of a host that is killed', async () => {
  const script = path.join(folder, 'host.mjs');
  const module = pathToFileURL(path.join(import.meta.dirname, '../open-isolated.ts')).href;
  const entry = pathToFileURL(path.join(folder, 'plugin.mjs')).href;
  await writeFile(
    script,
    `import { openIsolated } from ${JSON.stringify(module)};
    const entries = { manifest: ${JSON.stringify(entry)}, parsers: null, server: ${JSON.stringify(entry)} };
    const opened = await openIsolated({ entries, readable: [${JSON.stringify(`${folder}/`)}], mayHaveNetwork: true });
    void opened.server.connectors.harbour.migrate[0].config({ waits: true });
    setInterval(() => {}, 1000);`,
  );
  const before = new Set((await processes()).filter(isPlugin).map(({ pid }) => pid));
  const host = spawn(process.execPath, ['--no-warnings', script], { stdio: ['ignore', 'ignore', 'inherit'] });
  const started = async () => (await processes()).filter((one) => isPlugin(one) && !before.has(one.pid));
  await expect.poll(async () => (await started()).length, { timeout: 30_000 }).toBeGreaterThan(0);
  const starter = await starterOf(host.pid ?? 0);
  expect(starter).toBeDefined();
  host.kill('SIGKILL');
  await expect.poll(started, { timeout: 10_000 }).toEqual([]);
  await expect.poll(async () => (await processes()).some(({ pid }) => pid === starter)).toBe(false);
});

test('a host that waits for nothing else hears how a process ended', async () => {
  const script = path.join(folder, 'waiting.mjs');
  const module = pathToFileURL(path.join(import.meta.dirname, '../open-isolated.ts')).href;
  const entry = pathToFileURL(path.join(folder, 'ends.mjs')).href;
  await writeFile(path.join(folder, 'ends.mjs'), 'process.exit(7);');
  await writeFile(
    script,
    `import { openIsolated } from ${JSON.stringify(module)};
    const entries = { manifest: ${JSON.stringify(entry)}, parsers: null, server: ${JSON.stringify(entry)} };
    for (let times = 0; times < 6; times += 1) {
      await openIsolated({ entries, readable: [${JSON.stringify(`${folder}/`)}], mayHaveNetwork: true }).then(
        () => process.exit(1),
        () => undefined,
      );
    }`,
  );
  const host = spawn(process.execPath, ['--no-warnings', script], { stdio: ['ignore', 'ignore', 'inherit'] });
  // 13: it ended while it still waited
  expect(await new Promise((resolve) => host.once('exit', resolve))).toBe(0);
});

/** Where this process listens for what its starter starts: another one may be too busy to answer. Source: proc_net(5), unix. */
const ownSockets = async (): Promise<string[]> => {
  const fds = await readdir('/proc/self/fd');
  const links = await Promise.all(fds.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  const inodes = new Set(links.map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1]));
  return (await readFile('/proc/net/unix', 'utf8')).split('\n').flatMap((line) => {
    const [, , , , , , inode, file = ''] = line.trim().split(/\s+/);
    return inodes.has(inode) && file.includes('/breakwater-starter-') ? [file] : [];
  });
};

test('a connection that does not say whose it is gets nothing', async () => {
  const sockets = await ownSockets();
  expect(sockets).not.toEqual([]);
  for (const socket of sockets) {
    for (const said of ['hello\n', `${'0'.repeat(32)} main\n`, 'x'.repeat(1000)]) {
      const closed = new Promise<string>((resolve) => {
        let heard = '';
        const stranger = connect(socket, () => stranger.write(said));
        stranger.on('data', (piece) => {
          heard += piece.toString('utf8');
        });
        stranger.on('error', () => undefined);
        stranger.on('close', () => resolve(heard));
      });
      expect(await closed).toBe('');
    }
  }
});
