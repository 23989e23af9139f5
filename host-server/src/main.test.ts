import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const MAIN = path.join(import.meta.dirname, 'main.ts');
const PASSWORD = 'Tr0ub4dor&3';

interface Run {
  child: ChildProcess;
  stdout: string;
  stderr: string;
  ended: Promise<number | null>;
}

let folder: string;
const runs: Run[] = [];

const launch = (environment: Record<string, string> = {}, args: string[] = []): Run => {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env['PATH'], PORT: '0', BREAKWATER_DATA_DIR: folder, LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const run: Run = { child, stdout: '', stderr: '', ended: new Promise((resolve) => child.once('exit', resolve)) };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    run.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    run.stderr += text;
  });
  runs.push(run);
  return run;
};

const urlOf = async (run: Run): Promise<string> => {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
    const url = /running at (\S+)/.exec(run.stdout)?.[1];
    if (url !== undefined) return url;
    if (run.child.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The server did not start:\n${run.stdout}\n${run.stderr}`);
};

const stop = async (run: Run): Promise<number | null> => {
  run.child.kill('SIGTERM');
  return run.ended;
};

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'main-'));
});
afterEach(async () => {
  for (const run of runs.splice(0)) {
    if (run.child.exitCode === null && run.child.signalCode === null) await stop(run);
  }
  await rm(folder, { recursive: true, force: true });
});

const admin = {
  BREAKWATER_ADMIN_EMAIL: 'boss@example.test',
  BREAKWATER_ADMIN_PASSWORD: PASSWORD,
  BREAKWATER_ORGANIZATION: 'Example',
};
const login = (url: string): Promise<Response> =>
  fetch(`${url}/api/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: admin.BREAKWATER_ADMIN_EMAIL, password: PASSWORD }),
  });

test('starts on an empty folder, prints one line, signs in, answers all while it stops', {
  timeout: 120_000,
}, async () => {
  const run = launch(admin);
  const url = await urlOf(run);
  expect(run.stdout.trim().split('\n')).toHaveLength(1);
  expect((await login(url)).status).toBe(200);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);

  let isStopping = false;
  const answers: number[] = [];
  const failures: unknown[] = [];
  const callers = Array.from({ length: 10 }, async () => {
    while (!isStopping) {
      await fetch(`${url}/api/v1/setup`).then(
        async (response) => {
          await response.text();
          answers.push(response.status);
        },
        // once the door is shut, nobody was let in
        (error) => isStopping || failures.push(error),
      );
    }
  });
  await new Promise((resolve) => setTimeout(resolve, 500));
  const started = Date.now();
  run.child.kill('SIGTERM');
  setTimeout(() => {
    isStopping = true;
  }, 250);
  expect(await run.ended).toBe(0);
  await Promise.all(callers);
  expect(Date.now() - started).toBeLessThan(30_000);
  expect(answers.length).toBeGreaterThan(50);
  expect(answers.every((status) => status === 200)).toBe(true);
  expect(failures).toEqual([]);
});

test('comes back after kill -9 with what it knew, and a second one is refused by name', {
  timeout: 180_000,
}, async () => {
  const first = launch(admin);
  await urlOf(first);
  const second = launch();
  expect(await second.ended).toBe(1);
  expect(second.stderr).toContain('already running');
  first.child.kill('SIGKILL');
  await first.ended;
  const third = launch();
  const url = await urlOf(third);
  expect((await login(url)).status).toBe(200);
  expect(await (await fetch(`${url}/api/v1/setup`)).json()).toEqual({ data: { needed: false } });
});

test('a configuration with faults lists them all and starts nothing', { timeout: 30_000 }, async () => {
  const run = launch({ PORT: 'x', BREAKWATER_ADMIN_EMAIL: 'a@example.test', BREAKWATER_ADMIN_PASSWORD: 'weak' });
  expect(await run.ended).toBe(2);
  expect(run.stderr).toContain('PORT must be');
  expect(run.stderr).toContain('BREAKWATER_ADMIN_PASSWORD: Use at least 8 characters.');
  expect(run.stderr).not.toContain('    at ');
});

test('roles need a database that can be shared', { timeout: 30_000 }, async () => {
  const run = launch({}, ['--role=worker']);
  expect(await run.ended).toBe(2);
  expect(run.stderr).toContain('DATABASE_URL');
});

test('a taken port is said in words, and leaves nothing running', { timeout: 120_000 }, async () => {
  const { createServer } = await import('node:net');
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
  const address = holder.address();
  const port = typeof address === 'object' && address !== null ? String(address.port) : '';
  const run = launch({ PORT: port });
  expect(await run.ended).toBe(1);
  expect(run.stderr).toContain(`Port ${port} is in use`);
  await new Promise((resolve) => holder.close(resolve));
  const again = launch();
  await urlOf(again);
});
