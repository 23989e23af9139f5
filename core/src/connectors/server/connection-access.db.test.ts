import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createUsers, type TestUsers } from '../../../../tools/testing/users.ts';
import { type ConnectorScene, LOGGED_IN, startConnectorScene } from '../../testing/connectors/connector-scene.ts';

let scene: ConnectorScene;
let others: TestUsers;
beforeAll(async () => {
  scene = await startConnectorScene();
  others = await createUsers(scene.server.scene.database, 'Lighthouse Ltd');
});
afterAll(() => scene.close());
afterEach(() => scene.service.behave(() => LOGGED_IN));

const stranger = () => ({ token: others.admin.token });

describe('another organisation', () => {
  test('sees nothing of a connection and changes nothing of it', async () => {
    await scene.connect({ team: 7 });
    const theirs = await scene.attributes('probe', stranger());
    expect(theirs).toMatchObject({ state: 'absent', is_configured: false, was_connected: false, webhook_path: null });
    expect(theirs.fields).toMatchObject({ token: { set: false, hint: null }, team: { set: false, value: null } });
    expect((await scene.call('GET', 'probe', '/history', { as: stranger() })).body.data).toEqual([]);
    expect((await scene.call('POST', 'probe', '/check', { as: stranger() })).body.code).toBe(
      'integration_not_configured',
    );
    expect((await scene.call('DELETE', 'probe', '', { as: stranger() })).status).toBe(200);
    expect((await scene.call('PUT', 'probe', '/enabled', { as: stranger(), body: { enabled: false } })).status).toBe(
      200,
    );
    expect(await scene.attributes('probe')).toMatchObject({ state: 'connected', enabled: true });
    await scene.connect({ token: 'token-of-the-others' }, stranger());
    expect((await scene.call('GET', 'probe', '', { as: stranger() })).body.data.attributes).toMatchObject({
      state: 'draft',
    });
    expect((await scene.attributes('probe')).fields.token.hint).toBe('1234');
    const own = await scene.rows<{ client_id: string }>('select distinct client_id from vault');
    expect(own).toHaveLength(2);
  });
});

describe('roles', () => {
  test.each<[string, string, string, object | undefined, string[]]>([
    ['GET', '/connectors', 'reads the catalogue', undefined, ['superadmin', 'admin', 'cyberoper']],
    ['GET', '/connectors/probe', 'reads an entry', undefined, ['superadmin', 'admin', 'cyberoper']],
    ['GET', '/connectors/probe/history', 'reads the history', undefined, ['superadmin', 'admin', 'cyberoper']],
    ['GET', '/connectors/probe/view', 'reads its view', undefined, ['superadmin', 'admin', 'cyberoper']],
    ['PUT', '/connectors/probe', 'saves', { values: {} }, ['admin']],
    ['POST', '/connectors/probe/check', 'checks', undefined, ['admin']],
    ['POST', '/connectors/probe/sync', 'pulls', undefined, ['admin']],
    ['POST', '/connectors/probe/release', 'releases', undefined, ['admin']],
    ['PUT', '/connectors/probe/enabled', 'switches', { enabled: true }, ['admin']],
    ['DELETE', '/connectors/probe', 'removes', undefined, ['admin']],
    ['PUT', '/platform/connectors/probe/enabled', 'switches for all', { enabled: true }, ['superadmin']],
    [
      'GET',
      '/connectors/probe/routes/projects',
      "calls a connector's route",
      undefined,
      ['admin', 'cyberoper', 'developer'],
    ],
    ['POST', '/connectors/probe/routes/echo', "calls a connector's route for admins", { text: 'x' }, ['admin']],
  ])('%s %s %s', async (method, path, _, body, may) => {
    for (const role of ['superadmin', 'admin', 'cyberoper', 'developer'] as const) {
      const answer = await scene.server.call(method, path, { as: role, ...(body && { body }) });
      expect(answer.body.code === 'forbidden', `${role} ${JSON.stringify(answer.body)}`).toBe(!may.includes(role));
      expect(answer.status).not.toBe(500);
    }
    expect((await scene.server.call(method, path, body && { body })).status).toBe(401);
  });
});

describe('switches', () => {
  test('the organisation switches off: nothing begins, the data stays, and everybody sees who did it', async () => {
    await scene.connect();
    const off = await scene.call('PUT', 'probe', '/enabled', { body: { enabled: false, reason: 'Contract ended' } });
    const { username } = scene.server.users.admin;
    expect(off.body.data.attributes).toMatchObject({
      enabled: false,
      state: 'connected',
      is_configured: true,
      gate: { state: 'disabledByOrganisation', by: username, reason: 'Contract ended' },
      fields: { token: { set: true } },
    });
    const before = scene.service.requests.length;
    for (const path of ['/check', '/sync']) {
      const refused = await scene.call('POST', 'probe', path);
      expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } });
      expect(refused.body.detail).toContain(username);
      expect(refused.body.detail).toContain('Contract ended');
    }
    expect((await scene.call('GET', 'probe', '/routes/projects')).body.code).toBe('conflict');
    const saved = await scene.save('probe', { team: 9 });
    expect(saved.body.data.attributes).toMatchObject({ state: 'draft', fields: { team: { value: 9 } } });
    expect(scene.service.requests.length).toBe(before);
    const again = await scene.call('PUT', 'probe', '/enabled', { body: { enabled: false, reason: 'Other' } });
    expect(again.body.data.attributes.gate.reason).toBe('Contract ended');
    expect((await scene.events('probe')).slice(-2)).toEqual(['DISABLE_BY_ORGANISATION connected', 'EDIT draft']);
  });

  test('both switches at once: the platform is named first, and each is undone by its own', async () => {
    const off = { enabled: false, reason: 'Incident 7' };
    const platform = (body: object) =>
      scene.server.call('PUT', '/platform/connectors/probe/enabled', { as: 'superadmin', body });
    expect((await platform(off)).body).toEqual({ success: true });
    expect(await scene.attributes('probe')).toMatchObject({
      gate: { state: 'disabledByPlatform', by: scene.server.users.superadmin.username, reason: 'Incident 7' },
    });
    expect((await scene.attributes('probe', stranger())).gate.state).toBe('disabledByPlatform');
    await scene.call('PUT', 'probe', '/enabled', { body: { enabled: true } });
    expect((await scene.attributes('probe')).gate.state).toBe('disabledByPlatform');
    expect((await scene.call('POST', 'probe', '/check')).body.detail).toContain('Incident 7');
    const signal = new AbortController();
    const heard: unknown[] = [];
    const listening = (async () => {
      const events = scene.server.events.subscribe(others.clientId, signal.signal);
      for await (const event of events) heard.push([event.type, event.data]);
    })();
    await platform({ enabled: true });
    await expect.poll(() => heard).toEqual([['connection.changed', { connector_id: 'probe' }]]);
    signal.abort();
    await listening;
    expect((await scene.attributes('probe')).gate.state).toBe('open');
    await scene.call('PUT', 'probe', '/enabled', { as: stranger(), body: { enabled: true } });
    expect((await scene.call('POST', 'probe', '/check')).body.data.attributes.state).toBe('connected');
  });
});

describe('routes of a connector', () => {
  test('run with the connection, judge their input, and end as the service ends', async () => {
    await scene.connect();
    scene.service.behave(({ path }) => (path === '/projects' ? { body: [{ id: 1 }] } : LOGGED_IN));
    expect((await scene.call('GET', 'probe', '/routes/projects', { as: 'developer' })).body).toEqual({
      data: [{ id: 1 }],
    });
    expect((await scene.call('POST', 'probe', '/routes/echo', { body: { text: 'hello' } })).body).toEqual({
      data: { text: 'hello' },
    });
    const wrong = await scene.call('POST', 'probe', '/routes/echo', { body: { text: 'hello', more: 1 } });
    expect(wrong).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
    scene.service.behave(() => ({ status: 401 }));
    const refused = await scene.call('GET', 'probe', '/routes/projects');
    expect(refused).toMatchObject({ status: 409, body: { code: 'upstream_failed' } });
    expect((await scene.attributes('probe')).state).toBe('needsAuth');
    const later = await scene.call('GET', 'probe', '/routes/projects');
    expect(later).toMatchObject({ status: 409, body: { code: 'conflict' } });
    await scene.call('DELETE', 'probe', '');
    expect((await scene.call('GET', 'probe', '/routes/projects')).body.code).toBe('integration_not_configured');
  });
});

describe('the view of a connector', () => {
  const read = async (token = scene.server.users.admin.token, id = 'probe') => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${scene.server.baseUrl}/api/v1/connectors/${id}/view`, { headers });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  test('is there with a connection, for its organisation, and while nothing is switched off', async () => {
    expect((await read()).status).toBe(404);
    expect((await scene.attributes('probe')).view).toBeNull();
    expect((await scene.connect()).view).toEqual({ title: 'Projects' });
    expect(await read()).toMatchObject({ status: 200, text: expect.stringContaining('<title>Projects</title>') });
    expect((await read(others.cyberoper.token)).status).toBe(404);
    expect((await read(undefined, 'probe-plain')).status).toBe(404);
    expect((await read(undefined, 'nobody')).status).toBe(404);
    await scene.call('PUT', 'probe', '/enabled', { body: { enabled: false } });
    expect((await read()).status).toBe(404);
    await scene.call('PUT', 'probe', '/enabled', { body: { enabled: true } });
    expect((await read()).status).toBe(200);
    await scene.call('DELETE', 'probe', '');
    expect((await read()).status).toBe(404);
  });

  test('is answered under a policy of its own, to be shown in a frame of ours alone', async () => {
    await scene.connect();
    const { headers, text } = await read();
    const policy = headers.get('content-security-policy') ?? '';
    for (const part of [
      'sandbox allow-scripts',
      "default-src 'none'",
      "script-src 'unsafe-inline'",
      "style-src 'unsafe-inline'",
      'img-src data:',
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'self'",
      "require-trusted-types-for 'script'",
    ])
      expect(policy.split('; ')).toContain(part);
    expect(policy).not.toContain('allow-same-origin');
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
    expect(headers.has('content-disposition')).toBe(false);
    expect(text.startsWith('<!doctype html><script>')).toBe(true);
    const page = await fetch(`${scene.server.baseUrl}/api/v1/connectors/probe`);
    expect(page.headers.get('content-security-policy')).toMatch(/frame-src 'self'(;|$)/);
    expect(page.headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'/);
  });
});

describe('deliveries of a service', () => {
  const SECRET = 'hook-secret-1234';
  const sign = (text: string): string => `sha256=${createHmac('sha256', SECRET).update(text).digest('hex')}`;
  const deliver = async (path: string, text: string, headers: Record<string, string>) => {
    const response = await fetch(`${scene.server.baseUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: text,
    });
    return { status: response.status, body: await response.json() };
  };
  const taken = async (): Promise<unknown> => {
    const rows = await scene.rows<{ value: unknown }>(
      `select value from connection_store where client_id = $1 and key = 'deliveries'`,
      [scene.server.users.clientId],
    );
    return rows[0]?.value;
  };

  test('count once, proven by their signature, at an address that nobody guesses', async () => {
    const { webhook_path: address } = await scene.connect({ hook_secret: SECRET });
    expect(address).toMatch(/^\/api\/v1\/hooks\/[\w-]{32}$/);
    const text = '{"action": "opened"}';
    const headers = { 'x-probe-signature': sign(text), 'x-event': 'issue', 'x-delivery-id': 'd-1' };
    expect(await deliver(address, text, headers)).toMatchObject({ status: 200, body: { success: true } });
    expect(await taken()).toBe(1);
    expect(await deliver(address, text, headers)).toMatchObject({ status: 200 });
    expect(await taken()).toBe(1);
    expect(await deliver(address, text, { ...headers, 'x-delivery-id': 'd-2' })).toMatchObject({ status: 200 });
    expect(await taken()).toBe(2);
    const [last] = await scene.rows<{ value: object }>(`select value from connection_store where key = 'last'`);
    expect(last?.value).toEqual({ event: 'issue', id: 'd-2', body: { action: 'opened' } });
  });

  test.each<[string, string, Record<string, string>, number]>([
    ['no signature', '{}', {}, 403],
    ['an empty signature', '{}', { 'x-probe-signature': '' }, 403],
    ['a signature of something else', '{}', { 'x-probe-signature': sign('{"a":1}') }, 403],
    ['the secret itself', '{}', { 'x-probe-signature': SECRET }, 403],
    ['a signed text that is no JSON', 'hello', { 'x-probe-signature': sign('hello') }, 422],
  ])('%s is refused, and no code runs', async (_, text, headers, status) => {
    const { webhook_path: address } = await scene.connect({ hook_secret: SECRET });
    const before = await taken();
    expect((await deliver(address, text, headers)).status).toBe(status);
    expect(await taken()).toBe(before);
  });

  test('an address that is none, one of a removed connection, and a body without end', async () => {
    const { webhook_path: address } = await scene.connect({ hook_secret: SECRET });
    expect((await deliver('/api/v1/hooks/short', '{}', {})).status).toBe(404);
    expect((await deliver(`/api/v1/hooks/${'x'.repeat(32)}`, '{}', {})).status).toBe(404);
    const long = `"${'x'.repeat(1_100_000)}"`;
    expect((await deliver(address, long, { 'x-probe-signature': sign(long) })).status).toBe(413);
    await scene.call('DELETE', 'probe', '');
    expect((await deliver(address, '{}', { 'x-probe-signature': sign('{}') })).status).toBe(404);
  });
});
