import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { launchServer, type ServerProcess } from '../../tools/testing/processes.ts';

const PASSWORD = 'Tr0ub4dor&3';

let folder: string;
const runs: ServerProcess[] = [];

const launch = (environment: Record<string, string> = {}, args: string[] = []): ServerProcess => {
  const run = launchServer({ BREAKWATER_DATA_DIR: folder, ...environment }, args);
  runs.push(run);
  return run;
};

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'main-'));
});
afterEach(async () => {
  for (const run of runs.splice(0)) await run.stop();
  await rm(folder, { recursive: true, force: true });
});

const admin = {
  BREAKWATER_ADMIN_EMAIL: 'boss@example.test',
  BREAKWATER_ADMIN_PASSWORD: PASSWORD,
  BREAKWATER_ORGANIZATION: 'Example',
};
const post = (url: string, body: object): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
const login = (url: string): Promise<Response> =>
  post(`${url}/api/v1/login`, { email: admin.BREAKWATER_ADMIN_EMAIL, password: PASSWORD });

test('starts on an empty folder, prints one line, signs in, answers all while it stops', async () => {
  const run = launch(admin);
  const url = await run.url();
  expect(run.stdout.trim().split('\n')).toHaveLength(1);
  expect((await login(url)).status).toBe(200);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);

  const answers: number[] = [];
  const failures: string[] = [];
  const attempt = async (): Promise<string | undefined> => {
    try {
      const response = await fetch(`${url}/api/v1/setup`);
      await response.text();
      answers.push(response.status);
      return undefined;
    } catch (error) {
      return error instanceof Error && error.cause instanceof Error ? String(Reflect.get(error.cause, 'code')) : '';
    }
  };
  // each goes on until no connection is taken any more, which is no failure
  const callers = Array.from({ length: 10 }, async () => {
    for (;;) {
      const reason = await attempt();
      if (reason === undefined) continue;
      // what waits in the queue of the operating system is reset when the listener closes; after that everything is refused
      const after = reason === 'ECONNRESET' ? await attempt() : reason;
      if (after !== 'ECONNREFUSED') failures.push(`${reason}, then ${after ?? 'an answer'}`);
      return;
    }
  });
  await vi.waitFor(() => expect(answers.length).toBeGreaterThan(50), { timeout: 120_000 });
  run.child.kill('SIGTERM');
  expect(await run.ended).toBe(0);
  await Promise.all(callers);
  expect(answers.every((status) => status === 200)).toBe(true);
  expect(failures).toEqual([]);
});

test('comes back after kill -9 with what it knew, and a second one is refused by name', async () => {
  const first = launch(admin);
  await first.url();
  const second = launch();
  expect(await second.ended).toBe(1);
  expect(second.stderr).toContain('already running');
  first.child.kill('SIGKILL');
  await first.ended;
  const third = launch();
  const url = await third.url();
  expect((await login(url)).status).toBe(200);
  expect(await (await fetch(`${url}/api/v1/setup`)).json()).toEqual({ data: { needed: false } });
});

test('prints a superadmin without a password a link that sets one, once; the next start ends the one before', {
  timeout: 240_000,
}, async () => {
  const superadmin = { BREAKWATER_SUPERADMIN_EMAIL: 'root@example.test' };
  const start = async () => {
    const run = launch({ ...admin, ...superadmin, LOG_LEVEL: 'info' });
    return { run, url: await run.url() };
  };
  const linkOf = async ({ run }: { run: ServerProcess }): Promise<URL> => {
    await vi.waitFor(() => expect(run.stdout).toMatch(/sets a password here.*: http\S+\n/), { timeout: 120_000 });
    return new URL(/sets a password here.*: (http\S+)/.exec(run.stdout)?.[1] ?? '');
  };
  const redeem = async (link: URL, origin: string): Promise<number> => {
    const body = { token: link.searchParams.get('token'), password: PASSWORD, confirm_password: PASSWORD };
    return (await post(`${origin}/api/v1/password-reset-confirm`, body)).status;
  };
  const first = await start();
  const old = await linkOf(first);
  expect([old.origin, old.pathname]).toEqual([first.url, '/reset-password']);
  await first.run.stop();
  // printed for who starts it, and not logged
  const log = `${first.run.stdout}${first.run.stderr}`;
  expect(log).toContain('"level":30');
  expect(log.split(old.searchParams.get('token') ?? '')).toHaveLength(2);

  const second = await start();
  const link = await linkOf(second);
  expect(await redeem(old, second.url)).toBe(404);
  const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(link, second.url)));
  expect(answers.toSorted()).toEqual([200, ...Array(19).fill(404)]);
  const credentials = { email: superadmin.BREAKWATER_SUPERADMIN_EMAIL, password: PASSWORD };
  const signedIn = await post(`${second.url}/api/v1/login`, credentials);
  expect(await signedIn.json()).toMatchObject({ data: { user: { role: 'superadmin' } } });
});

test('a configuration with errors lists them all and starts nothing', async () => {
  const run = launch({ PORT: 'x', BREAKWATER_ADMIN_EMAIL: 'a@example.test', BREAKWATER_ADMIN_PASSWORD: 'weak' });
  expect(await run.ended).toBe(2);
  expect(run.stderr).toContain('PORT must be');
  expect(run.stderr).toContain('BREAKWATER_ADMIN_PASSWORD: Use at least 8 characters.');
  expect(run.stderr).not.toContain('    at ');
});

test('roles need a database that can be shared', async () => {
  const run = launch({}, ['--role=worker']);
  expect(await run.ended).toBe(2);
  expect(run.stderr).toContain('DATABASE_URL');
});

test('a taken port is said in words, and leaves nothing running', async () => {
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
  await again.url();
  await vi.waitFor(() => expect(again.stdout).toMatch(/enter this code: ([0-9A-Z]{4}-){3}[0-9A-Z]{4}\n$/), {
    timeout: 30_000,
  });
});
