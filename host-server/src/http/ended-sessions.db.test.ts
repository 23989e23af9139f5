import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../tools/testing/server.ts';
import { createUser, TEST_PASSWORD, type TestUser } from '../../../tools/testing/users.ts';

/** Point 5 of safety.md: what ends a session ends its open pages, too, at once and not at the next heartbeat. */

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** The live events of a session, once the server has answered. */
const openStream = async (token: string) => {
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${server.baseUrl}/api/v1/events`, { headers, signal: leaving.signal });
  expect(response.status).toBe(200);
  const pieces = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let heard = '';
  return {
    /** What came until the text did, or the server ended it. */
    until: async (text: string): Promise<string> => {
      while (!heard.includes(text)) {
        const piece = await pieces?.read();
        if (piece === undefined || piece.done) break;
        heard += piece.value;
      }
      return heard;
    },
    leave: () => leaving.abort(),
  };
};

const call = async (method: string, path: string, as: 'admin' | { token: string }, body?: object): Promise<void> => {
  const answer = await server.call(method, path, { as, ...(body === undefined ? {} : { body }) });
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
};

const NEW = { password: 'An0ther-secret!', confirm_password: 'An0ther-secret!' };

const byMail = async ({ email }: TestUser): Promise<void> => {
  expect((await server.call('POST', '/password-reset-request', { body: { email } })).status).toBe(200);
  const { rows } = await server.scene.owner.query(
    `select content -> 'link' ->> 'path' as path from mails where recipient = $1 order by id desc limit 1`,
    [email],
  );
  const body = { token: rows[0].path.split('token=')[1], ...NEW };
  expect((await server.call('POST', '/password-reset-confirm', { body })).status).toBe(200);
};

const fromElsewhere = async ({ email }: TestUser): Promise<void> => {
  const body = { email, password: TEST_PASSWORD };
  const headers = { accept: 'application/vnd.breakwater.token+json' };
  const { data } = (await server.call('POST', '/login', { body, headers })).body;
  await call('DELETE', '/user/sessions', { token: data.access_token });
};

test.each<[string, (user: TestUser) => Promise<void>]>([
  ['signing out', (user) => call('POST', '/logout', user)],
  ['being signed out from another browser', fromElsewhere],
  ['a new password', (user) => call('POST', '/user/change_password', user, { old_password: TEST_PASSWORD, ...NEW })],
  ['a password by a mailed link', byMail],
  ['another role', ({ id }) => call('PUT', `/team/${id}`, 'admin', { role: 'developer' })],
  ['an admin who ends the sessions', ({ id }) => call('DELETE', `/team/${id}/sessions`, 'admin')],
  ['removal', ({ id }) => call('DELETE', `/team/${id}`, 'admin')],
])('%s ends the session and its open page, and nobody else’s', async (_cause, end) => {
  const user = await createUser(server.scene.database, server.users.clientId, 'cyberoper');
  const [own, neighbour] = [await openStream(user.token), await openStream(server.tokens.developer)];
  await end(user);
  expect((await server.call('GET', '/session', { as: user })).status).toBe(401);
  // the server ends the stream; a heartbeat would have come first
  const heard = await own.until('still here');
  expect(heard).toContain(': connected');
  expect(heard).not.toContain('still here');
  await call('PUT', '/client', 'admin', { address: user.id });
  expect(await neighbour.until('event: client.changed')).toContain('event: client.changed');
  neighbour.leave();
});
