import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SERVICE } from '@breakwater/host-server/container.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../tools/testing/server.ts';
import { createUsers, type TestUsers } from '../../../../tools/testing/users.ts';
import { enqueueDueSyncs } from '../../connectors/server/runs/sync-jobs.ts';
import { createPluginScene } from '../../testing/connectors/added-scene.ts';
import { type BuildSpec, packBuild } from '../../testing/connectors/plugin-build.ts';

let server: TestServer;
let others: TestUsers;
let service: Server;
const asked: string[] = [];

beforeAll(async () => {
  server = await startTestServer({ environment: { BREAKWATER_ALLOW_PRIVATE_HOSTS: 'true' }, isWorking: true });
  others = await createUsers(server.scene.database);
  service = createServer((request, response) => {
    asked.push(`${request.headers.authorization} ${request.url}`);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(request.url?.endsWith('/user') ? { login: 'ada' } : { rule: 'A1', file: 'src/a.ts' }));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  service.closeAllConnections();
  service.close();
  await server.container.get(SERVICE.pluginCode).discard();
  await server.close();
});

type As = NonNullable<NonNullable<Parameters<TestServer['call']>[2]>['as']>;
const HOSTS = ['api.acme.example'];
const SYNC = `findings: { async *sync({ http }) {
  yield { kind: 'target', id: 'one', name: 'Wharf' };
  const { rule, file } = await http.json({ path: '/issues' });
  yield { kind: 'finding', type: 'SAST', ruleId: rule, title: 'Found by a plugin', severity: 'high', locations: [{ path: file }] };
} },`;

const { installArchive: install, install: installed, ...scene } = createPluginScene(() => server);
const plugins = async (as: As = 'admin') =>
  (await server.call('GET', '/installed_plugins', { as })).body.data as { _id: string; attributes: never }[];
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
const plugin = async (id: string, as: As = 'admin'): Promise<any> =>
  (await plugins(as)).find(({ _id }) => _id === id)?.attributes;
const enable = (id: string, version: string, more: Record<string, unknown> = {}, as: As = 'admin') =>
  scene.enable(id, { version, hosts: HOSTS, as, ...more });
const enabled = (id: string, version: string, more = {}, as: As = 'admin'): Promise<string> =>
  scene.enabled(id, { version, hosts: HOSTS, as, ...more });
/** The vendor is this process: the operator's address for what the organisation enabled. */
const pointAtService = (connector: string): void => {
  const { port } = service.address() as AddressInfo;
  const { providerBaseUrls } = server.container.get(SERVICE.config);
  if (!(providerBaseUrls instanceof Map)) throw new Error('The addresses of services are no map.');
  // requests and jobs share it
  providerBaseUrls.set(connector.toUpperCase().replace('-', '_'), new URL(`http://127.0.0.1:${port}/v1`));
};
const connect = async (connector: string, as: As = 'admin') => {
  pointAtService(connector);
  const values = { token: 'token-of-tests-1234' };
  const { body } = await server.call('PUT', `/connectors/${connector}`, { as, body: { values } });
  return body.data.attributes;
};
const cards = async (as: As): Promise<string[]> => {
  const { body } = await server.call('GET', '/connectors', { as });
  return body.data.flatMap(({ _id }: { _id: string }) => (_id.includes('/added-') ? [_id] : []));
};

test('a plugin is installed while the server runs, previewed without its code, enabled by one organisation, and its findings come in', async () => {
  const code = await installed({ id: 'wharf-scan', version: '1.0.0', code: SYNC });
  expect(code).toEqual({ id: 'wharf-scan', version: '1.0.0', is_new: true });
  const [preview] = (await plugin('wharf-scan', 'cyberoper')).versions;
  expect(preview).toMatchObject({
    ...{ version: '1.0.0', publisher: 'Acme', tier: 'silver', kind: 'code', hosts: HOSTS, reveals: [], views: [] },
    connectors: [{ id: 'wharf-scan', title: 'Wharf Scan', capabilities: ['check', 'findings'] }],
  });
  expect(preview.connectors[0].credentials.required).toEqual(['token']);
  expect(await cards('admin')).toEqual([]);

  // exactly what it asks for is approved
  for (const other of [
    { hosts: [] },
    { hosts: [...HOSTS, 'b.example'] },
    { reveals: ['token'] },
    { views: ['wharf-scan'] },
    { publisher: 'Other' },
  ])
    expect((await enable('wharf-scan', '1.0.0', other)).status).toBe(409);
  expect((await enable('wharf-scan', '9.0.0')).status).toBe(409);
  expect((await enable('nobody', '1.0.0')).status).toBe(404);
  const connector = await enabled('wharf-scan', '1.0.0');
  expect(await cards('admin')).toEqual([`sast/${connector}`]);
  expect(await cards({ token: others.admin.token })).toEqual([]);
  expect((await server.call('GET', `/connectors/${connector}`, { as: { token: others.admin.token } })).status).toBe(
    404,
  );

  const card = await connect(connector);
  expect(card).toMatchObject({
    title: 'Wharf Scan',
    plugin: { trust: 'isolated', publisher: 'Acme', version: '1.0.0' },
    state: 'connected',
    state_detail: { identity: 'ada by 1.0.0' },
  });
  expect(asked.at(-1)).toBe('Bearer token-of-tests-1234 /v1/user');
  // it is due by itself
  const deps = server.container.get(SERVICE.connectionsDeps);
  await enqueueDueSyncs({ ...deps, ingest: server.container.get(SERVICE.ingest) });
  const found = async () => {
    const { body } = await server.call('GET', '/findings', { as: 'admin' });
    return body.data.map(({ attributes }: { attributes: { title: string } }) => attributes.title);
  };
  await expect.poll(found, { timeout: 60_000 }).toEqual(['Found by a plugin']);
});

test('brings the view of its build, under the id that it has in the organisation', async () => {
  const view = { fields: "view: { title: 'Board', entry: 'view/board.html' }," };
  const html = '<!doctype html><title>Board of 1.0.0</title>';
  await installed({ id: 'view-scan', version: '1.0.0', ...view, listed: { 'view/board.html': html } });
  // the page is approved, too
  expect((await enable('view-scan', '1.0.0')).status).toBe(409);
  const connector = await enabled('view-scan', '1.0.0', { views: ['view-scan'] });
  const read = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${server.baseUrl}/api/v1/connectors/${connector}/view`, { headers });
    return [response.status, await response.text()];
  };
  expect(await read(server.tokens.admin)).toEqual([404, expect.any(String)]);
  expect(await connect(connector)).toMatchObject({ view: { title: 'Board' } });
  expect(await read(server.tokens.admin)).toEqual([200, expect.stringContaining('Board of 1.0.0')]);
  expect((await read(others.admin.token))[0]).toBe(404);
});

test('a version that adds a page of its own waits until an admin approves the page', async () => {
  await installed({ id: 'page-scan', version: '1.0.0' });
  await enabled('page-scan', '1.0.0');
  const view = { fields: "view: { title: 'Board', entry: 'board.html' }," };
  await installed({ id: 'page-scan', version: '1.1.0', ...view, listed: { 'board.html': '<!doctype html><p>Hi' } });
  expect((await plugin('page-scan')).enabled).toMatchObject({ version: '1.0.0', more: { views: ['page-scan'] } });
  await enabled('page-scan', '1.1.0', { views: ['page-scan'] });
  expect((await plugin('page-scan')).enabled).toMatchObject({ version: '1.1.0', more: null, views: ['page-scan'] });
});

test('is refused where its view cannot be shown', async () => {
  const view = { fields: "view: { title: 'Board', entry: 'board.html' }," };
  const framed = { 'board.html': '<!doctype html><iframe srcdoc="x"></iframe>' };
  const refused = await install(await packBuild({ id: 'frame-scan', version: '1.0.0', ...view, listed: framed }));
  expect(refused).toMatchObject({ status: 422 });
  expect(JSON.stringify(refused.body)).toContain('holds a frame');
  const missing = await install(await packBuild({ id: 'frame-scan', version: '1.0.0', ...view }));
  expect(JSON.stringify(missing.body)).toContain('board.html: cannot be read');
});

describe('a later version', () => {
  test('follows by itself where it asks for no more, waits for the admin where it does, and can be gone back from', async () => {
    await installed({ id: 'quay-scan', version: '1.0.0' });
    const connector = await enabled('quay-scan', '1.0.0');
    expect(await connect(connector)).toMatchObject({ state_detail: { identity: 'ada by 1.0.0' } });
    const identity = async () => {
      const { body } = await server.call('POST', `/connectors/${connector}/check`, { as: 'admin' });
      return body.data.attributes.state_detail.identity;
    };
    await installed({ id: 'quay-scan', version: '1.1.0' });
    expect(await identity()).toBe('ada by 1.1.0');

    // more hosts: the old one runs on, and the difference is shown
    await installed({ id: 'quay-scan', version: '2.0.0', hosts: [...HOSTS, 'eu.acme.example'], reveals: ['token'] });
    expect(await identity()).toBe('ada by 1.1.0');
    const waiting = (await plugin('quay-scan')).enabled;
    expect(waiting).toMatchObject({
      ...{ version: '1.1.0', is_held: false, connectors: { 'quay-scan': connector } },
      more: { hosts: ['eu.acme.example'], reveals: ['token'], publisher: null },
    });
    expect((await enable('quay-scan', '2.0.0')).status).toBe(409);
    const all = { hosts: [...HOSTS, 'eu.acme.example'], reveals: ['token'] };
    expect(await enabled('quay-scan', '2.0.0', all)).toBe(connector);
    expect(await identity()).toBe('ada by 2.0.0');
    expect((await plugin('quay-scan')).enabled).toMatchObject({ version: '2.0.0', more: null });

    // back, with its permissions alone; what comes later does not follow
    await enabled('quay-scan', '1.1.0');
    expect(await identity()).toBe('ada by 1.1.0');
    await installed({ id: 'quay-scan', version: '2.1.0' });
    expect(await identity()).toBe('ada by 1.1.0');
    expect((await plugin('quay-scan')).enabled).toMatchObject({ version: '1.1.0', is_held: true });
    await enabled('quay-scan', '2.1.0');
    expect(await identity()).toBe('ada by 2.1.0');
  });

  test('brings the stored fields along', async () => {
    const migrate = `migrate: [{ from: '1.0.0', config: (old) => ({ ...old, project: 'from ' + old.project }) }],`;
    await installed({ id: 'mole-scan', version: '1.0.0' });
    const connector = await enabled('mole-scan', '1.0.0');
    pointAtService(connector);
    await server.call('PUT', `/connectors/${connector}`, {
      as: 'admin',
      body: { values: { token: 'token-of-tests-1234', project: 'p1' } },
    });
    await installed({ id: 'mole-scan', version: '2.0.0', code: migrate });
    await server.call('POST', `/connectors/${connector}/check`, { as: 'admin' });
    const { body } = await server.call('GET', `/connectors/${connector}`, { as: 'admin' });
    expect(JSON.stringify(body.data.attributes.fields)).toContain('"from p1"');
  });

  test('is another one where it has the same number and other content, or an older one', async () => {
    const again = await packBuild({ id: 'dock-scan', version: '1.0.0' });
    expect((await install(again)).body.data.is_new).toBe(true);
    expect((await install(again)).body.data.is_new).toBe(false);
    expect((await install(await packBuild({ id: 'dock-scan', version: '1.0.0', code: SYNC }))).status).toBe(409);
    expect((await install(await packBuild({ id: 'dock-scan', version: '0.9.0' }))).status).toBe(409);
  });
});

test('a channel and a ticket system of a plugin are offered to the organisation that enabled it, and to no other', async () => {
  const code = `notify: { send: async ({ http }, { title }) => { await http.json({ method: 'POST', path: '/messages', body: { title } }); } },
    tickets: {
      draft: (config, { title }) => ({ title }),
      createTicket: async ({ http }, { draft }) => {
        await http.json({ method: 'POST', path: '/tickets', body: draft });
        return { isTaken: true, ticket: null };
      },
    },`;
  await installed({ id: 'bell-scan', version: '1.0.0', code });
  const connector = await enabled('bell-scan', '1.0.0');
  expect(await connect(connector)).toMatchObject({ state: 'connected' });
  const idsAt = async (path: string, as: As): Promise<string> =>
    JSON.stringify((await server.call('GET', path, { as })).body);
  for (const path of ['/client/notification-channels', '/tickets/targets']) {
    expect(await idsAt(path, 'admin')).toContain(connector);
    expect(await idsAt(path, { token: others.admin.token })).not.toContain(connector);
  }
  const test = (as: As) => server.call('POST', `/client/notification-channels/${connector}/test`, { as });
  expect((await test('admin')).status).toBe(200);
  expect(asked.at(-1)).toBe('Bearer token-of-tests-1234 /v1/messages');
  expect((await test({ token: others.admin.token })).status).toBe(404);
});

test('own routes of a plugin are asked by who may, with an input that fits, and by no other organisation', async () => {
  const input = (properties: string) =>
    `{ type: 'object', properties: { ${properties} }, additionalProperties: false }`;
  const code = `routes: [
    { method: 'GET', path: '/user', role: 'developer', input: ${input("page: { type: 'integer', minimum: 1 }")},
      handle: async ({ http }, { page }) => ({ page, ...(await http.json({ path: '/user' })) }) },
    { method: 'POST', path: '/rules/mute', role: 'admin', input: ${input("rule: { type: 'string' }")}, handle: async (ctx, { rule }) => ({ muted: rule }) },
  ],`;
  await installed({ id: 'rope-scan', version: '1.0.0', code });
  const connector = await enabled('rope-scan', '1.0.0');
  expect(await connect(connector)).toMatchObject({ state: 'connected' });
  const ask = (path: string, as: As = 'developer') =>
    server.call('GET', `/connectors/${connector}/routes${path}`, { as });
  const mute = (body: object, as: As = 'admin') =>
    server.call('POST', `/connectors/${connector}/routes/rules/mute`, { as, body });

  expect(await ask('/user?page=2')).toMatchObject({ status: 200, body: { data: { page: 2, login: 'ada' } } });
  expect(await mute({ rule: 'A1' })).toMatchObject({ status: 200, body: { data: { muted: 'A1' } } });
  expect((await mute({ rule: 'A1' }, 'developer')).status).toBe(403);
  const wrong = await ask('/user?page=none');
  expect(wrong).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
  expect((await mute({ rule: 1 })).status).toBe(422);
  expect((await mute({ rule: 'A1', more: 1 })).status).toBe(422);
  expect((await ask('/rules/mute')).status).toBe(405);
  for (const path of ['/users', '/user/all', '/__proto__', '/constructor']) expect((await ask(path)).status).toBe(404);
  expect((await ask('/user', { token: others.admin.token })).status).toBe(404);
});

test('the operator disables a plugin everywhere and offers it again; uninstalled, nothing of it is left', async () => {
  await installed({ id: 'pile-scan', version: '1.0.0' });
  const connector = await enabled('pile-scan', '1.0.0');
  expect(await connect(connector)).toMatchObject({ state: 'connected' });
  // connected it stays
  expect((await server.call('DELETE', '/installed_plugins/pile-scan', { as: 'admin' })).status).toBe(409);

  const offer = (is_offered: boolean) =>
    server.call('PUT', '/platform/plugins/pile-scan', {
      as: 'superadmin',
      body: { is_offered, reason: 'Under review.' },
    });
  await offer(false);
  const check = () => server.call('POST', `/connectors/${connector}/check`, { as: 'admin' });
  expect((await check()).body.detail).toContain('Under review.');
  expect((await enable('pile-scan', '1.0.0', {}, { token: others.admin.token })).status).toBe(409);
  await offer(true);
  expect((await check()).status).toBe(200);

  const list = await server.call('GET', '/platform/plugins', { as: 'superadmin' });
  const shown = list.body.data.find(({ _id }: { _id: string }) => _id === 'pile-scan').attributes;
  expect(shown).toMatchObject({ source: 'file:plugin.tgz', organisations: 1 });
  expect((await server.call('DELETE', '/platform/plugins/pile-scan', { as: 'superadmin' })).status).toBe(200);
  expect(await plugin('pile-scan')).toBeUndefined();
  expect(await cards('admin')).not.toContain(`sast/${connector}`);
  expect((await server.call('GET', `/connectors/${connector}`, { as: 'admin' })).status).toBe(404);
  const { clientId } = server.users;
  const left = await server.scene.database.forClient(clientId, async (db) =>
    Promise.all(
      (['connections', 'connection_history', 'vault', 'connector_switches'] as const).map(async (table) => {
        const rows = await db.selectFrom(table).select('connector_id').where('connector_id', '=', connector).execute();
        return [table, rows.length];
      }),
    ),
  );
  expect(left.map(([, count]) => count)).toEqual([0, 0, 0, 0]);
  expect((await server.call('DELETE', '/platform/plugins/pile-scan', { as: 'superadmin' })).status).toBe(404);
});

test('who may not, cannot', async () => {
  await installed({ id: 'berth-scan', version: '1.0.0' });
  const archive = await packBuild({ id: 'berth-scan', version: '1.1.0' });
  expect((await install(archive, server.tokens.admin)).status).toBe(403);
  expect((await enable('berth-scan', '1.0.0', {}, 'cyberoper')).status).toBe(403);
  expect((await plugins('cyberoper')).length).toBeGreaterThan(0);
  expect((await server.call('GET', '/installed_plugins', { as: 'developer' })).status).toBe(403);
  // what another organisation enabled is not to be seen
  await enabled('berth-scan', '1.0.0', {}, { token: others.admin.token });
  expect((await plugin('berth-scan')).enabled).toBeNull();
  const rows = await server.scene.database.forClient(server.users.clientId, (db) =>
    db.selectFrom('enabled_plugins').select('client_id').execute(),
  );
  expect(rows.every(({ client_id }) => client_id === server.users.clientId)).toBe(true);
});

describe('what is refused', () => {
  const issues = async (archive: Uint8Array): Promise<string> => {
    const { status, body } = await install(archive);
    expect(status).toBe(422);
    return JSON.stringify(body.detail);
  };

  test.each<[string, Partial<BuildSpec>, RegExp]>([
    [
      'more hosts than its build says',
      { hosts: [...HOSTS, 'evil.example'], says: { permissions: { hosts: HOSTS, reveals: [] } } },
      /other hosts than the plugin/,
    ],
    [
      'secrets read that its build does not say',
      { reveals: ['token'], says: { permissions: { hosts: HOSTS, reveals: [] } } },
      /other reveals than the plugin/,
    ],
    ['another publisher', { says: { publisher: 'Trusted Ltd' } }, /other publisher than the plugin/],
    [
      'a later version of the SDK than this server speaks',
      { says: { sdk: { api: '2', range: '^2.0.0' }, more: 'that nobody knows yet' } },
      /made for version 2 of the SDK, and this Breakwater speaks 1: update Breakwater/,
    ],
    [
      'a sign-in at a host that nobody approves',
      {
        fields: `auth: { type: 'oauth2', authorizeUrl: 'https://phish.example/authorize', tokenUrl: 'https://api.acme.example/token',
          scopes: [], tokenField: 'token' },`,
      },
      /signs people in at a host that is not among permissions\.egress/,
    ],
    [
      'a sign-in at a host that only looks like an approved one',
      {
        hosts: ['*.acme.example'],
        fields: `auth: { type: 'oauth2', authorizeUrl: 'https://phish.example\\\\.acme.example/authorize',
          tokenUrl: 'https://api.acme.example/token', scopes: [], tokenField: 'token' }, baseUrl: 'https://api.acme.example',`,
      },
      /signs people in at a host that is not among permissions\.egress|authorizeUrl/,
    ],
    [
      'a route that no address leads to',
      { code: "routes: [{ method: 'GET', path: '/a/b/c', role: 'admin', handle: async () => null }]," },
      /is no path of an own route/,
    ],
    ['a tool of ours', { tool: 'semgrep' }, /reads already/],
    ['the name of the makers', { publisher: 'Breakwater' }, /that is us/],
    ['a file that its build does not say', { files: { 'more.js': 'export {};' } }, /more\.js is not in/],
    ['code that does not load', { top: "throw new Error('nothing here');" }, /nothing here/],
    ['code that ends its process', { top: 'process.exit(1);' }, /ended before it had answered|process/],
    [
      'code that reads files',
      { top: "import { readFileSync } from 'node:fs'; readFileSync('/etc/passwd');" },
      /denied|permission|restricted/i,
    ],
    [
      'a pattern that takes for ever',
      {
        fields:
          "credentials: { type: 'object', properties: { token: { type: 'string', title: 'T', writeOnly: true, pattern: '(a+)+$' } } },",
      },
      /may take too long/,
    ],
    ['the id of a plugin of ours', { id: 'scm-github' }, /has already/],
    ['the id of a connector of ours', { id: 'github' }, /has already/],
  ])('%s', async (_, spec, reason) => {
    expect(await issues(await packBuild({ id: 'hull-scan', version: '1.0.0', ...spec }))).toMatch(reason);
    expect((await plugins()).map(({ _id }) => _id)).not.toContain('hull-scan');
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('plugin')],
    ['half an archive', null],
  ])('%s in place of an archive', async (_, bytes) => {
    const archive = await packBuild({ id: 'half-scan', version: '1.0.0' });
    expect(await issues(bytes ?? archive.subarray(0, archive.length / 2))).toMatch(/no archive|not whole/);
  });

  test('more bytes than a plugin has', async () => {
    expect((await install(Buffer.alloc(11 * 1024 * 1024))).status).toBe(413);
  });
});

test('sends nobody to a page at a host that was not approved, whatever a field of its form makes of the address', async () => {
  const scheme = `scheme: { type: 'string', title: 'Protocol', default: 'https:\\\\\\\\phish.example\\\\' }, client: { type: 'string', title: 'Client ID' }`;
  await installed({
    ...{ id: 'lure-scan', version: '1.0.0' },
    fields: `credentials: { type: 'object', required: ['token'], properties: { token: { type: 'string', title: 'Token', writeOnly: true }, ${scheme} } },
      auth: { type: 'oauth2', authorizeUrl: '{{scheme}}://api.acme.example/authorize', tokenUrl: 'https://api.acme.example/token',
        scopes: [], tokenField: 'token', clientIdField: 'client' },`,
  });
  const connector = await enabled('lure-scan', '1.0.0');
  await server.call('PUT', `/connectors/${connector}`, { as: 'admin', body: { values: { client: 'app' } } });
  const begun = await server.call('POST', `/connectors/${connector}/authorize`, {
    as: 'admin',
    body: { step: 'sign-in' },
  });
  expect([begun.status, begun.body.detail]).toEqual([
    409,
    expect.stringContaining('phish.example, which nobody approved'),
  ]);
});
