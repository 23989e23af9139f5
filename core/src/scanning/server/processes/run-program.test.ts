import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { findNetworkIsolation } from './network.ts';
import { isSameProcessRunning } from './process-groups.ts';
import { findProgram, type Program, runProgram } from './run-program.ts';
import { createWorkFolder, folderIssue, removeLeftoverScans, scansFolder } from './work-folder.ts';

const SEARCH_PATH = '/usr/local/bin:/usr/bin:/bin';
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'breakwater-programs-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Seconds that no other run of these tests sleeps: processes are found by them. */
const nap = (which: number): string => `${which}00000${process.pid}`;

let count = 0;
const run = (script: string, change: Partial<Program> = {}) => {
  count += 1;
  return runProgram({
    file: '/bin/sh',
    args: ['-c', script],
    folder,
    env: { PATH: SEARCH_PATH, MARKER: `test-${process.pid}-${count}` },
    limits: { timeoutMs: 300_000, memoryMb: 512, fileBytes: 10_000_000 },
    marker: `MARKER=test-${process.pid}-${count}`,
    searchPath: SEARCH_PATH,
    signal: new AbortController().signal,
    ...change,
  });
};

/** Commands of the processes whose arguments hold a text. */
const running = (text: string): string[] =>
  readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      return line.includes(text) && !line.includes('vitest') ? [line] : [];
    } catch {
      return [];
    }
  });

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 50));
};

test('what a program prints and how it ends is told', async () => {
  expect(await run('echo out; echo err >&2; exit 3')).toEqual({
    exitCode: 3,
    stdout: 'out\n',
    stderr: 'err\n',
    ended: null,
    reason: null,
  });
  await expect(run('', { file: '/no/such/program' }).then((result) => result.exitCode === 0)).resolves.toBe(false);
});

test('a program that is not done in time is ended with all that it started', async () => {
  const script = `sleep ${nap(1)} & setsid sleep ${nap(1)} & setsid sh -c "sleep ${nap(1)}" & wait`;
  const result = await run(script, { limits: { timeoutMs: 1000, memoryMb: 512, fileBytes: 1000 } });
  expect(result).toMatchObject({ exitCode: null, ended: 'timeout' });
  expect(running(nap(1))).toEqual([]);
});

test('what a program leaves behind when it is done is ended', async () => {
  const result = await run(`setsid sleep ${nap(2)} >/dev/null 2>&1 & sleep ${nap(2)} >/dev/null 2>&1 & exit 0`);
  expect(result).toMatchObject({ exitCode: 0, ended: null });
  expect(running(nap(2))).toEqual([]);
});

test('a program that prints or writes without end is ended', async () => {
  expect((await run('yes', { limits: { timeoutMs: 300_000, memoryMb: 512, fileBytes: 1_000_000 } })).ended).toBe(
    'output',
  );
  const stdoutFile = path.join(folder, 'endless');
  const limits = { timeoutMs: 300_000, memoryMb: 512, fileBytes: 1_000_000 };
  expect((await run('exec yes', { stdoutFile, limits })).exitCode).not.toBe(0);
  expect(readFileSync(stdoutFile).length).toBeLessThanOrEqual(1_000_000);
  const many = path.join(folder, 'many');
  mkdirSync(many);
  const check = () => folderIssue(many, { bytes: 1_000_000, files: 50 });
  const result = await run(`i=0; while true; do i=$((i+1)); : > ${many}/$i; done`, { check });
  expect(result).toMatchObject({ ended: 'check', reason: expect.stringContaining('50 files') });
});

test('it is ended when it is cancelled, also before it began', async () => {
  const early = AbortSignal.abort();
  expect((await run(`sleep ${nap(3)}`, { signal: early })).ended).toBe('cancelled');
  const late = new AbortController();
  const started = path.join(folder, 'started');
  const ending = run(`touch ${started}; sleep ${nap(3)}`, { signal: late.signal });
  await until(() => existsSync(started));
  late.abort();
  expect((await ending).ended).toBe('cancelled');
  expect(running(nap(3))).toEqual([]);
});

test('programs are looked for in absolute folders only, and never by a path', async () => {
  writeFileSync(path.join(folder, 'git'), '#!/bin/sh\n', { mode: 0o755 });
  expect(await findProgram(`.:${path.relative('.', folder)}`, 'git')).toBeNull();
  expect(await findProgram(SEARCH_PATH, '../bin/sh')).toBeNull();
  expect(await findProgram(folder, 'git')).toBe(path.join(folder, 'git'));
});

test('a program that is started without a network reaches nothing, and is ended as any other', async () => {
  const isolation = await findNetworkIsolation(SEARCH_PATH);
  // the machines that run this test have it; others say so on the page of scanners
  expect(isolation).not.toBeNull();
  const server = createServer((socket) => socket.end('reached'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = address !== null && typeof address !== 'string' ? address.port : 0;
  const connect = `python3 -c 'import socket; print(socket.create_connection(("127.0.0.1", ${port})).recv(9).decode())'`;
  expect(await run(connect)).toMatchObject({ exitCode: 0, stdout: 'reached\n' });
  const apart = await run(connect, { isolation });
  expect([apart.exitCode, apart.stdout]).toEqual([1, '']);
  expect(apart.stderr).toContain('unreachable');
  expect(await run('ls -d / && id -u', { isolation })).toMatchObject({
    exitCode: 0,
    stdout: `/\n${process.getuid?.()}\n`,
  });
  const ended = await run(`setsid sleep ${nap(7)} & sleep ${nap(7)}`, {
    isolation,
    limits: { timeoutMs: 1000, memoryMb: 512, fileBytes: 1_000_000 },
  });
  expect(ended.ended).toBe('timeout');
  expect(running(nap(7))).toEqual([]);
});

/** A process that works on a scan, as a server does, until it is killed. */
const WORKER = `
import { createWorkFolder } from '${new URL('./work-folder.ts', import.meta.url).href}';
import { runProgram } from '${new URL('./run-program.ts', import.meta.url).href}';
const work = await createWorkFolder(process.argv[1], { clientId: 'c', requestId: 'killed', leaseId: 'dead' });
const [name, value] = work.marker.split('=');
console.log(work.folder);
await runProgram({
  file: '/bin/sh', args: ['-c', 'setsid sleep ${nap(4)} & sleep ${nap(4)} & echo >' + work.folder + '/started; wait'], folder: work.folder,
  env: { PATH: '${SEARCH_PATH}', [name]: value }, limits: { timeoutMs: 600000, memoryMb: 512, fileBytes: 1000000 },
  marker: work.marker, searchPath: '${SEARCH_PATH}', signal: new AbortController().signal, onStart: work.noteProgram,
});`;

test('after kill -9 neither a process nor a folder stays, and those of others do', async () => {
  const data = path.join(folder, 'data');
  const ours = await createWorkFolder(data, { clientId: 'c', requestId: 'ours', leaseId: 'alive' });
  const worker = spawn(process.execPath, ['--input-type=module', '-e', WORKER, data], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = await once(worker.stdout, 'data');
    const left = String(line).trim();
    const noted = () => JSON.parse(readFileSync(path.join(left, 'owner.json'), 'utf8')).program;
    await until(() => existsSync(path.join(left, 'started')) && noted() !== null);
    expect(await isSameProcessRunning(noted())).toBe(true);
    expect(await removeLeftoverScans(data)).toEqual({ claims: [], count: 0 });
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    const claims = [{ clientId: 'c', requestId: 'killed', leaseId: 'dead' }];
    expect(await removeLeftoverScans(data)).toEqual({ claims, count: 1 });
    expect(running(nap(4))).toEqual([]);
    expect(readdirSync(scansFolder(data))).toEqual([path.basename(ours.folder)]);
  } finally {
    worker.kill('SIGKILL');
  }
  await ours.remove();
});
