import { route } from '@breakwater/core/platform/api/contract.ts';
import { tenantEndpoint } from '@breakwater/core/platform/server/endpoint.ts';
import { Type } from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../tools/testing/server.ts';

const echo = route({
  method: 'POST',
  base: 'frontend',
  path: '/echo/{id}',
  tag: 'platform',
  summary: 'Say it again',
  access: { permission: 'settings.write', tenant: true },
  params: Type.Object({ id: Type.String() }),
  body: Type.Object({ text: Type.String() }, { additionalProperties: false }),
  response: Type.Object({ text: Type.String() }),
});

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    extraEndpoints: [tenantEndpoint(echo)(({ body, params }) => ({ text: `${params.id}: ${body.text}` }))],
  });
});
afterAll(() => server.close());

const body = { text: 'hello' };

test('a frontend route lies below /api and nowhere else', async () => {
  const answer = await server.call('POST', '/api/echo/a%2Fb', { as: 'admin', body });
  expect([answer.status, answer.body]).toEqual([200, { text: 'a/b: hello' }]);
  expect(answer.headers.get('cache-control')).toContain('no-store');
  expect((await server.call('POST', '/api/v1/echo/a', { as: 'admin', body })).status).toBe(404);
});

test('it is guarded like every other', async () => {
  expect((await server.call('POST', '/api/echo/a', { body })).status).toBe(401);
  expect((await server.call('POST', '/api/echo/a', { as: 'developer', body })).status).toBe(403);
  const cookie = `accessToken=${server.tokens.admin}`;
  const foreign = { cookie, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example.test' };
  expect((await server.call('POST', '/api/echo/a', { body, headers: foreign })).body.code).toBe('cross_site_request');
  const ours = { cookie, 'sec-fetch-site': 'same-origin' };
  expect((await server.call('POST', '/api/echo/a', { body, headers: ours })).status).toBe(200);
  expect((await server.call('POST', '/api/echo/a', { as: 'admin', body: {} })).status).toBe(422);
  const wrong = await server.call('GET', '/api/echo/a', { as: 'admin' });
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST']);
  expect((await server.call('GET', '/api/nothing', { as: 'admin' })).body.code).toBe('not_found');
});

test('the description names it whole, below the root of the server', async () => {
  const { body: description } = await server.call('GET', '/openapi.json');
  expect(description.paths['/api/echo/{id}'].post).toMatchObject({
    servers: [{ url: '/' }],
    operationId: 'post_api_echo_id',
  });
  expect(description.paths['/echo/{id}']).toBeUndefined();
});

test('metrics count it under its whole path', async () => {
  await server.call('POST', '/api/echo/a', { as: 'admin', body });
  const { body: text } = await server.call('GET', '/metrics');
  expect(text).toContain('route="/api/echo/{id}"');
});
