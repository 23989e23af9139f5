import { SERVICE } from '@breakwater/host-server/container.ts';
import { type Ctx, defineConnector, definePlugin, defineServer, type Json, type SyncRecord } from '@breakwater/sdk';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { type ConnectorScene, LOGGED_IN, startConnectorScene } from '../../../testing/connectors/connector-scene.ts';
import type { ServiceAnswer } from '../../../testing/connectors/fake-service.ts';
import { runDue } from './connection-jobs.ts';
import { enqueueDueSyncs, syncFindings } from './sync-jobs.ts';

const tracker = defineConnector({
  id: 'tracker',
  title: 'Tracker',
  category: 'sast',
  image: '/images/tracker.svg',
  description: 'For tests.',
  credentials: {
    type: 'object',
    properties: {
      base_url: { type: 'string', format: 'uri' },
      token: { type: 'string', writeOnly: true },
    },
    required: ['base_url', 'token'],
  },
  auth: { type: 'bearer', value: '{{token}}' },
  baseUrl: '{{base_url}}',
  permissions: { egress: ['{{base_url}}'] },
});
const plugin = definePlugin({ id: 'tracker', version: '1.0.0', connectors: [tracker] });

const listIn = (value: Json, key: string): Json[] => {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : [];
  return Array.isArray(found) ? found : [];
};
const text = (value: Json, key: string): string =>
  String(typeof value === 'object' && value !== null ? Reflect.get(value, key) : '');

const seen: (string | undefined)[] = [];

async function* sync(ctx: Ctx<typeof tracker.credentials>, since?: string): AsyncGenerator<SyncRecord> {
  seen.push(since);
  for (const project of listIn(await ctx.http.json({ path: '/projects' }), 'projects')) {
    const id = text(project, 'id');
    if (since !== undefined && id <= since) continue;
    yield { kind: 'target', id, name: text(project, 'name'), url: `https://tracker.example/${id}` };
    for await (const page of ctx.http.pages(
      { path: `/projects/${id}/issues` },
      { type: 'cursor', cursorAt: 'next', parameter: 'after' },
    )) {
      for (const issue of listIn(page, 'issues')) {
        const rule = text(issue, 'rule');
        yield {
          kind: 'finding',
          ruleId: rule,
          title: rule,
          type: 'SAST',
          severity: 'high',
          locations: [{ path: `${rule}.ts`, startLine: 1 }],
        };
      }
    }
    yield { kind: 'cursor', cursor: id };
  }
}

const server = defineServer(plugin, {
  tracker: {
    check: async (ctx) => ({ identity: text(await ctx.http.json({ path: '/me' }), 'login') }),
    findings: { sync },
  },
});

let scene: ConnectorScene;
/** What the service has: rules by project. */
let issues: Record<string, string[]>;
let failing: Record<string, ServiceAnswer>;

beforeEach(async () => {
  await scene?.close();
  seen.length = 0;
  issues = { p1: ['A', 'B', 'C'], p2: ['D'] };
  failing = {};
  scene = await startConnectorScene({ plugins: [{ plugin, parsers: [], server }], isWorking: true });
  scene.service.behave(({ path }) => {
    const [, , id = '', , after = '0'] = /^\/(projects)\/(\w+)\/(issues)(?:\?after=(\d+))?/.exec(path) ?? [];
    const failure = failing[id === '' ? path : id];
    if (failure !== undefined) return failure;
    if (path === '/me') return LOGGED_IN;
    if (id === '')
      return { body: { projects: Object.keys(issues).map((key) => ({ id: key, name: `Project ${key}` })) } };
    const start = Number(after);
    const page = (issues[id] ?? []).slice(start, start + 2);
    const next = start + 2 < (issues[id] ?? []).length ? { next: String(start + 2) } : {};
    return { body: { issues: page.map((rule) => ({ rule })), ...next } };
  });
});
afterAll(() => scene.close());

const findings = () =>
  scene.rows<{ nickname: string; rule: string; status: string }>(
    `select r.nickname, u.rule_id as rule, f.status from findings f
     join repositories r on r.client_id = f.client_id and r.id = f.repository_id
     join finding_definitions u on u.client_id = f.client_id and u.id = f.definition_id order by 1, 2`,
  );
const open = async () =>
  (await findings()).filter((row) => row.status !== 'mitigated').map((row) => `${row.nickname} ${row.rule}`);
const scansDone = () => scene.rows("select id from scans where status <> 'done'");

const connect = () => scene.save('tracker', { base_url: scene.service.url, token: 'tracker-token-1' });
const deps = () => ({ ...scene.deps, ingest: scene.server.container.get(SERVICE.ingest) });
const workDeps = () => ({ ...deps(), jobs: scene.server.container.get(SERVICE.jobs) });
const connectionKey = () => ({ clientId: scene.server.users.clientId, connectorId: 'tracker' });
const settled = () => expect.poll(scansDone, { timeout: 120_000 }).toEqual([]);

test('a connected service is pulled from; the next sync closes what is gone and keeps the applications', async () => {
  await connect();
  await syncFindings(deps(), connectionKey());
  await settled();
  expect(await open()).toEqual(['Project p1 A', 'Project p1 B', 'Project p1 C', 'Project p2 D']);
  expect(await scene.attributes('tracker')).toMatchObject({ state: 'connected', last_sync: expect.any(String) });

  issues = { p1: ['B', 'E'], p2: [] };
  await syncFindings(deps(), connectionKey());
  await settled();
  expect(await open()).toEqual(['Project p1 B', 'Project p1 E']);
  expect(await scene.rows('select nickname from repositories order by 1')).toEqual([
    { nickname: 'Project p1' },
    { nickname: 'Project p2' },
  ]);
});

test('the first connection is pulled from by itself', async () => {
  await connect();
  await enqueueDueSyncs(workDeps());
  await expect.poll(open, { timeout: 120_000 }).toHaveLength(4);
  await settled();
  expect(await enqueueDueSyncs(workDeps())).toBe(0);
});

test('a failure in the middle keeps what was complete, keeps the state, and the next run goes on behind it', async () => {
  failing = { p2: { status: 429, headers: { 'retry-after': '30' } } };
  await connect();
  await syncFindings(deps(), connectionKey());
  await settled();
  expect(await open()).toEqual(['Project p1 A', 'Project p1 B', 'Project p1 C']);
  const paused = await scene.attributes('tracker');
  expect(paused).toMatchObject({ state: 'paused', state_detail: { code: 'rate_limited' } });

  failing = {};
  await scene.rows(`update connections set retry_at = now() where connector_id = 'tracker'`);
  await runDue(scene.deps, connectionKey());
  await enqueueDueSyncs(workDeps());
  await expect
    .poll(open, { timeout: 120_000 })
    .toEqual(['Project p1 A', 'Project p1 B', 'Project p1 C', 'Project p2 D']);
  expect(seen.filter((since) => since === 'p1').length).toBeGreaterThan(0);
});

test('while a switch is off nothing is pulled, and what was there stays', async () => {
  await connect();
  await syncFindings(deps(), connectionKey());
  await settled();
  await scene.call('PUT', 'tracker', '/enabled', { body: { enabled: false, reason: 'audit' } });
  const before = scene.service.requests.length;
  await syncFindings(deps(), connectionKey());
  expect(scene.service.requests.length).toBe(before);
  expect((await scene.call('POST', 'tracker', '/sync')).status).toBe(409);
  expect(await open()).toHaveLength(4);
});

test('secrets that do not open end the sync in words, not in silence', async () => {
  await connect();
  await scene.rows(
    `update vault set ciphertext = set_byte(ciphertext, 80, get_byte(ciphertext, 80) # 1) where connector_id = 'tracker'`,
  );
  await syncFindings(deps(), connectionKey());
  const { state, state_detail } = await scene.attributes('tracker');
  expect(['draft', 'retrying', 'needsAuth', 'failed']).toContain(state);
  expect(state_detail.message).not.toBeNull();
});

test('two processes that sync at once pull once', async () => {
  await connect();
  await Promise.all([
    syncFindings(deps(), connectionKey()),
    syncFindings(deps(), connectionKey()),
    syncFindings(deps(), connectionKey()),
  ]);
  await settled();
  const lists = scene.service.requests.filter((request) => request.path === '/projects');
  expect(lists).toHaveLength(1);
  expect(await open()).toHaveLength(4);
});

test('a sync whose process died is taken up after its lease', async () => {
  await connect();
  await scene.rows(
    `update connections set state = 'syncing', run_id = gen_random_uuid(), run_until = now() + interval '1 hour' where connector_id = 'tracker'`,
  );
  await syncFindings(deps(), connectionKey());
  expect(await open()).toEqual([]);
  await scene.rows(`update connections set run_until = now() - interval '1 second' where connector_id = 'tracker'`);
  await syncFindings(deps(), connectionKey());
  await settled();
  expect(await open()).toHaveLength(4);
  expect(await scene.attributes('tracker')).toMatchObject({ state: 'connected' });
});

test('a sync adds no more applications than the plan allows; what is there is brought up to date, and admins are told', async () => {
  issues = { p1: ['A'] };
  await scene.rows(
    `insert into pricings (tier, title, amount_cents, interval, repositories) values ('one', 'One', 0, 'month', 1)`,
  );
  await scene.rows("update clients set subscription_tier = 'one'");
  await connect();
  await syncFindings(deps(), connectionKey());
  await settled();
  issues = { p0: ['Z'], p1: ['A', 'B'], p2: ['C'] };
  await syncFindings(deps(), connectionKey());
  await settled();
  expect(await open()).toEqual(['Project p1 A', 'Project p1 B']);
  expect(await scene.rows('select nickname from repositories')).toEqual([{ nickname: 'Project p1' }]);
  expect(await scene.rows('select target_id from connection_targets')).toEqual([{ target_id: 'p1' }]);
  expect(await scene.attributes('tracker')).toMatchObject({ state: 'connected' });
  const told = await scene.rows<{ title: string; message: string }>('select title, message from notifications');
  expect(told).toContainEqual({
    title: 'Tracker: 2 were not added',
    message: expect.stringContaining('The plan One allows 1 repository.'),
  });
});
