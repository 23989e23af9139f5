import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createUser, createUsers } from '../../../../../tools/testing/users.ts';
import { type ConnectorScene, LOGGED_IN, startConnectorScene } from '../../../testing/connectors/connector-scene.ts';
import { type OAuthService, speakOAuth } from '../../../testing/connectors/oauth-service.ts';
import { runDue } from '../runs/connection-jobs.ts';

const ID = 'probe-oauth';
type As = Parameters<ConnectorScene['call']>[3];

let scene: ConnectorScene;
let provider: OAuthService;
beforeAll(async () => {
  scene = await startConnectorScene({ isRegistered: true });
});
afterAll(() => scene.close());
beforeEach(async () => {
  provider = speakOAuth(scene.service, () => LOGGED_IN);
  await scene.save(ID, { base_url: scene.service.url });
});
afterEach(async () => {
  provider.answerExchange(undefined);
  await scene.call('DELETE', ID, '');
});

const begin = async (options: As = {}, step = 'sign-in'): Promise<string> => {
  const { status, body } = await scene.call('POST', ID, '/authorize', { ...options, body: { step } });
  expect([status, body.detail]).toEqual([200, undefined]);
  return body.data.url;
};
/** What the page of the callback sends on. */
const comeBack = (back: URL | Record<string, string>) => {
  const fields = back instanceof URL ? Object.fromEntries(back.searchParams) : back;
  return scene.server.call('POST', '/api/oauth/token', { as: 'admin', body: { provider: ID, ...fields } });
};
const refusal = (error: string, description: unknown = expect.any(String)) => ({
  status: 400,
  body: {
    success: false,
    error,
    error_description: description,
    error_uri: '',
    code: 'token_exchange_failed',
    request_id: expect.any(String),
  },
});
const stored = (field: string): Promise<string | undefined> => {
  const { clientId } = scene.server.users;
  return scene.deps.database.forClient(clientId, (db) =>
    scene.deps.vault.read(db, { clientId, connectorId: ID, field }),
  );
};

describe('a sign-in', () => {
  test('goes to the service by state and challenge, and comes back connected', async () => {
    const address = new URL(await begin());
    expect(address.origin + address.pathname).toBe(`${scene.service.url}/authorize`);
    const asked = Object.fromEntries(address.searchParams);
    expect(asked).toMatchObject({
      response_type: 'code',
      client_id: 'breakwater',
      scope: 'read',
      code_challenge_method: 'S256',
      redirect_uri: `${scene.server.baseUrl}/oauth/callback/${ID}`,
    });
    expect(asked['state']).toMatch(/^[\w-]{43}$/);
    expect((await scene.attributes(ID)).state).toBe('authorizing');

    const { status, body } = await comeBack(provider.consent(address.href));
    expect([status, body]).toMatchObject([
      200,
      { success: true, data: { source_control: ID, state: 'connected', is_configured: true, identity: 'octocat' } },
    ]);
    expect(JSON.stringify(body)).not.toMatch(/access-|refresh-/);
    expect(await stored('oauth_token')).toMatch(/^access-/);
    expect(await stored('refresh_token')).toMatch(/^refresh-/);
    const [row] = await scene.rows<{ left: number }>(
      `select extract(epoch from token_expires_at - now())::integer as left from connections where connector_id = '${ID}'`,
    );
    expect(row?.left).toBeGreaterThan(0);
    expect((await scene.events(ID)).slice(-3)).toEqual(['AUTHORIZE authorizing', 'CALLBACK checking', 'OK connected']);
    const sent = provider.exchanges().at(-1);
    expect(sent).toMatchObject({ grant_type: 'authorization_code', client_secret: 'registered-secret' });
    expect(sent?.['code_verifier']).toHaveLength(43);
  });

  test('says what is still missing after it, and where the application is installed', async () => {
    await scene.save(ID, { needs_project: true });
    const half = await comeBack(provider.consent(await begin()));
    expect(half.body.data).toMatchObject({ state: 'draft', is_configured: false });
    const address = new URL(await begin({}, 'installation'));
    expect(address.pathname).toBe('/apps/our-app/new');
    const back = { state: address.searchParams.get('state') ?? '', installation_id: '42', setup_action: 'install' };
    const whole = await comeBack(back);
    expect(whole.body.data).toMatchObject({ state: 'connected', is_configured: true });
    expect((await scene.attributes(ID)).fields.project).toMatchObject({ value: '42' });
  });

  test('an installation that a person waits for an owner to approve, and one with an id that is none', async () => {
    const stateOf = async () => new URL(await begin({}, 'installation')).searchParams.get('state') ?? '';
    const waits = await comeBack({ state: await stateOf(), setup_action: 'request' });
    expect(waits).toMatchObject(refusal('approval_pending', expect.stringContaining('approve')));
    const wrong = await comeBack({ state: await stateOf(), installation_id: '../1' });
    expect(wrong).toMatchObject(refusal('invalid_request'));
    expect((await scene.attributes(ID)).fields.project).toMatchObject({ value: null });
  });

  test('again from a working connection: a refusal leaves what works at work', async () => {
    await comeBack(provider.consent(await begin()));
    const before = await stored('oauth_token');
    const state = new URL(await begin()).searchParams.get('state') ?? '';
    const denied = await comeBack({ state, error: 'access_denied' });
    expect(denied).toMatchObject(refusal('access_denied', 'The sign-in at Probe OAuth was refused there.'));
    expect(await scene.attributes(ID)).toMatchObject({ state: 'connected', state_detail: { message: null } });
    expect(await stored('oauth_token')).toBe(before);
  });

  test('a person who does not come back is waited for ten minutes', async () => {
    await begin();
    await scene.rows(
      `update connections set authorizing_since = now() - interval '11 minutes' where connector_id = '${ID}'`,
    );
    await runDue(scene.deps, { clientId: scene.server.users.clientId, connectorId: ID });
    expect(await scene.attributes(ID)).toMatchObject({
      state: 'draft',
      state_detail: { code: 'auth', message: expect.stringContaining('ten minutes') },
    });
  });
});

describe('what is refused', () => {
  test('an unknown, a missing, an empty and another kind of state', async () => {
    const { searchParams } = provider.consent(await begin());
    const code = searchParams.get('code') ?? '';
    for (const fields of [{ code, state: 'unknown' }, { code }, { code, state: '' }, { state: "' or 1=1 --", code }]) {
      expect(await comeBack(fields)).toMatchObject(refusal('invalid_state'));
    }
    expect(provider.exchanges()).toEqual([]);
    expect((await scene.attributes(ID)).state).toBe('authorizing');
  });

  test('a used state, and all but one of twenty that come at once', async () => {
    const back = provider.consent(await begin());
    const answers = await Promise.all(Array.from({ length: 20 }, () => comeBack(back)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await comeBack(back)).toMatchObject(refusal('invalid_state'));
    expect(provider.exchanges()).toHaveLength(1);
  });

  test('an old state', async () => {
    const back = provider.consent(await begin());
    await scene.rows(`update oauth_states set expires_at = now() - interval '1 second'`);
    expect(await comeBack(back)).toMatchObject(refusal('invalid_state'));
    expect(await scene.attributes(ID)).toMatchObject({ state: 'draft', state_detail: { code: 'auth' } });
    expect(provider.exchanges()).toEqual([]);
  });

  test('the state of another session, of another person and of another organisation; its own still counts', async () => {
    const { clientId, admin } = scene.server.users;
    const back = provider.consent(await begin());
    const again = await scene.server.call('POST', '/login', {
      body: { email: admin.email, password: admin.password },
      headers: { accept: 'application/vnd.breakwater.token+json' },
    });
    const colleague = await createUser(scene.server.scene.database, clientId, 'admin');
    const { admin: foreign } = await createUsers(scene.server.scene.database, 'Another organisation');
    for (const token of [again.body.data.access_token, colleague.token, foreign.token]) {
      const as = { token };
      const answer = await scene.server.call('POST', '/api/oauth/token', {
        as,
        body: { provider: ID, ...Object.fromEntries(back.searchParams) },
      });
      expect(answer).toMatchObject(refusal('invalid_state'));
    }
    expect((await comeBack(back)).status).toBe(200);
  });

  test('a state that comes back to another provider is used up', async () => {
    const back = provider.consent(await begin());
    expect(await comeBack({ ...Object.fromEntries(back.searchParams), provider: 'gitlab' })).toMatchObject(
      refusal('invalid_state'),
    );
    expect(await comeBack(back)).toMatchObject(refusal('invalid_state'));
    expect(provider.exchanges()).toEqual([]);
  });

  test('the first of two sign-ins that were begun', async () => {
    const [first, second] = [await begin(), await begin()];
    expect(await comeBack(provider.consent(first))).toMatchObject(refusal('invalid_state'));
    expect((await comeBack(provider.consent(second))).status).toBe(200);
  });

  test('a code that belongs to another challenge', async () => {
    const own = new URL(await begin());
    const foreign = new URL(own);
    foreign.searchParams.set('code_challenge', 'A'.repeat(43));
    expect(await comeBack(provider.consent(foreign.href))).toMatchObject(refusal('invalid_grant', 'no: invalid_grant'));
    expect(await scene.attributes(ID)).toMatchObject({ state: 'draft', state_detail: { code: 'auth' } });
    expect(await stored('oauth_token')).toBeUndefined();
  });

  test('an answer without a code', async () => {
    const { searchParams } = new URL(await begin());
    expect(await comeBack({ state: searchParams.get('state') ?? '' })).toMatchObject(refusal('invalid_request'));
    expect((await scene.attributes(ID)).state).toBe('draft');
  });

  test.each<[string, object, string]>([
    [
      'an error with status 200',
      { body: { error: 'bad_verification_code', error_description: 'old' } },
      'bad_verification_code',
    ],
    ['no token', { body: { token_type: 'bearer' } }, 'upstream'],
    ['no JSON', { body: '<html>' }, 'upstream'],
    ['a failure', { status: 500 }, 'upstream'],
    ['nothing', { hangUp: true }, 'unreachable'],
    ['a redirect to a foreign host', { status: 307, headers: { location: 'http://203.0.113.7/token' } }, 'upstream'],
  ])('%s to the exchange', async (_, answer, error) => {
    const back = provider.consent(await begin());
    provider.answerExchange(() => answer);
    const refused = await comeBack(back);
    expect(refused).toMatchObject(refusal(error));
    const isOwnWord = error === 'bad_verification_code';
    expect(refused.body.error_description).toBe(
      isOwnWord ? 'old' : 'Failed to access token due to processing data. Please try again later!',
    );
    expect(await scene.attributes(ID)).toMatchObject({ state: 'draft', state_detail: { code: 'auth' } });
    expect(await stored('oauth_token')).toBeUndefined();
  });

  test('a connection that was changed while the service was asked', async () => {
    const back = provider.consent(await begin());
    let isAsked: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    let goOn: () => void = () => undefined;
    const going = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    scene.service.behave(async () => {
      isAsked();
      await going;
      return { body: { access_token: 'access-late' } };
    });
    const answer = comeBack(back);
    await Promise.race([asked, answer]);
    await scene.save(ID, { needs_project: true });
    goOn();
    expect(await answer).toMatchObject(refusal('invalid_state', expect.stringContaining('changed')));
    expect(await stored('oauth_token')).toBeUndefined();
  });

  test('words of an address that would deceive are shown harmless and short', async () => {
    const state = new URL(await begin()).searchParams.get('state') ?? '';
    const words = `a\n\u202Eb\u0000${'x'.repeat(900)}`;
    const { body } = await comeBack({ state, error: 'server_error', error_description: words });
    expect(body.error_description.length).toBeLessThanOrEqual(300);
    expect(body.error_description).not.toMatch(/[\u202E\p{Cc}]/u);
  });

  test('a page of another site, a developer, and reading', async () => {
    const back = provider.consent(await begin());
    const cross = await scene.server.call('POST', '/api/oauth/token', {
      headers: {
        cookie: `accessToken=${scene.server.tokens.admin}`,
        origin: 'https://evil.example',
        'sec-fetch-site': 'cross-site',
      },
      body: { provider: ID, ...Object.fromEntries(back.searchParams) },
    });
    expect([cross.status, cross.body.code]).toEqual([403, 'cross_site_request']);
    expect((await scene.call('POST', ID, '/authorize', { as: 'cyberoper', body: {} })).status).toBe(403);
    for (const path of [`/connectors/${ID}/authorize`, '/api/oauth/token']) {
      expect((await scene.server.call('GET', path, { as: 'admin' })).status).toBe(405);
    }
    expect((await comeBack(back)).status).toBe(200);
  });
});

describe('where the person is sent', () => {
  test('back to this server, whatever the request says of its origin', async () => {
    for (const origin of ['https://evil.example', 'null', 'javascript:alert(1)', `https://${'x'.repeat(20)}`]) {
      const { body } = await scene.server.call('POST', `/connectors/${ID}/authorize`, {
        as: 'admin',
        headers: { origin },
        body: {},
      });
      if (body.data === undefined) expect(body.code).toBe('cross_site_request');
      else expect(new URL(body.data.url).searchParams.get('redirect_uri')).toMatch(`${scene.server.baseUrl}/`);
    }
    const odd = await scene.call('POST', ID, '/authorize', { body: { redirect_uri: 'https://evil.example' } });
    expect(odd.status).toBe(422);
  });

  test("the operator's application is not shown to a host that an organisation typed in", async () => {
    const gitlab = { hosted_url: scene.service.url, oauth_token: 'typed-in-1', refresh_token: 'renews-1' };
    const own = await startConnectorScene({
      environment: { GITLAB_OAUTH_CLIENT_ID: 'operator-id', GITLAB_OAUTH_CLIENT_SECRET: 'operator-secret' },
    });
    try {
      expect((await own.attributes('gitlab')).sign_in).toMatchObject({ ready: true, message: null });
      scene.service.behave(() => ({ status: 401 }));
      const saved = await own.save('gitlab', gitlab);
      expect(saved.body.data.attributes.sign_in).toMatchObject({
        ready: false,
        message: expect.stringContaining('Application ID'),
      });
      const refused = await own.call('POST', 'gitlab', '/authorize', { body: {} });
      expect([refused.status, refused.body.code]).toEqual([409, 'integration_not_configured']);
      const sent = JSON.stringify(scene.service.requests);
      expect(sent).toContain('renews-1');
      expect(sent).not.toMatch(/operator-(id|secret)/);

      await own.save('gitlab', { oauth_client_id: 'ours', oauth_client_secret: 'our-secret' });
      const { body } = await own.call('POST', 'gitlab', '/authorize', { body: {} });
      const address = new URL(body.data.url);
      expect([address.origin, address.searchParams.get('client_id')]).toEqual([scene.service.url, 'ours']);
    } finally {
      await own.close();
    }
  });
});

describe('renewal', () => {
  const renew = () =>
    scene.server.call('POST', '/api/oauth/token', { as: 'admin', body: { provider: ID, grant_type: 'refresh_token' } });

  test('on request, once for all who ask at the same time', async () => {
    await comeBack(provider.consent(await begin()));
    const before = await stored('oauth_token');
    const answers = await Promise.all(Array.from({ length: 20 }, renew));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(await stored('oauth_token')).not.toBe(before);
    expect(provider.exchanges().filter((fields) => fields['grant_type'] === 'refresh_token')).toHaveLength(1);
  });

  test('refused, with the words of the service, or with those of the specification', async () => {
    await comeBack(provider.consent(await begin()));
    provider.answerExchange(() => ({ status: 503 }));
    const text = 'Failed to refresh token due to processing data. Please try again later!';
    expect(await renew()).toMatchObject(refusal('upstream', text));
    expect((await scene.attributes(ID)).state).toBe('connected');
    provider.answerExchange(() => ({ status: 400, body: { error: 'invalid_grant', error_description: 'revoked' } }));
    expect(await renew()).toMatchObject(refusal('invalid_grant', 'revoked'));
    expect((await scene.attributes(ID)).state).toBe('needsAuth');
  });

  test('impossible: a connection that its service took before is cleared, and admins are told', async () => {
    provider.answerExchange(() => ({ body: { access_token: 'access-once' } }));
    const back = provider.consent(await begin());
    scene.service.behave(({ path }) => (path === '/token' ? { body: { access_token: 'access-once' } } : LOGGED_IN));
    expect((await comeBack(back)).body.data.state).toBe('connected');
    scene.service.behave(() => ({ status: 401 }));
    expect(await scene.call('POST', ID, '/check')).toMatchObject({
      status: 409,
      body: { code: 'connection_expired', detail: 'Probe token expired, please create a new one.' },
    });
    expect(await scene.attributes(ID)).toMatchObject({ state: 'absent', fields: { oauth_token: { set: false } } });
    const told = await scene.rows<{ title: string; link: string }>(
      `select title, link from notifications where notification_type = 'token_expiring' and user_id = $1`,
      [scene.server.users.admin.id],
    );
    expect(told).toEqual([
      { title: 'Probe token expired, please create a new one.', link: '/connector?source_control=probe%20oauth' },
    ]);
  });

  test('of a token that was never taken: what was typed in stays to be mended', async () => {
    scene.service.behave(() => ({ status: 401 }));
    const { body } = await scene.save(ID, { oauth_token: 'mistyped-1', refresh_token: 'mistyped-1' });
    expect(body.data.attributes).toMatchObject({ state: 'needsAuth', fields: { oauth_token: { set: true } } });
  });
});
