import { type ChildProcess, fork } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { startEmbeddedPostgres } from './embedded.ts';

const HOLDER = fileURLToPath(new URL('./__fixtures__/hold-database.ts', import.meta.url));
const folders: string[] = [];

const newFolder = async (mode = 0o755): Promise<string> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'breakwater-embedded-'));
  await chmod(folder, mode);
  folders.push(folder);
  return folder;
};

const query = async (url: string, text: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
};

/** Another process with a database of its own, once it is up. */
const hold = (folder: string): Promise<{ child: ChildProcess; url: string }> =>
  new Promise((resolve, reject) => {
    const child = fork(HOLDER, [folder], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    child.once('message', (url) => resolve({ child, url: String(url) }));
    child.once('exit', () => reject(new Error('The holder ended early')));
  });

afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

test('what is committed is there after a stop and a new start', async () => {
  const folder = await newFolder();
  const first = await startEmbeddedPostgres({ dataDirectory: folder, isDurable: false });
  await query(first.url, 'create table kept as select 1 as n');
  await first.stop();
  const second = await startEmbeddedPostgres({ dataDirectory: folder, isDurable: false });
  expect(await query(second.url, 'select n from kept')).toEqual([{ n: 1 }]);
  await second.stop();
});

test('a killed server leaves nothing that a person must clear away', async () => {
  const folder = await newFolder();
  const { child, url } = await hold(folder);
  await query(url, 'create table kept as select 2 as n');
  child.removeAllListeners('exit');
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
  const again = await startEmbeddedPostgres({ dataDirectory: folder });
  expect(await query(again.url, 'select n from kept')).toEqual([{ n: 2 }]);
  await again.stop();
});

test('a database that is killed is started again at its address, with all that was committed', {
  timeout: 120_000,
}, async () => {
  const folder = await newFolder();
  const server = await startEmbeddedPostgres({ dataDirectory: folder });
  const readPid = async () =>
    Number.parseInt(await readFile(path.join(folder, 'postgres/postmaster.pid'), 'utf8').catch(() => ''), 10);
  await query(server.url, 'create table kept as select 3 as n');
  const pid = await readPid();
  process.kill(pid, 'SIGKILL');
  await expect
    .poll(() => query(server.url, 'select n from kept').catch(() => undefined), { timeout: 120_000 })
    .toEqual([{ n: 3 }]);
  expect(await readPid()).not.toBe(pid);
  await server.stop();
  await expect(query(server.url, 'select 1')).rejects.toThrow();
});

test('a process of the database that does not end does not keep it from stopping', async () => {
  const folder = await newFolder();
  const lines: string[] = [];
  const log = (line: string): void => void lines.push(line);
  const server = await startEmbeddedPostgres({ dataDirectory: folder, stopMs: 200, log });
  await query(server.url, 'create table kept as select 4 as n');
  const [writer] = await query(server.url, "select pid from pg_stat_activity where backend_type = 'walwriter'");
  process.kill(Object(writer).pid, 'SIGSTOP');
  await server.stop();
  expect(lines.join('\n')).toContain('did not stop in 200 ms');
  const again = await startEmbeddedPostgres({ dataDirectory: folder });
  expect(await query(again.url, 'select n from kept')).toEqual([{ n: 4 }]);
  await again.stop();
});

test('a second server on the same folder is refused by name', async () => {
  const folder = await newFolder();
  const { child } = await hold(folder);
  await expect(startEmbeddedPostgres({ dataDirectory: folder })).rejects.toThrow(/already running on .*process \d+/);
  child.removeAllListeners('exit');
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
});

test('a folder that only its owner may enter works too', async () => {
  const closed = await newFolder(0o700);
  const folder = path.join(closed, 'data');
  await mkdir(folder);
  const server = await startEmbeddedPostgres({ dataDirectory: folder, isDurable: false });
  expect(await query(server.url, 'select 1 as n')).toEqual([{ n: 1 }]);
  await server.stop();
});

test('a damaged folder fails with the words of PostgreSQL', async () => {
  const folder = await newFolder();
  await mkdir(path.join(folder, 'postgres'));
  await writeFile(path.join(folder, 'postgres/PG_VERSION'), '9\n');
  await expect(startEmbeddedPostgres({ dataDirectory: folder })).rejects.toThrow(/stopped while starting:\n.+/s);
});
