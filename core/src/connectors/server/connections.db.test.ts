import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConnectorScene, LOGGED_IN, startConnectorScene } from '../../testing/connectors/connector-scene.ts';

let scene: ConnectorScene;
beforeAll(async () => {
  scene = await startConnectorScene();
});
afterAll(() => scene.close());
afterEach(async () => {
  scene.service.behave(() => LOGGED_IN);
  await scene.call('DELETE', 'probe', '');
  await scene.call('DELETE', 'probe-plain', '');
});

const issuesOf = (answer: { body: { detail: { loc: unknown[]; msg: string; type: string }[] } }): string[] =>
  answer.body.detail.map(({ loc, type }) => `${loc.join('.')} ${type}`);

describe('the catalogue', () => {
  test('shows every entry with its form, and nothing stored', async () => {
    const { status, body } = await scene.server.call('GET', '/connectors', { as: 'cyberoper' });
    expect(status).toBe(200);
    const entries = scene.deps.catalogue.entries();
    expect(body.data).toHaveLength(entries.length);
    expect(body.data.map((item: { _id: string }) => item._id)).toContain('sast/probe');
    expect(body.data.find((item: { _id: string }) => item._id === 'sast/probe').attributes).toMatchObject({
      id: 'probe',
      plugin: { id: 'probe', version: '2.0.0', publisher: 'Tests', trust: 'own' },
      state: 'absent',
      enabled: true,
      is_configured: false,
      was_connected: false,
      abilities: ['check', 'sync', 'webhook'],
      fields: { token: { set: false, hint: null, value: null }, mode: { set: false, value: 'plain' } },
      gate: { state: 'open', by: null },
      webhook_path: null,
    });
  });

  test('knows an entry by id and by address, also with a slash in it', async () => {
    expect((await scene.call('GET', 'sast/probe', '')).body.data.attributes.id).toBe('probe');
    expect((await scene.call('GET', 'probe', '')).body.data._id).toBe('sast/probe');
    expect((await scene.call('GET', 'sast/nobody', '')).body.code).toBe('connector_not_found');
  });
});

describe('a save', () => {
  test('stores, checks and connects; the first success is known afterwards', async () => {
    const saved = await scene.connect({ team: 7, labels: ['a', ' b ', ''], mapping: { title: 'summary' } });
    expect(saved).toMatchObject({
      state: 'connected',
      is_configured: true,
      was_connected: true,
      state_detail: { code: null, identity: 'octocat', scopes: ['read'] },
      fields: {
        token: { set: true, hint: '1234', value: null },
        team: { set: true, value: 7 },
        labels: { value: ['a', 'b'] },
        mapping: { value: { title: 'summary' } },
      },
    });
    expect(saved.last_check).not.toBeNull();
    expect(scene.service.requests.at(-1)?.headers.authorization).toBe('Bearer probe-token-1234');
    expect(await scene.events('probe')).toEqual(['CONFIGURE draft', 'SUBMIT checking', 'OK connected']);
  });

  test('keeps what is left out, clears null, keeps a stored secret that comes empty', async () => {
    await scene.connect({ team: 7, note: 'x' });
    const { body } = await scene.save('probe', { token: '', note: null });
    expect(body.data.attributes).toMatchObject({
      state: 'connected',
      fields: { token: { set: true }, team: { set: true, value: 7 }, note: { set: false, value: null } },
    });
    const cleared = await scene.save('probe', { token: null });
    expect(cleared.body.data.attributes).toMatchObject({
      state: 'draft',
      is_configured: false,
      fields: { token: { set: false, hint: null } },
    });
  });

  test('half a form is kept as a draft and asks nobody', async () => {
    const before = scene.service.requests.length;
    const { body } = await scene.save('probe', { base_url: scene.service.url });
    expect(body.data.attributes).toMatchObject({ state: 'draft', is_configured: false });
    expect(scene.service.requests.length).toBe(before);
  });

  test.each<[string, object, string]>([
    ['an unknown field', { nobody: 1 }, 'body.values.nobody unknown_field'],
    ['a prototype', JSON.parse('{"__proto__": {"token": "x"}}'), 'body.values.__proto__ unknown_field'],
    ['a number as text', { team: '7' }, 'body.values.team type'],
    ['half a number', { team: 1.5 }, 'body.values.team type'],
    ['a number below its least', { team: 0 }, 'body.values.team minimum'],
    ['a text as number', { token: 7 }, 'body.values.token type'],
    ['a choice that is none', { mode: 'other' }, 'body.values.mode enum'],
    ['what is no address', { base_url: 'not an address' }, 'body.values.base_url format'],
    ['too many entries', { labels: ['a', 'b', 'c', 'd'] }, 'body.values.labels maxItems'],
    ['a list of numbers', { labels: [1] }, 'body.values.labels.0 type'],
    ['a map of numbers', { mapping: { a: 1 } }, 'body.values.mapping.a type'],
    ['more than 64 kB', { note: 'x'.repeat(65_537) }, 'body.values.note maxLength'],
    ['a NUL', { note: 'a\0b' }, 'body.values.note format'],
    ['half a character', { note: '\ud800' }, 'body.values.note format'],
  ])('refuses %s beside its field and stores nothing', async (_, values, issue) => {
    const answer = await scene.save('probe', values);
    expect(answer.status).toBe(422);
    expect(issuesOf(answer)).toContain(issue);
    expect((await scene.attributes('probe')).state).toBe('absent');
    expect(scene.server.logs.join('')).toContain('connector was not saved');
  });

  test('a connector that needs nothing and asks nobody is connected at once', async () => {
    const { body } = await scene.save('probe-plain', {});
    expect(body.data.attributes).toMatchObject({ state: 'connected', was_connected: true, abilities: [] });
  });

  test('a disabled entry saves, says why, and refuses to be checked or enabled', async () => {
    const { body, status } = await scene.save('probe-disabled', { api_token: 'abc' });
    const reason = 'Live sync is not available; reports can be uploaded.';
    expect(status).toBe(200);
    expect(body.data.attributes).toMatchObject({
      state: 'draft',
      is_configured: false,
      disabled: reason,
      state_detail: { message: reason },
    });
    expect((await scene.call('POST', 'probe-disabled', '/check')).body).toMatchObject({
      code: 'conflict',
      detail: reason,
    });
    const enabling = await scene.call('PUT', 'probe-disabled', '/enabled', { body: { enabled: true } });
    expect(enabling.body).toMatchObject({ code: 'conflict', detail: reason });
  });
});

describe('the card tells what the service said', () => {
  test.each<[string, Parameters<ConnectorScene['service']['behave']>[0], object]>([
    ['401', () => ({ status: 401 }), { state: 'needsAuth', state_detail: { code: 'auth' } }],
    ['403', () => ({ status: 403 }), { state: 'needsAuth', state_detail: { code: 'scope' } }],
    ['500', () => ({ status: 500 }), { state: 'retrying', state_detail: { code: 'upstream' } }],
    ['wrong JSON', () => ({ body: '{"login":' }), { state: 'retrying', state_detail: { code: 'upstream' } }],
    ['another shape', () => ({ body: { user: 1 } }), { state: 'retrying', state_detail: { code: 'upstream' } }],
    ['a hang-up', () => ({ hangUp: true }), { state: 'retrying', state_detail: { code: 'unreachable' } }],
  ])('%s', async (_, behaviour, expected) => {
    scene.service.behave(behaviour);
    const saved = await scene.connect();
    expect(saved).toMatchObject({ ...expected, is_configured: true, was_connected: expect.any(Boolean) });
    expect(saved.state_detail.message).toBeTruthy();
    scene.service.behave(() => LOGGED_IN);
    const { body } = await scene.call('POST', 'probe', '/check');
    expect(body.data.attributes).toMatchObject({ state: 'connected', state_detail: { code: null, message: null } });
  });

  test('a refused connection', async () => {
    const saved = await scene.connect({ base_url: 'http://127.0.0.1:9' });
    expect(saved).toMatchObject({ state: 'retrying', state_detail: { code: 'unreachable' } });
    expect(saved.state_detail.retry_at).not.toBeNull();
  });

  test('429 waits as long as the service asks, and nobody may press in between', async () => {
    scene.service.behave(() => ({ status: 429, headers: { 'retry-after': '120' } }));
    const before = Date.now();
    const saved = await scene.connect();
    expect(saved).toMatchObject({ state: 'paused', state_detail: { code: 'rate_limited' } });
    const wait = new Date(saved.state_detail.retry_at).getTime() - before;
    expect(wait).toBeGreaterThanOrEqual(119_000);
    const asked = scene.service.requests.length;
    expect((await scene.call('POST', 'probe', '/check')).body.code).toBe('conflict');
    expect(scene.service.requests.length).toBe(asked);
  });

  test('wrongly, then rightly, then 401 later', async () => {
    scene.service.behave(() => ({ status: 500 }));
    expect((await scene.connect()).state).toBe('retrying');
    scene.service.behave(() => LOGGED_IN);
    expect((await scene.call('POST', 'probe', '/check')).body.data.attributes.state).toBe('connected');
    scene.service.behave(() => ({ status: 401 }));
    const later = await scene.call('POST', 'probe', '/check');
    expect(later.status).toBe(200);
    expect(later.body.data.attributes).toMatchObject({
      state: 'needsAuth',
      is_configured: true,
      was_connected: true,
      state_detail: { code: 'auth' },
    });
  });

  test('the browsers hear of every change after it is written', async () => {
    const signal = new AbortController();
    const heard: unknown[] = [];
    const { clientId } = scene.server.users;
    const stream = scene.server.events.subscribe(clientId, signal.signal);
    const listening = (async () => {
      for await (const event of stream) if (event.type === 'connection.changed') heard.push(event.data);
    })();
    await scene.connect();
    await expect.poll(() => heard.length, { timeout: 120_000 }).toBe(3);
    expect(heard).toEqual(['draft', 'checking', 'connected'].map((state) => ({ connector_id: 'probe', state })));
    signal.abort();
    await listening;
  });
});

describe('removing', () => {
  test('deletes fields, secrets and memory; the history and the first success stay', async () => {
    await scene.connect({ mode: 'store', team: 3 });
    const { clientId } = scene.server.users;
    const count = async (table: string): Promise<number> =>
      (await scene.rows(`select 1 from ${table} where client_id = $1 and connector_id = 'probe'`, [clientId])).length;
    expect([await count('vault'), await count('connection_store')]).toEqual([1, 1]);
    expect((await scene.call('DELETE', 'probe', '')).body).toEqual({ success: true });
    expect([await count('vault'), await count('connection_store')]).toEqual([0, 0]);
    expect(await scene.attributes('probe')).toMatchObject({
      state: 'absent',
      is_configured: false,
      was_connected: true,
      fields: { token: { set: false }, team: { set: false, value: null } },
      state_detail: { identity: null },
    });
    expect((await scene.events('probe')).slice(-2)).toEqual(['REMOVE removing', 'DONE absent']);
    expect((await scene.call('DELETE', 'probe', '')).status).toBe(200);
    expect((await scene.call('POST', 'probe', '/check')).body.code).toBe('integration_not_configured');
  });

  test('the history keeps the newest 500', async () => {
    await scene.connect();
    const { clientId } = scene.server.users;
    await scene.rows(
      `insert into connection_history (client_id, connector_id, event, from_state, to_state)
       select $1, 'probe', 'CHECK', 'connected', 'checking' from generate_series(1, 600)`,
      [clientId],
    );
    await scene.call('POST', 'probe', '/check');
    const kept = await scene.rows(`select id from connection_history where client_id = $1 and connector_id = 'probe'`, [
      clientId,
    ]);
    expect(kept).toHaveLength(500);
    const { body } = await scene.call('GET', 'probe', '/history');
    expect(body.data).toHaveLength(100);
    expect(body.data[0]).toMatchObject({ event: 'OK', to: 'connected', by: null });
    expect(body.data[1]).toMatchObject({ event: 'CHECK', by: scene.server.users.admin.username });
  });
});
