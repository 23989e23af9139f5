import { startTestServer, type TestServer } from '@breakwater/tools/testing/server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;
let shop: string;
let mine: string;

const addRepository = async (name: string, ownerId: string | null): Promise<string> => {
  const { rows } = await server.scene.owner.query<{ id: string }>(
    `insert into repositories (client_id, nickname, source_control, owner) values ($1, $2, 'git', $3) returning id`,
    [server.users.clientId, name, ownerId],
  );
  return rows[0]?.id ?? '';
};

const read = async (repository: string, query = '', as: 'admin' | 'developer' = 'admin') =>
  server.call('GET', `/repositories/${repository}/inventory-changes${query}`, { as });

/** As stored by imports at these times. */
const store = async (repository: string, rows: readonly [purl: string, from: string, until: string | null][]) => {
  const { owner } = server.scene;
  const scope = await owner.query<{ id: string }>(
    `insert into scan_scopes (client_id, repository_id, tool) values ($1, $2, 'cyclonedx') returning id`,
    [server.users.clientId, repository],
  );
  for (const [purl, from, until] of rows) {
    const [name = '', version = null] = purl.split('@');
    await owner.query(
      `insert into components (client_id, repository_id, scope_id, digest, name, version, ecosystem, direct, first_seen, last_seen, removed_at)
       values ($1, $2, $3, md5($4)::uuid, $5, $6, 'npm', $5 = 'qs', $7, $7, $8)`,
      [server.users.clientId, repository, scope.rows[0]?.id, purl, name, version, from, until],
    );
  }
};

const addFinding = (repository: string, cve: string, version: string, status: string) =>
  server.scene.owner.query(
    `with definition as (
       insert into finding_definitions (client_id, digest, tool, rule_id, title, cve, component, component_version, fixed_version, ecosystem)
       values ($1, md5($3)::uuid, 'grype', $3, $3, $3, 'qs', $4, '9', 'npm') returning id
     )
     insert into findings (client_id, id, repository_id, scope_id, definition_id, identity, severity, severity_numerical, priority, tool, type,
       category, status, first_scan_id, date, first_seen)
     select $1, new_id(), $2, (select min(id) from scan_scopes where client_id = $1 and repository_id = $2), id, md5($3)::uuid,
       3, 70, 70, 'grype', 'SCA', 'Vulnerable dependency', $5, $2, now(), now()
     from definition`,
    [server.users.clientId, repository, cve, version, status],
  );

// with microseconds, as the database keeps times
const [FIRST, SECOND, THIRD] = [
  '2026-11-20T10:00:00.123456Z',
  '2026-11-21T10:00:00.123456Z',
  '2026-11-22T10:00:00.123456Z',
];
const wire = (time: string | undefined) => new Date(time ?? '').toISOString();

beforeAll(async () => {
  server = await startTestServer();
  shop = await addRepository('shop', null);
  mine = await addRepository('mine', server.users.developer.id);
  await store(shop, [
    ['qs@6.9.0', FIRST, SECOND],
    ['qs@6.10.0', SECOND, null],
    ['debug@2.6.9', FIRST, THIRD],
    ['left@1.0.0', FIRST, null],
    ['ms@2.0.0', THIRD, null],
  ]);
  await addFinding(shop, 'CVE-1', '6.9.0', 'mitigated');
  await addFinding(shop, 'CVE-2', '6.9.0', 'enriched');
  await addFinding(shop, 'CVE-3', '6.10.0', 'enriched');
});
afterAll(() => server.close());

const changesOf = (body: { data: { changes: { kind: string; name: string }[] } }) =>
  body.data.changes.map(({ kind, name }) => `${name} ${kind}`);

test('the newest inventory is compared with the one before, and any two by their times', async () => {
  const { body } = await read(shop);
  expect(body.data.moments).toEqual([
    { at: wire(THIRD), added: 1, removed: 1 },
    { at: wire(SECOND), added: 1, removed: 1 },
    { at: wire(FIRST), added: 3, removed: 0 },
  ]);
  expect([body.data.from, body.data.to]).toEqual([wire(SECOND), wire(THIRD)]);
  expect(changesOf(body)).toEqual(['debug removed', 'ms added']);
  const all = await read(shop, `?from=${wire(FIRST)}`);
  expect(changesOf(all.body)).toEqual(['debug removed', 'ms added', 'qs upgraded']);
  expect(all.body.data.totals).toEqual([
    { kind: 'upgraded', count: 1 },
    { kind: 'downgraded', count: 0 },
    { kind: 'changed', count: 0 },
    { kind: 'added', count: 1 },
    { kind: 'removed', count: 1 },
  ]);
  const back = await read(shop, `?from=${wire(FIRST)}&to=${wire(SECOND)}`);
  expect(changesOf(back.body)).toEqual(['qs upgraded']);
});

test('what it means for findings: those that the new version brings, those of the old that are fixed or still open', async () => {
  const { body } = await read(shop, `?from=${wire(FIRST)}&to=${wire(SECOND)}`);
  const [change] = body.data.changes;
  expect(change.before).toMatchObject([
    { version: '6.9.0', direct: true, findings: 1, fixed: 1, worst_severity: 'high' },
  ]);
  expect(change.after).toMatchObject([
    { version: '6.10.0', direct: true, findings: 1, fixed: 0, worst_severity: 'high' },
  ]);
});

test('one inventory alone has nothing to be compared with, and others have none', async () => {
  await store(mine, [['qs@6.9.0', FIRST, null]]);
  const { body } = await read(mine, '', 'developer');
  expect(body.data).toMatchObject({ from: null, to: wire(FIRST), changes: [] });
  expect((await read(shop, '', 'developer')).status).toBe(404);
  expect((await read('0191c2e0-7b1a-7000-8000-000000000001')).status).toBe(404);
});
