import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { readEventText } from '../../tools/testing/event-text.ts';
import { launchServer, type ServerProcess } from '../../tools/testing/processes.ts';

const PASSWORD = 'Tr0ub4dor&3';
const REPORT = new URL('../../core/data/demo-juice-shop/trivy-secrets.json', import.meta.url);
const name = `outside_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
const running: ServerProcess[] = [];
let maintenance: pg.Client;
let folder: string;
let url: string;

beforeAll(async () => {
  const server = inject('postgresUrl');
  folder = await mkdtemp(path.join(os.tmpdir(), 'roles-'));
  maintenance = new pg.Client({ connectionString: server });
  await maintenance.connect();
  // an ordinary user, as an administrator would make one
  await maintenance.query(`create role ${name} login`);
  await maintenance.query(`grant breakwater_app to ${name}`);
  await maintenance.query(`create database ${name} owner ${name}`);
  url = `postgresql://${name}@${server.split('@')[1]}`.replace(/\/[^/?]*(\?|$)/, `/${name}$1`);
});
afterAll(async () => {
  for (const server of running) await server.stop();
  await maintenance.query(`drop database if exists ${name} with (force)`);
  await maintenance.query(`drop role if exists ${name}`);
  await maintenance.end();
  await rm(folder, { recursive: true });
});

const launch = (args: string[]): ServerProcess => {
  const server = launchServer(
    {
      DATABASE_URL: url,
      BREAKWATER_DATA_DIR: folder,
      BREAKWATER_ADMIN_EMAIL: 'boss@example.test',
      BREAKWATER_ADMIN_PASSWORD: PASSWORD,
    },
    args,
  );
  running.push(server);
  return server;
};

const call = async (base: string, method: string, route: string, token?: string, body?: unknown) => {
  const response = await fetch(`${base}/api/v1${route}`, {
    method,
    headers: {
      accept: 'application/vnd.breakwater.token+json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
};

test('two web processes and a worker share an outside PostgreSQL of an ordinary user', {
  timeout: 300_000,
}, async () => {
  const processes = [launch(['--role=web']), launch(['--role=web']), launch(['--role=worker'])];
  const [first = '', second = '', worker = ''] = await Promise.all(processes.map((server) => server.url()));
  expect((await fetch(`${worker}/readyz`)).status).toBe(200);
  expect((await fetch(`${worker}/api/v1/setup`)).status).toBe(404);

  const login = await call(first, 'POST', '/login', undefined, { email: 'boss@example.test', password: PASSWORD });
  const token: string = login.body.data.access_token;
  const made = await call(first, 'POST', '/create_repository_with_list', token, {
    source_control: 'git',
    data: [{ nickname: 'shop', url: 'https://git.example.test/shop.git' }],
  });

  // the other web process hears of what the worker does
  const leaving = new AbortController();
  const events = await fetch(`${second}/api/v1/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: leaving.signal,
  });
  const upload = await call(first, 'POST', `/upload_scan/${made.body.data[0]._id}?wait=60`, token, {
    tool: 'trivy',
    file: (await readFile(REPORT)).toString('base64'),
  });
  expect(upload.body.data).toMatchObject({ status: 'done', counts: { total: 3, new: 3 } });
  await readEventText(events).until(upload.body.data.scan_id);
  leaving.abort();

  expect((await call(second, 'GET', '/findings', token)).body.meta.pagination.total).toBe(3);
  expect(await Promise.all(processes.map((server) => server.stop()))).toEqual([0, 0, 0]);
});
