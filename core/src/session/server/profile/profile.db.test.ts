import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../../tools/testing/server.ts';
import { createUsers } from '../../../../../tools/testing/users.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

let service: Server;
/** What the service has, by address; what it was asked. */
const pictures = new Map<string, Buffer>();
const asked: string[] = [];
let isAway = false;
let server: TestServer;

const hashOf = (email: string): string => createHash('sha256').update(email).digest('hex');

beforeAll(async () => {
  service = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const picture = pictures.get(new URL(request.url ?? '', 'http://h.invalid').pathname);
    if (isAway) response.destroy();
    else response.writeHead(picture === undefined ? 404 : 200, { 'content-type': 'image/png' }).end(picture);
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const { port } = service.address() as AddressInfo;
  server = await startTestServer({ environment: { AVATAR_BASE_URL: `http://127.0.0.1:${port}/avatar` } });
});
afterAll(async () => {
  await server.close();
  await new Promise((resolve) => service.close(resolve));
});
beforeEach(async () => {
  await server.scene.owner.query('truncate avatars');
  pictures.clear();
  asked.length = 0;
  isAway = false;
});

const addressOf = (email: string): string => `/avatar/${hashOf(email.toLowerCase())}`;
const avatarOf = (id: string, method: 'GET' | 'HEAD' = 'GET') =>
  fetch(`${server.baseUrl}/api/v1/users/${id}/avatar`, {
    method,
    headers: { authorization: `Bearer ${server.tokens.developer}` },
  });

test('a picture is asked for by hash, size 200, kept for a day and served from here', async () => {
  const { admin } = server.users;
  pictures.set(addressOf(admin.email), PNG);
  const answers = await Promise.all([avatarOf(admin.id), avatarOf(admin.id)]);
  for (const answer of answers) {
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(answer.headers.get('cache-control')).toBe('private, max-age=86400');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(Buffer.from(await answer.arrayBuffer()).equals(PNG)).toBe(true);
  }
  const address = `${addressOf(admin.email)}?s=200&d=404`;
  expect(asked).toEqual([`HEAD ${address}`, `GET ${address}`]);
  isAway = true;
  expect((await avatarOf(admin.id)).status).toBe(200);
  // a day later the service is away: the picture stays
  await server.scene.owner.query(`update avatars set checked_at = now() - interval '2 days'`);
  expect((await avatarOf(admin.id)).status).toBe(200);
  expect(asked).toHaveLength(3);
});

test('who has none, or something that is no small picture, has none here: 404, asked once', async () => {
  const { admin, cyberoper } = server.users;
  expect((await avatarOf(admin.id)).status).toBe(404);
  expect((await avatarOf(admin.id)).status).toBe(404);
  expect(asked).toHaveLength(1);
  pictures.set(addressOf(cyberoper.email), Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
  expect((await avatarOf(cyberoper.id)).status).toBe(404);
  await server.scene.owner.query('truncate avatars');
  pictures.set(addressOf(cyberoper.email), Buffer.concat([PNG, Buffer.alloc(300_000)]));
  expect((await avatarOf(cyberoper.id)).status).toBe(404);
});

test('a service that is away is asked again soon; HEAD answers as GET does, without the picture', async () => {
  const { admin } = server.users;
  pictures.set(addressOf(admin.email), PNG);
  isAway = true;
  const missing = await avatarOf(admin.id);
  expect([missing.status, missing.headers.get('cache-control')]).toEqual([404, 'private, max-age=60']);
  isAway = false;
  const head = await avatarOf(admin.id, 'HEAD');
  expect([head.status, head.headers.get('content-type'), head.headers.get('cache-control')]).toEqual([
    ...[200, 'image/png', 'private, max-age=86400'],
  ]);
  expect((await head.arrayBuffer()).byteLength).toBe(0);
  expect((await avatarOf(server.users.cyberoper.id, 'HEAD')).status).toBe(404);
});

test('nobody of another organisation is asked for', async () => {
  const others = await createUsers(server.scene.database, 'Other Organisation');
  pictures.set(addressOf(others.admin.email), PNG);
  expect((await avatarOf(others.admin.id)).status).toBe(404);
  expect(asked).toEqual([]);
});

test('people change their own name, and nobody takes that of another', async () => {
  const rename = (username: string) => server.call('PUT', '/user/profile', { as: 'developer', body: { username } });
  expect((await rename('  Ann Dev ')).body.data).toMatchObject({ _id: server.users.developer.id, username: 'Ann Dev' });
  const { body } = await server.call('GET', '/session', { as: 'developer' });
  expect(body.data).toMatchObject({ has_avatars: true, user: { username: 'Ann Dev' } });
  for (const wrong of [server.users.admin.username.toUpperCase(), 'a@b', ' ']) {
    const refused = await rename(wrong);
    expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ['body', 'username']]);
  }
  const log = await server.call('GET', '/audit?filters[kind]=account.changed', { as: 'admin' });
  expect(log.body.data[0].attributes).toMatchObject({ subject: 'Ann Dev' });
});

test('people choose language, time zone and number format, which their session tells and nobody else gets', async () => {
  const change = (body: object, as: 'developer' | 'admin' = 'developer') =>
    server.call('PUT', '/user/profile', { as, body });
  const chosen = { language: 'de', time_zone: 'Europe/Berlin', number_format: 'de-CH', density: 'compact' };
  expect((await change(chosen)).body.data).toMatchObject({ username: 'Ann Dev', locale: chosen });
  // what is left out stays
  expect((await change({ time_zone: null })).body.data.locale).toEqual({ ...chosen, time_zone: null });
  const localeOf = async (as: 'developer' | 'admin') => (await server.call('GET', '/session', { as })).body.data.locale;
  expect(await localeOf('developer')).toEqual({ ...chosen, time_zone: null });
  expect(await localeOf('admin')).toEqual({ language: null, time_zone: null, number_format: null, density: null });
  for (const [name, value] of [
    ['language', 'not a language'],
    ['time_zone', 'Mars/Olympus'],
    ['time_zone', '+02:00'],
    ['number_format', '1.234,5'],
    ['number_format', ''],
    ['density', 'huge'],
  ] as const) {
    const refused = await change({ [name]: value });
    expect([refused.status, refused.body.detail[0].loc], value).toEqual([422, ['body', name]]);
  }
  expect((await change({})).status).toBe(422);
  expect(await localeOf('developer')).toEqual({ ...chosen, time_zone: null });
});
