import { createEgressGate } from '@breakwater/sdk/host';
import { startTestServer, type TestServer } from '@breakwater/tools/testing/server.ts';
import { createUsers, type TestUsers } from '@breakwater/tools/testing/users.ts';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type PackageServer, packageBody, startPackageServer } from '../../../testing/package-server.ts';
import { createPackageService } from './deps-dev.ts';
import { lookUpVersions, type VersionLookupDeps } from './lookup-job.ts';
import { writeLookupSettings } from './lookup-settings.ts';

let service: PackageServer;
let server: TestServer;
let others: TestUsers;
let mine: string;
let theirs: string;
let deps: VersionLookupDeps;
const gate = createEgressGate({ allowPrivateHosts: false });

const newRepository = async (clientId: string): Promise<string> => {
  const { rows } = await server.scene.owner.query<{ id: string }>(
    `insert into repositories (client_id, nickname, source_control) values ($1, 'shop', 'git') returning id`,
    [clientId],
  );
  return rows[0]?.id ?? '';
};

beforeAll(async () => {
  service = await startPackageServer();
  server = await startTestServer({ environment: { DEPS_DEV_BASE_URL: service.address.href } });
  others = await createUsers(server.scene.database, 'Other');
  mine = await newRepository(server.users.clientId);
  theirs = await newRepository(others.clientId);
  const packages = createPackageService({ gate, address: service.address, isTrusted: true });
  deps = { database: server.scene.database, packages, log: pino({ level: 'silent' }) };
});
afterAll(async () => {
  await gate.close();
  await server.close();
  await service.close();
});
beforeEach(async () => {
  await server.scene.owner.query(
    'delete from job_state; delete from component_releases; delete from looked_up_packages; delete from version_lookup_settings; delete from components',
  );
  service.forget();
  service.replyAll(undefined);
  service.slowDown(0);
});

/** Components as an import writes them, without the import. */
const list = async (clientId: string, repositoryId: string, purls: readonly string[]): Promise<void> => {
  const { owner } = server.scene;
  const { rows } = await owner.query<{ id: string }>(
    `insert into scan_scopes (client_id, repository_id, tool) values ($1, $2, 'cyclonedx')
     on conflict do nothing returning id`,
    [clientId, repositoryId],
  );
  const scope =
    rows[0]?.id ??
    (
      await owner.query('select id from scan_scopes where client_id = $1 and repository_id = $2', [
        clientId,
        repositoryId,
      ])
    ).rows[0].id;
  await owner.query(
    `insert into components (client_id, repository_id, scope_id, digest, name, version, purl, ecosystem, first_seen, last_seen)
     select $1, $2, $3, md5(purl)::uuid, substring(purl from '([^/]+)@[^@]*$'), substring(purl from '@([^@/]*)$'), purl,
       substring(purl from '^pkg:([a-z]+)/'), now(), now() from unnest($4::text[]) purl`,
    [clientId, repositoryId, scope, purls],
  );
};
const turnOn = (excluded: string[] = [], as: 'admin' | { token: string } = 'admin') =>
  server.call('PUT', '/version_lookup', { as, body: { is_enabled: true, excluded } });
const run = (clientId = server.users.clientId, repositoryId = mine, signal = new AbortController().signal) =>
  lookUpVersions(deps, { clientId, repositoryId }, signal);
/** As if so much time had gone by. */
const later = (interval: string) =>
  server.scene.owner.query(
    `update job_state set due_at = due_at - '${interval}'::interval;
     update looked_up_packages set ask_at = ask_at - '${interval}'::interval`,
  );
const rows = async (query = '') =>
  (await server.call('GET', `/sbom-findings${query}`, { as: 'admin' })).body.data.map(
    ({ attributes: { name, version, published } }: { attributes: Record<string, unknown> }) => ({
      component: `${name}@${version}`,
      published,
    }),
  );
const states = async () =>
  (
    await server.scene.owner.query<{ text: string }>(
      `select name || ' ' || coalesce(outcome, 'none') as text from looked_up_packages order by 1`,
    )
  ).rows.map(({ text }) => text);

const LODASH = packageBody('npm', 'lodash', {
  '4.17.20': '2020-08-13T16:53:54Z',
  '4.17.21': '2021-02-20T15:42:16Z',
  '5.0.0-alpha.1': '2024-02-20T15:42:16Z',
});

test('nothing is sent until an admin turned it on, and only an admin can', async () => {
  await list(server.users.clientId, mine, ['pkg:npm/lodash@4.17.20']);
  await server.scene.owner.query(
    `insert into job_state (client_id, job, key, due_at) values ($1, 'versions.look-up', $2, now())`,
    [server.users.clientId, mine],
  );
  expect(await run()).toBeUndefined();
  expect(service.questions).toEqual([]);
  const settings = await server.call('GET', '/version_lookup', { as: 'cyberoper' });
  expect(settings.body.data.attributes).toEqual({
    is_enabled: false,
    excluded: [],
    service: service.address.host,
    updated_at: null,
  });
  expect((await server.call('GET', '/version_lookup', { as: 'developer' })).status).toBe(403);
  const body = { is_enabled: true, excluded: [] };
  expect((await server.call('PUT', '/version_lookup', { as: 'cyberoper', body })).status).toBe(403);
  expect(await rows()).toEqual([{ component: 'lodash@4.17.20', published: null }]);
  expect(await states()).toEqual([]);
});

test('names and ecosystems are sent and nothing else, and the list shows age and newest version', async () => {
  service.reply('npm lodash', { body: LODASH });
  service.reply('npm @babel/core', { body: packageBody('npm', '@babel/core', { '7.0.0': undefined }) });
  await list(server.users.clientId, mine, [
    'pkg:npm/lodash@4.17.20',
    'pkg:npm/lodash@4.17.21',
    'pkg:npm/%40babel/core@7.0.0',
    'pkg:npm/unheard-of@1.0.0',
    'pkg:deb/debian/openssl@3.0',
    'pkg:npm/..%2F..%2Fsecret@1',
  ]);
  expect((await turnOn()).status).toBe(200);
  expect(await run()).toBe(3);
  expect(service.questions.map(({ path }) => path).toSorted()).toEqual([
    '/v3/systems/npm/packages/%40babel%2Fcore',
    '/v3/systems/npm/packages/lodash',
    '/v3/systems/npm/packages/unheard-of',
  ]);
  expect(Object.keys(service.questions[0]?.headers ?? {}).toSorted()).toEqual([
    ...['accept', 'connection', 'host', 'user-agent'],
  ]);
  expect(await states()).toEqual(['@babel/core found', 'lodash found', 'unheard-of not_found']);
  const newest = { newest_version: '4.17.21', newest_released_on: '2021-02-20' };
  const unknown = { released_on: null, newest_version: null, newest_released_on: null };
  const listed = await rows('?sort_field=released_on&sort=asc');
  expect(listed.slice(0, 2)).toEqual([
    { component: 'lodash@4.17.20', published: { released_on: '2020-08-13', ...newest } },
    { component: 'lodash@4.17.21', published: { released_on: '2021-02-20', ...newest } },
  ]);
  expect(listed).toContainEqual({ component: 'unheard-of@1.0.0', published: unknown });
  expect(listed).toContainEqual({ component: 'core@7.0.0', published: { ...unknown, newest_version: '7.0.0' } });
  // the newest first, and also beside other conditions
  expect((await rows('?sort_field=released_on&sort=desc'))[0].component).toBe('lodash@4.17.21');
  expect(await rows('?sort_field=released_on&filters[vulnerable]=hide')).toHaveLength(6);
});

test('the page of a component says what came of asking', async () => {
  service.reply('npm lodash', { body: LODASH });
  service.reply('npm odd', { body: '<html>' });
  await list(server.users.clientId, mine, [
    ...['pkg:npm/lodash@4.17.20', 'pkg:npm/none@1', 'pkg:npm/odd@1', 'pkg:deb/debian/openssl@3'],
    'pkg:npm/%40acme/ui@1',
  ]);
  const stateOf = async (name: string) => {
    const found = await server.call('GET', `/sbom-findings?search=${name}`, { as: 'admin' });
    const { body } = await server.call('GET', `/sbom-findings/${found.body.data[0]._id}`, { as: 'admin' });
    return body.data.attributes.version_lookup.state;
  };
  expect(await stateOf('lodash')).toBe('off');
  await turnOn(['@acme/*']);
  expect(await stateOf('lodash')).toBe('waiting');
  await run();
  const all = await Promise.all(['lodash', 'none', 'odd', 'openssl', 'ui'].map(stateOf));
  expect(all).toEqual(['found', 'not_found', 'unreadable', 'unsupported', 'excluded']);
});

test('private packages are never sent, also when they are named later', async () => {
  service.reply('npm @acme/ui', { body: packageBody('npm', '@acme/ui', { '1': '2020-01-01T00:00:00Z' }) });
  service.reply('npm lodash', { body: LODASH });
  await list(server.users.clientId, mine, [
    ...['pkg:npm/%40acme/ui@1.0.0', 'pkg:maven/com.acme/shop@1.0', 'pkg:maven/com.acme.pay/api@1.0'],
    'pkg:npm/lodash@4.17.20',
  ]);
  await turnOn(['@ACME/*', 'com.acme*']);
  await run();
  expect(service.asked()).toEqual(['npm lodash']);
  expect(await states()).toEqual(['lodash found']);
  await turnOn(['lodash']);
  service.forget();
  await run();
  expect(service.asked()).toEqual(['maven com.acme.pay:api', 'maven com.acme:shop', 'npm @acme/ui']);
  expect((await rows('?search=lodash'))[0].published.released_on).toBeNull();
});

test('lines that can be no pattern are refused, each with its reason', async () => {
  const { status, body } = await turnOn(['@acme/*', '*', 'https://npm.acme.test']);
  expect(status).toBe(422);
  expect(body.detail).toMatchObject([
    { loc: ['body', 'excluded', 1], msg: expect.stringContaining('every package') },
    { loc: ['body', 'excluded', 2], msg: expect.stringContaining('not an address') },
  ]);
  expect((await server.call('GET', '/version_lookup', { as: 'admin' })).body.data.attributes.is_enabled).toBe(false);
});

test('what one organisation asked for is not seen by another', async () => {
  service.reply('npm lodash', { body: LODASH });
  await list(server.users.clientId, mine, ['pkg:npm/lodash@4.17.20']);
  await list(others.clientId, theirs, ['pkg:npm/lodash@4.17.20', 'pkg:npm/secret-of-theirs@1']);
  await turnOn();
  await run();
  expect(service.asked()).toEqual(['npm lodash']);
  await server.scene.database.forClient(others.clientId, async (db) => {
    expect(await db.selectFrom('looked_up_packages').selectAll().execute()).toEqual([]);
    expect(await db.selectFrom('component_releases').selectAll().execute()).toEqual([]);
    expect(await db.selectFrom('version_lookup_settings').selectAll().execute()).toEqual([]);
  });
  // the other one has not turned it on
  expect(await run(others.clientId, theirs)).toBeUndefined();
  expect(service.questions).toHaveLength(1);
});

test('each package is asked for once a day, a name that is not known once a week', async () => {
  service.reply('npm lodash', { body: LODASH });
  await list(server.users.clientId, mine, ['pkg:npm/lodash@4.17.20', 'pkg:npm/none@1']);
  await turnOn();
  expect(await run()).toBe(2);
  expect(await run()).toBeUndefined();
  // a new import asks at once, and a version that came with it is known without a question
  await list(server.users.clientId, mine, ['pkg:npm/lodash@4.17.21']);
  await turnOn();
  expect(await run()).toBe(0);
  expect((await rows('?search=lodash')).map((row: { published: object }) => row.published)).toMatchObject([
    { released_on: '2020-08-13' },
    { released_on: '2021-02-20' },
  ]);
  await later('25 hours');
  service.forget();
  expect(await run()).toBe(1);
  expect(service.asked()).toEqual(['npm lodash']);
  await later('6 days');
  service.forget();
  await run();
  expect(service.asked()).toEqual(['npm lodash', 'npm none']);
});

test('what no inventory lists any more is forgotten', async () => {
  service.reply('npm lodash', { body: LODASH });
  await list(server.users.clientId, mine, ['pkg:npm/lodash@4.17.20', 'pkg:npm/lodash@4.17.21']);
  await turnOn();
  await run();
  await server.scene.owner.query(`update components set removed_at = now() where version = '4.17.20'`);
  await later('25 hours');
  await run();
  const { rows: kept } = await server.scene.owner.query('select released_on from component_releases');
  expect(kept).toEqual([{ released_on: '2021-02-20' }]);
});

test('while the service refuses it is left alone, by every organisation', async () => {
  service.replyAll({ status: 429, headers: { 'retry-after': '600' } });
  const purls = Array.from({ length: 40 }, (_, index) => `pkg:npm/part-${index}@1`);
  await list(server.users.clientId, mine, purls);
  await list(others.clientId, theirs, ['pkg:npm/lodash@4.17.20']);
  await turnOn();
  await run();
  expect(service.questions.length).toBeLessThanOrEqual(4);
  service.forget();
  await server.scene.database.forClient(others.clientId, (db) =>
    writeLookupSettings(db, { clientId: others.clientId, userId: others.admin.id, isEnabled: true, excluded: [] }),
  );
  expect(await run(others.clientId, theirs)).toBe(0);
  await turnOn();
  expect(await run()).toBe(0);
  expect(service.questions).toEqual([]);
  const { rows: next } = await server.scene.owner.query(
    `select extract(epoch from due_at - now())::int as seconds from job_state where job = 'versions.look-up'`,
  );
  for (const { seconds } of next) expect(Math.abs(seconds - 600)).toBeLessThan(30);
  // then it goes on with those that have not been asked for
  service.replyAll({ body: packageBody('npm', 'x', { '1': '2020-01-01T00:00:00Z' }) });
  await later('11 minutes');
  expect(await run()).toBeGreaterThanOrEqual(36);
});

test.each([
  ['a page', { body: '<!doctype html><title>Sign in</title>', headers: { 'content-type': 'text/html' } }],
  ['another shape', { body: '{"versions":{"1.0.0":{}}}' }],
  ['no versions', { body: '{"versions":[]}' }],
  [
    '100,000 versions',
    { body: packageBody('', '', Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`1.${n}`, undefined]))) },
  ],
  ['more bytes than a package has', { body: `{"versions":[],"x":"${'x'.repeat(9 * 1024 * 1024)}"}` }],
])('%s is no answer: it is remembered, and the others are asked', async (_, reply) => {
  service.reply('npm lodash', { body: LODASH });
  service.reply('npm odd', reply);
  await list(server.users.clientId, mine, ['pkg:npm/lodash@4.17.20', 'pkg:npm/odd@1']);
  await turnOn();
  expect(await run()).toBe(2);
  expect(await states()).toEqual(['lodash found', 'odd unreadable']);
});

test('a redirect is not followed', async () => {
  service.replyAll({ status: 302, headers: { location: 'http://127.0.0.1:9/stolen' } });
  await list(server.users.clientId, mine, ['pkg:npm/lodash@4.17.20']);
  await turnOn();
  await run();
  expect(service.questions).toHaveLength(1);
  expect(await states()).toEqual(['lodash none']);
});

test('a private address is refused by the gate unless the operator named it', async () => {
  await list(server.users.clientId, mine, ['pkg:npm/lodash@4.17.20']);
  await turnOn();
  const packages = createPackageService({ gate, address: service.address, isTrusted: false });
  const answer = await packages.ask({ system: 'npm', name: 'lodash' }, new AbortController().signal);
  expect(answer).toMatchObject({ outcome: 'refused', reason: expect.stringContaining('private') });
  expect(
    await lookUpVersions(
      { ...deps, packages },
      { clientId: server.users.clientId, repositoryId: mine },
      new AbortController().signal,
    ),
  ).toBe(1);
  expect(service.questions).toEqual([]);
});

test('a run that is ended in the middle is done again and asks nobody twice', async () => {
  const purls = Array.from({ length: 12 }, (_, index) => `pkg:npm/part-${index}@1`);
  for (let index = 0; index < 12; index += 1) {
    service.reply(`npm part-${index}`, { body: packageBody('npm', 'x', { '1': '2020-01-01T00:00:00Z' }) });
  }
  await list(server.users.clientId, mine, purls);
  await turnOn();
  service.slowDown(30);
  const ended = new AbortController();
  const first = run(server.users.clientId, mine, ended.signal);
  while (service.questions.length < 8) await new Promise((resolve) => setTimeout(resolve, 5));
  ended.abort();
  await expect(first).rejects.toThrow();
  await new Promise((resolve) => setTimeout(resolve, 100));
  const answered = (await states()).filter((text) => text.endsWith('found')).length;
  expect(answered).toBeGreaterThan(0);
  expect(answered).toBeLessThan(12);
  service.slowDown(0);
  service.forget();
  // what the dead run had taken is free when its lease ends
  expect(await run()).toBe(0);
  await later('11 minutes');
  await run();
  expect(service.questions).toHaveLength(12 - answered);
  expect((await states()).filter((text) => text.endsWith('found'))).toHaveLength(12);
  expect((await rows('?sort_field=released_on'))[11].published.released_on).toBe('2020-01-01');
});
