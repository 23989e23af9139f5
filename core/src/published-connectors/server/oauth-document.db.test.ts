import { SERVICE } from '@breakwater/host-server/container.ts';
import { createFakeOAuth, startTestService, type TestService } from '@breakwater/sdk/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../tools/testing/server.ts';

/** A document whose people sign in at the service, from its publication to a connection. */

let server: TestServer;
let service: TestService;
const CLIENT = { clientId: 'dock-app', clientSecret: 'dock-app-secret-1', by: 'body or basic' } as const;
const oauth = createFakeOAuth({
  ...{ token: 'access-dock-1', refresh: 'refresh-dock-1', app: CLIENT },
  paths: { authorize: '/authorize', token: '/token' },
  answer: ({ access, refresh }) => ({
    access_token: access,
    refresh_token: refresh,
    token_type: 'bearer',
    expires_in: 3600,
  }),
  refuse: () => ({ status: 400, json: { error: 'invalid_grant' } }),
});

beforeAll(async () => {
  service = await startTestService((request) => {
    const answer = oauth.answer(request);
    if (answer !== null) return answer;
    const isKnown = request.headers['authorization'] === `Bearer ${oauth.tokens.access}`;
    return isKnown ? { json: { login: 'ada' } } : { status: 401, json: {} };
  });
  server = await startTestServer({ environment: { BREAKWATER_ALLOW_PRIVATE_HOSTS: 'true' } });
});
afterAll(async () => {
  await service.close();
  await server.close();
});

const auth = {
  type: 'oauth2',
  authorizeUrl: 'https://login.dock.example/authorize',
  tokenUrl: 'https://login.dock.example/token',
  scopes: ['findings:read'],
  clientIdField: 'client_id',
  clientSecretField: 'client_secret',
};
const text = (title: string, isSecret = false) => ({
  ...{ type: 'string', title, description: `${title} of the application that you registered.` },
  ...(isSecret ? { writeOnly: true } : {}),
});
const document = {
  ...{ id: 'dock-cloud', version: '1.0.0', title: 'Dock Cloud', category: 'sast', description: 'Says who you are.' },
  documentation: 'https://dock.example/oauth',
  credentials: {
    type: 'object',
    required: ['oauth_token'],
    properties: {
      client_id: text('Client ID'),
      client_secret: text('Client secret', true),
      oauth_token: text('Access token', true),
      refresh_token: text('Refresh token', true),
    },
  },
  auth,
  baseUrl: 'https://api.dock.example',
  permissions: { egress: ['api.dock.example', 'login.dock.example'] },
  check: { request: { path: '/user' }, identity: 'login' },
};
const fixtures = {
  connectors: {
    'dock-cloud': {
      credentials: { client_id: 'app' },
      addresses: { baseUrl: 'https://api.dock.example' },
      signature: { authorization: 'Bearer {{oauth_token}}' },
      exchanges: [{ request: { path: '/user' }, answer: { body: { login: 'ada' } } }],
      expect: { check: { identity: 'ada' } },
    },
  },
};
const call = (method: string, path: string, body?: unknown) => server.call(method, path, { as: 'admin', body });

test('is published, added, and connected by a sign-in with the application of the organisation', async () => {
  const made = await call('POST', '/user_connectors/publish', { document, fixtures });
  expect([made.status, made.body.detail]).toEqual([200, undefined]);
  const added = await call('POST', `/user_connectors/add/${made.body.data.id}`, { hosts: document.permissions.egress });
  const connector: string = added.body.data.connector;
  const environment = connector.toUpperCase().replace('-', '_');
  server.container.get(SERVICE.connectionsDeps).providerBaseUrls = new Map([[environment, service.url]]);
  const empty = (await call('GET', `/connectors/${connector}`)).body.data.attributes;
  expect(empty.sign_in).toMatchObject({ ready: false, message: expect.stringContaining('enter its Client ID') });
  await call('PUT', `/connectors/${connector}`, {
    values: { client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret },
  });
  const before = await call('GET', `/connectors/${connector}`);
  expect(before.body.data.attributes.sign_in).toMatchObject({ ready: true });
  const begun = await call('POST', `/connectors/${connector}/authorize`, { step: 'sign-in' });
  expect([begun.status, begun.body.detail]).toEqual([200, undefined]);
  const asked = new URL(begun.body.data.url);
  expect(asked.searchParams.get('client_id')).toBe(CLIENT.clientId);
  const consent = await fetch(asked, { redirect: 'manual' });
  const back = new URL(consent.headers.get('location') ?? '');
  const done = await call('POST', '/api/oauth/token', {
    provider: connector,
    ...Object.fromEntries(back.searchParams),
  });
  expect(done.body).toMatchObject({ success: true, data: { state: 'connected', identity: 'ada' } });
  expect(JSON.stringify(done.body)).not.toMatch(/access-dock|refresh-dock/);
});

test.each<[string, object, string]>([
  [
    'a page to sign in at that nobody approved',
    { authorizeUrl: 'https://login.phish.example/authorize' },
    'authorizeUrl',
  ],
  ['tokens from a host that nobody approved', { tokenUrl: 'https://api.dock.example.evil.example/token' }, 'tokenUrl'],
  ['a host that somebody types in', { authorizeUrl: 'https://{{client_id}}/authorize' }, 'authorizeUrl'],
  ['no application of the organisation', { clientIdField: undefined }, 'clientIdField'],
  ['its application without a secret', { clientSecretField: undefined }, 'clientSecretField'],
])('%s is refused', async (_case, change, field) => {
  const id = 'dock-other';
  const other = { connectors: { [id]: fixtures.connectors['dock-cloud'] } };
  const changed = { ...document, id, auth: { ...auth, ...change } };
  const { status, body } = await call('POST', '/user_connectors/publish', { document: changed, fixtures: other });
  expect(status).toBe(422);
  expect(body.detail.map(({ loc }: { loc: string[] }) => loc)).toEqual([['body', 'document', 'auth', field]]);
});
