import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SERVICE } from '@breakwater/host-server/container.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../tools/testing/server.ts';
import { createUsers, type TestUsers } from '../../../../tools/testing/users.ts';
import { syncFindings } from '../../connectors/server/runs/sync-jobs.ts';
import { pierWatchFiles } from '../../testing/connectors/pier-watch-files.ts';

let server: TestServer;
let others: TestUsers;
let files: Awaited<ReturnType<typeof pierWatchFiles>>;
let service: Server;
const asked: string[] = [];

/** Pier Watch with one project and one alert. */
const answers: [path: RegExp, body: unknown][] = [
  [/^\/v1\/orgs\/quay\/token$/, { owner: { name: 'Ada' }, state: 'active', rights: ['alerts:read'] }],
  [
    /^\/v1\/orgs\/quay\/projects/,
    { projects: [{ key: 'p1', name: 'Quay', links: { html: 'https://pier.example/quay' } }] },
  ],
  [
    /^\/v1\/projects\/p1\/alerts/,
    {
      page: { next: null },
      alerts: [
        {
          kind: 'dependency',
          manifest: 'package-lock.json',
          row: 4,
          advisory: {
            id: 'PW-1',
            summary: 'Prototype pollution',
            level: 'severe',
            aliases: ['CVE-2021-23337'],
            cvss: 9.1,
          },
          package: { name: 'lodash', version: '4.17.20', patched: '4.17.21', ecosystem: 'npm' },
        },
      ],
    },
  ],
];

beforeAll(async () => {
  files = await pierWatchFiles();
  server = await startTestServer({ environment: { BREAKWATER_ALLOW_PRIVATE_HOSTS: 'true' }, isWorking: true });
  others = await createUsers(server.scene.database);
  service = createServer((request, response) => {
    asked.push(`${request.headers.authorization} ${request.url}`);
    const body = answers.find(([path]) => path.test(request.url ?? ''))?.[1];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? {}));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  service.closeAllConnections();
  service.close();
  await server.close();
});

type As = NonNullable<Parameters<TestServer['call']>[2]>['as'];
const other = (role: 'admin' | 'cyberoper' | 'developer' = 'admin') => ({ token: others[role].token });
const call = (method: string, path: string, body?: unknown, as: As = 'admin') =>
  server.call(method, `/user_connectors${path}`, { as, body });
const documentWith = (change: Record<string, unknown>) => ({ ...files.document, ...change });
/** The connector under another id. */
const wholeOf = (id: string, change: Record<string, unknown> = {}) => ({
  document: documentWith({ id, title: `Pier ${id}`, ...change }),
  fixtures: { ...files.fixtures, connectors: { [id]: files.fixtures.connectors['pier-watch'] } },
});
/** Its sign-in alone, which is tried in a moment. */
const filesOf = (id: string, change: Record<string, unknown> = {}) => {
  const { credentials, addresses, signature, exchanges, expect: golden } = files.fixtures.connectors['pier-watch'];
  return {
    document: { ...wholeOf(id, change).document, findings: undefined },
    fixtures: {
      connectors: {
        [id]: { credentials, addresses, signature, exchanges: exchanges.slice(0, 1), expect: { check: golden.check } },
      },
    },
  };
};
const HOSTS = ['api.pier.example'];

const listed = async (as: As, query = ''): Promise<string[]> => {
  const { body } = await call('GET', `/list?page=0${query}`, undefined, as);
  return body.data.map(({ attributes }: { attributes: { title: string } }) => attributes.title);
};
const published = async (id: string, visibility: string, change = {}): Promise<string> => {
  const { status, body } = await call('POST', '/publish', { ...filesOf(id, change), visibility });
  expect([status, body.detail]).toEqual([200, undefined]);
  return body.data.id;
};

test('what one organisation publishes for all, another adds, connects and reads its first finding from', async () => {
  const made = await call('POST', '/publish', { ...wholeOf('first'), visibility: 'public' });
  const id: string = made.body.data.id;
  const list = await call('GET', '/list?page=0&search=pier%20fir', undefined, other('cyberoper'));
  expect(list.body.meta.pagination).toMatchObject({ page: 1, total: 1 });
  expect(list.body.data[0].attributes).toMatchObject({
    title: 'Pier first',
    publisher: { name: server.users.organizationName, verified: false },
    version: '1.0.0',
    hosts: HOSTS,
    is_own: false,
    added: null,
  });
  const detail = await call('GET', `/${id}`, undefined, other());
  expect(detail.body.data.attributes.credentials.required).toEqual(['token', 'organization']);
  expect(detail.body.data.attributes.fixtures).toBeNull();
  expect((await call('GET', `/${id}`)).body.data.attributes.fixtures.connectors.first).toBeDefined();

  // exactly what it asks for is approved
  for (const hosts of [[], ['pier.example'], [...HOSTS, 'api.example.com']])
    expect((await call('POST', `/add/${id}`, { hosts }, other())).status).toBe(409);
  const added = await call('POST', `/add/${id}`, { hosts: HOSTS }, other());
  const connector: string = added.body.data.connector;
  const catalogue = await server.call('GET', '/connectors', { as: other() });
  const card = catalogue.body.data.find(({ _id }: { _id: string }) => _id === `sca/${connector}`);
  expect(card.attributes).toMatchObject({
    title: 'Pier first',
    plugin: { trust: 'no_code', publisher: server.users.organizationName },
    egress: HOSTS,
  });
  // nobody else has it
  const own = await server.call('GET', '/connectors', { as: 'admin' });
  expect(own.body.data.some(({ _id }: { _id: string }) => _id.includes(connector))).toBe(false);
  expect((await server.call('GET', `/connectors/${connector}`, { as: 'admin' })).status).toBe(404);
  expect((await server.call('PUT', `/connectors/${connector}`, { as: 'admin', body: { values: {} } })).status).toBe(
    404,
  );

  const deps = server.container.get(SERVICE.connectionsDeps);
  const { port } = service.address() as AddressInfo;
  deps.providerBaseUrls = new Map([
    [connector.toUpperCase().replace('-', '_'), new URL(`http://127.0.0.1:${port}/v1`)],
  ]);
  const saved = await server.call('PUT', `/connectors/${connector}`, {
    as: other(),
    body: { values: { token: 'token-of-tests-1234', organization: 'quay' } },
  });
  expect(saved.body.data.attributes).toMatchObject({ state: 'connected', state_detail: { identity: 'Ada' } });
  await syncFindings(
    { ...deps, ingest: server.container.get(SERVICE.ingest) },
    { clientId: others.clientId, connectorId: connector },
  );
  const found = async () => {
    const { body } = await server.call('GET', '/findings', { as: other() });
    return body.data.map(({ attributes }: { attributes: Record<string, string> }) => [
      attributes['cve'],
      attributes['component'],
    ]);
  };
  await expect.poll(found, { timeout: 60_000 }).toEqual([['CVE-2021-23337', 'lodash']]);
  expect(asked.every((line) => line.startsWith('Bearer token-of-tests-1234 '))).toBe(true);

  // connected it stays; without a connection it goes
  expect((await call('DELETE', `/add/${id}`, undefined, other())).status).toBe(409);
  await server.call('DELETE', `/connectors/${connector}`, { as: other() });
  expect((await call('DELETE', `/add/${id}`, undefined, other())).status).toBe(200);
  expect((await server.call('GET', `/connectors/${connector}`, { as: other() })).status).toBe(404);
});

test('a new version waits for who added the connector; what is unpublished stays with them, and what is revoked is closed to all', async () => {
  const id = await published('second', 'public');
  const { connector } = (await call('POST', `/add/${id}`, { hosts: HOSTS }, other())).body.data;
  const more = { version: '1.1.0', permissions: { egress: [...HOSTS, 'eu.pier.example'] } };
  expect((await call('PUT', `/edit/${id}`, filesOf('second'))).body.detail).toContain('later than 1.0.0');
  expect((await call('PUT', `/edit/${id}`, filesOf('third', more))).status).toBe(409);
  expect((await call('PUT', `/edit/${id}`, filesOf('second', more))).status).toBe(200);
  const versionOf = async () =>
    (await server.call('GET', `/connectors/${connector}`, { as: other() })).body.data.attributes.plugin.version;
  expect(await versionOf()).toBe('1.0.0');
  const waiting = (await call('GET', `/${id}`, undefined, other())).body.data.attributes;
  expect(waiting).toMatchObject({ version: '1.1.0', added: { version: '1.0.0', hosts: HOSTS } });
  expect(waiting.versions.map(({ version }: { version: string }) => version)).toEqual(['1.1.0', '1.0.0']);
  expect((await call('POST', `/add/${id}`, { hosts: HOSTS }, other())).status).toBe(409);
  expect(await versionOf()).toBe('1.0.0');
  await call('POST', `/add/${id}`, { hosts: ['eu.pier.example', ...HOSTS] }, other());
  expect(await versionOf()).toBe('1.1.0');

  expect((await call('DELETE', `/unpublish/${id}`, undefined, other())).status).toBe(404);
  expect((await call('DELETE', `/unpublish/${id}`)).status).toBe(200);
  expect(await versionOf()).toBe('1.1.0');
  expect((await call('GET', `/${id}`, undefined, other())).body.data.attributes.state).toBe('unpublished');
  expect((await call('POST', `/add/${id}`, { hosts: waiting.hosts }, other())).body.detail).toContain('not offered');

  const judge = (body: unknown, as: As = 'superadmin') =>
    server.call('PUT', `/platform/user_connectors/${id}`, { as, body });
  expect((await judge({ revoked: true }, 'admin')).status).toBe(403);
  await judge({ revoked: true, reason: 'It sent tokens elsewhere.' });
  // it shows to who revoked it and to who has it
  expect(await listed('superadmin')).toContain('Pier second');
  expect(await listed(other())).toContain('Pier second');
  const closed = (await server.call('GET', `/connectors/${connector}`, { as: other() })).body.data.attributes;
  expect(closed.disabled).toContain('It sent tokens elsewhere.');
  // its publisher cannot take that back
  expect((await call('DELETE', `/unpublish/${id}`)).status).toBe(409);
  expect((await call('PUT', `/edit/${id}`, filesOf('second', { ...more, version: '1.2.0' }))).status).toBe(409);
  expect((await call('POST', '/publish', filesOf('second', { version: '1.3.0' }))).status).toBe(409);
  await judge({ revoked: false });
  expect(
    (await server.call('GET', `/connectors/${connector}`, { as: other() })).body.data.attributes.disabled,
  ).toBeNull();
});

test('what is private shows to its organisation alone; a publisher is verified under the name that was checked', async () => {
  const id = await published('secret', 'private');
  expect(await listed('cyberoper')).toContain('Pier secret');
  expect(await listed(other())).not.toContain('Pier secret');
  expect(await listed('superadmin')).not.toContain('Pier secret');
  expect((await call('GET', `/${id}`, undefined, other())).status).toBe(404);
  expect((await call('POST', `/add/${id}`, { hosts: HOSTS }, other())).status).toBe(404);
  await call('PUT', `/edit/${id}`, { visibility: 'public' });
  expect(await listed(other())).toContain('Pier secret');
  await server.call('PUT', `/platform/user_connectors/${id}`, { as: 'superadmin', body: { publisher_verified: true } });
  const publisherOf = async () => (await call('GET', `/${id}`, undefined, other())).body.data.attributes.publisher;
  expect(await publisherOf()).toMatchObject({ verified: true });
  await server.scene.owner.query('update clients set organization_name = $1 where id = $2', [
    'GitHub, Inc.',
    server.users.clientId,
  ]);
  await call('PUT', `/edit/${id}`, filesOf('secret', { version: '1.0.1' }));
  expect(await publisherOf()).toEqual({ name: 'GitHub, Inc.', verified: false });
});

describe('refused with what to do', () => {
  test.each<[string, () => Record<string, unknown>, RegExp]>([
    ['no document', () => ({ document: 'x', fixtures: {} }), /connector\.json/],
    [
      'a secret in the document',
      () => filesOf('x', { description: `With ghp_${'a'.repeat(36)}` }),
      /looks like a secret/,
    ],
    [
      'a secret in the fixtures',
      () => ({ ...filesOf('x'), fixtures: { note: `AKIA${'A'.repeat(16)}` } }),
      /looks like a secret/,
    ],
    ['a pattern for a host', () => filesOf('x', { permissions: { egress: ['*.pier.example'] } }), /no literal host/],
    [
      'a host that somebody types in',
      () => filesOf('x', { baseUrl: 'https://{{organization}}/v1', permissions: { egress: ['{{organization}}'] } }),
      /no literal host/,
    ],
    ['no documentation', () => filesOf('x', { documentation: undefined }), /how to get the credentials/],
    ['another publisher', () => filesOf('x', { publisher: 'Breakwater' }), /that is us/],
    [
      'a private key',
      () => ({ ...filesOf('x'), fixtures: { note: `${'-----BEGIN '}RSA PRIVATE KEY-----` } }),
      /looks like a secret/,
    ],
    [
      'a runner token',
      () => ({ ...filesOf('x'), fixtures: { note: `glrt-${'a1'.repeat(10)}` } }),
      /looks like a secret/,
    ],
    ['a sign that is no text', () => ({ ...filesOf('x'), fixtures: { note: 'a\0b' } }), /no text/],
    ['half a letter', () => ({ ...filesOf('x'), fixtures: { '\ud800': 1 } }), /no text/],
    [
      'brackets without end',
      () => ({ ...filesOf('x'), fixtures: JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) }),
      /nested too deeply/,
    ],
    [
      'nothing recorded',
      () => ({ ...filesOf('x'), fixtures: { connectors: {} } }),
      /conformance\.json|fixture|record/i,
    ],
    [
      'a file of the server',
      () => ({
        ...filesOf('x'),
        fixtures: {
          connectors: {
            x: { exchanges: [{ request: { path: '/orgs/quay/token' }, answer: { file: '../../../../etc/passwd' } }] },
          },
        },
      }),
      /file/,
    ],
  ])('%s', async (_case, body, said) => {
    const { status, body: answer } = await call('POST', '/publish', { ...body(), visibility: 'public' });
    expect(status).toBe(422);
    expect(JSON.stringify(answer.detail)).toMatch(said);
    expect(await listed('admin', '&search=Pier%20x')).toEqual([]);
  });

  test('fixtures alone change nothing and are refused: they belong to a version', async () => {
    const id = await published('alone', 'private');
    for (const change of [{}, { visibility: 'public' }]) {
      const { status, body } = await call('PUT', `/edit/${id}`, { fixtures: filesOf('alone').fixtures, ...change });
      expect(status).toBe(422);
      expect(body.detail[0]).toMatchObject({
        loc: ['body', 'document'],
        msg: expect.stringContaining('later version'),
      });
    }
    const { attributes } = (await call('GET', `/${id}`)).body.data;
    expect(attributes).toMatchObject({ visibility: 'private', version: '1.0.0' });
  });

  test('one id twice, and one that belongs to another organisation', async () => {
    await published('twice', 'public');
    expect((await call('POST', '/publish', filesOf('twice'))).body.detail).toContain('already');
    const theirs = await call('POST', '/publish', filesOf('twice'), other());
    expect(theirs.status).toBe(200);
    expect((await call('PUT', `/edit/${theirs.body.data.id}`, { visibility: 'public' })).status).toBe(404);
  });

  test.each(['developer', 'cyberoper', 'superadmin'] as const)('%s publishes and adds nothing', async (role) => {
    const id = '01a21c7e-db85-7666-8c77-9a29cdb222ff';
    expect((await call('POST', '/publish', filesOf('x'), role)).status).toBe(403);
    expect((await call('POST', `/add/${id}`, { hosts: HOSTS }, role)).status).toBe(403);
    expect((await call('DELETE', `/unpublish/${id}`, undefined, role)).status).toBe(403);
    expect((await call('GET', '/list', undefined, role)).status).toBe(role === 'developer' ? 403 : 200);
  });

  test('text of a search is text', async () => {
    expect(await listed('admin', '&search=%25')).toEqual([]);
    expect(await listed('admin', '&search=_')).toEqual([]);
    expect((await call('GET', '/list?page=-1')).status).toBe(422);
    expect((await call('GET', '/list?page=3')).body.data).toEqual([]);
  });
});
