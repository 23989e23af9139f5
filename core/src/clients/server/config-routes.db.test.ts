import { randomBytes } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readEventText } from '../../../../tools/testing/event-text.ts';
import { closedDoor } from '../../../../tools/testing/processes.ts';
import { startTestServer, type TestServer } from '../../../../tools/testing/server.ts';
import { createUsers, type TestUsers } from '../../../../tools/testing/users.ts';

const CONNECTORS = ['aws', 'azure', 'gcp', 'oracle_oci', 'semgrep_cli', 'fortify', 'checkmarx', 'gitea', 'github'];
/** 40 letters and digits, as AWS wants its secrets. */
const canary = (): string => `canary${randomBytes(17).toString('hex')}`;

let server: TestServer;
let others: TestUsers;
beforeAll(async () => {
  const nowhere = await closedDoor();
  server = await startTestServer({
    environment: Object.fromEntries(CONNECTORS.map((id) => [`${id.toUpperCase()}_BASE_URL`, nowhere])),
  });
  others = await createUsers(server.scene.database, 'Other Organisation');
});
afterAll(() => server.close());
beforeEach(() => server.scene.owner.query('truncate connections, vault, scan_requests cascade'));

const save = (key: string, values: unknown, as: 'admin' | { token: string } = 'admin') =>
  server.call('POST', '/api/connector', { as, body: { key, values } });
const remove = (body: unknown, query = '') => server.call('DELETE', `/api/connector${query}`, { as: 'admin', body });
// biome-ignore lint/suspicious/noExplicitAny: tests look into every corner of the document
const detail = async (as: 'admin' | { token: string } = 'admin'): Promise<any> =>
  decodeJwt((await server.call('GET', '/client', { as })).body.data);
const scanRequests = async () =>
  (await server.scene.owner.query('select client_id, scan_type, created_by from scan_requests')).rows;
const aws = () => ({ access_key_id: 'AKIAIOSFODNN7EXAMPLE', secret_access_key: canary() });

describe('plugins.cloud', () => {
  test('each cloud is merged into what is stored; a scan of clouds is requested and the client comes along', async () => {
    const values = aws();
    const first = await save('plugins.cloud', { aws: values });
    expect(first.status).toBe(200);
    expect(first.body.data.connectors).toMatchObject([{ _id: 'cloud-deployment/aws', isConfigured: true }]);
    expect(first.body.data.scan_request).toMatch(/^[0-9a-f-]{36}$/);
    expect(decodeJwt(first.body.data.client)).toMatchObject({
      plugins: {
        cloud: { aws: { access_key_id: values.access_key_id, has_secret_access_key: true, isConfigured: true } },
      },
    });
    expect(JSON.stringify(first.body)).not.toContain(values.secret_access_key);
    expect(JSON.stringify(decodeJwt(first.body.data.client))).not.toContain(values.secret_access_key);
    expect(await scanRequests()).toEqual([
      { client_id: server.users.clientId, scan_type: 'cloud', created_by: server.users.admin.id },
    ]);

    await save('plugins.cloud', { gcp: { project_id: 'my-project-123456' }, aws: {} });
    const { cloud } = (await detail()).plugins;
    expect(cloud.aws).toMatchObject({
      access_key_id: values.access_key_id,
      has_secret_access_key: true,
      secret_access_key_hint: values.secret_access_key.slice(-4),
    });
    expect(cloud.gcp).toMatchObject({ project_id: 'my-project-123456', isConfigured: false });
    expect(cloud.azure).toMatchObject({ client_id: null, has_client_secret: false, isConfigured: false });
  });

  test('one is deleted by its key, all by theirs, in the body or in the query', async () => {
    await save('plugins.cloud', { aws: aws(), gcp: { project_id: 'my-project-123456' } });
    const one = await remove({ key: 'plugins.cloud.aws' });
    expect([one.status, one.body.data.scan_request]).toEqual([200, null]);
    expect((await detail()).plugins.cloud).toMatchObject({
      aws: { access_key_id: null, has_secret_access_key: false },
      gcp: { project_id: 'my-project-123456' },
    });
    await save('plugins.cloud', { aws: aws() });
    expect((await remove(undefined, '?key=plugins.cloud')).status).toBe(200);
    expect((await detail()).plugins.cloud).toMatchObject({
      aws: { has_secret_access_key: false },
      gcp: { project_id: null },
    });
    const { rows } = await server.scene.owner.query('select 1 from vault');
    expect(rows).toEqual([]);
  });

  test('errors name the field below its cloud', async () => {
    const answer = await save('plugins.cloud', { aws: { access_key: 'x' }, gcp: { project_id: 42 } });
    expect(answer.status).toBe(422);
    const places = answer.body.detail.map((issue: { loc: string[] }) => issue.loc.slice(0, 4).join('.'));
    expect(places).toEqual(expect.arrayContaining(['body.values.gcp.project_id']));
    expect(places.every((place: string) => /^body\.values\.(aws|gcp)/.test(place))).toBe(true);
    expect(await scanRequests()).toEqual([]);
  });

  test.each([[{}], [{ ibm: {} }], [{ aws: 'AKIA' }], [{ aws: null }], [{ aws: [] }], [{ __proto__x: {} }]])(
    '%j is refused',
    async (values) => {
      expect((await save('plugins.cloud', values)).status).toBe(422);
      expect(await scanRequests()).toEqual([]);
    },
  );
});

describe('other keys', () => {
  test.each([
    ['plugins.gitea', { oauth_token: canary(), hosted_domain: 'gitea.example.test' }],
    ['plugins.github', { oauth_token: canary() }],
    ['black_duck', { api_token: canary(), black_duck_url: 'https://bd.example.test' }],
    ['fortify', { client_secret: canary(), client_id: 'id' }],
    ['checkmarx', { password: canary(), username: 'someone' }],
    ['semgrep_cli', { token: canary(), config: 'p/default' }],
    ['sast/fortify', { client_secret: canary() }],
    ['cloud-deployment/aws', aws()],
  ])('%s is stored, shown without its secrets, and deleted', async (key, values) => {
    const saved = await save(key, values);
    expect([saved.status, saved.body.data?.connectors?.length]).toEqual([200, 1]);
    expect((await scanRequests()).length).toBe(key.startsWith('cloud') ? 1 : 0);
    const shown = JSON.stringify(await detail());
    for (const value of Object.values(values)) {
      if (value.startsWith('canary')) {
        expect(shown).not.toContain(value);
        expect(shown).toContain(`_hint":"${value.slice(-4)}"`);
        expect(server.logs.join('')).not.toContain(value);
      } else expect(shown).toContain(value);
    }
    expect((await remove({ key })).status).toBe(200);
    const { rows } = await server.scene.owner.query('select 1 from vault');
    expect(rows).toEqual([]);
  });

  test.each([
    ['nothing', 404],
    ['plugins.cloud.ibm', 404],
    ['plugins.aws', 404],
    ['plugins.plexalyzer', 422],
    ['../../etc/passwd', 404],
    ['__proto__', 404],
  ])('%s: %i', async (key, status) => {
    expect((await save(key, {})).status).toBe(status);
    expect((await remove({ key })).status).toBe(status);
  });

  test('a removal needs one key', async () => {
    expect((await remove(undefined)).status).toBe(422);
    expect((await remove({ key: 'fortify' }, '?key=checkmarx')).status).toBe(422);
    expect((await remove({ key: 'fortify' }, '?key=fortify')).status).toBe(200);
  });

  test('the backend routes do the same', async () => {
    const secret = canary();
    const put = await server.call('PUT', '/client/config', {
      as: 'admin',
      body: {
        key: 'plugins.cloud',
        values: { aws: { access_key_id: 'AKIAIOSFODNN7EXAMPLE', secret_access_key: secret } },
      },
    });
    expect([put.status, put.body.data.connectors[0].isConfigured]).toEqual([200, true]);
    expect(await scanRequests()).toHaveLength(1);
    expect((await server.call('DELETE', '/client/config?key=plugins.cloud.aws', { as: 'admin' })).status).toBe(200);
    expect((await detail()).plugins.cloud.aws.has_secret_access_key).toBe(false);
  });

  test('a tool is saved by its id', async () => {
    const call = (body: unknown) => server.call('POST', '/api/connector/tool', { as: 'admin', body });
    expect((await call({ tool: 'semgrep_cli', values: { token: canary() } })).body.data.connectors).toMatchObject([
      { _id: 'sast/scannercli', isConfigured: true },
    ]);
    expect((await call({ tool: 'kics-ci/cd', values: {} })).status).toBe(200);
    expect((await call({ tool: 'kics-ci/cd', values: { nothing: 1 } })).status).toBe(422);
    expect((await call({ tool: 'no-such-tool', values: {} })).body.code).toBe('connector_not_found');
    expect((await call({ tool: 'semgrep_cli', values: {}, key: 'x' })).status).toBe(422);
  });
});

test('a save or removal that fails is logged and said, without values', async () => {
  const secret = canary();
  await save('fortify', { client_secret: secret });
  await server.scene.owner.query(
    `update connections set state = 'checking', run_id = gen_random_uuid(), run_until = now() + interval '1 minute'`,
  );
  const refused = await save('fortify', { client_secret: canary() });
  expect([refused.status, refused.body.code, typeof refused.body.detail]).toEqual([409, 'conflict', 'string']);
  await server.scene.owner.query(`update connections set state = 'removing'`);
  expect((await remove({ key: 'fortify' })).status).toBe(409);
  const logs = server.logs.join('');
  expect(logs).toContain('connector was not saved');
  expect(logs).toContain('connector was not deleted');
  expect(logs).not.toContain(secret);
});

test("one organisation's connectors are nobody else's", async () => {
  await save('plugins.cloud', { aws: aws() });
  expect((await detail({ token: others.admin.token })).plugins.cloud.aws.has_secret_access_key).toBe(false);
  await save('plugins.cloud', { aws: aws() }, { token: others.admin.token });
  expect((await detail({ token: others.admin.token })).plugins.cloud.aws.has_secret_access_key).toBe(true);
  await server.call('DELETE', '/api/connector?key=plugins.cloud', { as: { token: others.admin.token } });
  expect((await detail()).plugins.cloud.aws.has_secret_access_key).toBe(true);
});

test('open browsers hear that the client changed', async () => {
  const leaving = new AbortController();
  const response = await fetch(`${server.baseUrl}/api/v1/events`, {
    headers: { authorization: `Bearer ${server.users.developer.token}` },
    signal: leaving.signal,
  });
  const events = readEventText(response);
  await save('plugins.cloud', { aws: aws() });
  const heard = await events.until('event: client.changed');
  leaving.abort();
  expect(heard).toContain('data: {}');
});

describe('the scanner CLI', () => {
  const call = (method: string, body?: unknown) => server.call(method, '/semgrep-cli', { as: 'admin', body });

  test('only the token is required, and it is never shown', async () => {
    expect((await call('GET')).body).toEqual({ data: { has_token: false, token_hint: null, config: null } });
    expect((await call('POST', { config: 'p/default' })).body.detail[0].loc).toEqual(['body', 'token']);
    const token = canary();
    expect((await call('POST', { token })).body).toEqual({ success: true });
    const shown = await call('GET');
    expect(shown.body.data).toMatchObject({ has_token: true, token_hint: token.slice(-4) });
    expect(JSON.stringify(shown.body)).not.toContain(token);
    expect(server.logs.join('')).not.toContain(token);
  });

  test('a stored token stays where none is given; both go together', async () => {
    await call('POST', { token: canary(), config: 'p/default' });
    expect((await call('POST', { config: 'p/ci' })).status).toBe(200);
    expect((await call('POST', { token: ' ', config: 'p/owasp-top-ten' })).status).toBe(200);
    expect((await call('GET')).body.data).toMatchObject({ has_token: true, config: 'p/owasp-top-ten' });
    expect((await call('DELETE')).body).toEqual({ success: true });
    expect((await call('GET')).body.data.has_token).toBe(false);
    expect((await call('POST', { token: 'x', role: 'admin' })).status).toBe(422);
  });
});
