import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../tools/testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('a session says who is signed in', async () => {
  const answer = await server.call('GET', '/session', { as: 'cyberoper' });
  expect(answer.body.data).toEqual({
    user: {
      _id: server.users.cyberoper.id,
      email: server.users.cyberoper.email,
      username: server.users.cyberoper.username,
      role: 'cyberoper',
    },
    client: { _id: server.users.clientId, organization_name: 'Test Organisation' },
    enable_2fa: false,
    google_auth: 0,
  });
});
