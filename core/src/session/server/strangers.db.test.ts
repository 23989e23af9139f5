import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../tools/testing/server.ts';
import { TEST_PASSWORD } from '../../../../tools/testing/users.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    environment: { BREAKWATER_TRUSTED_PROXIES: 'loopback', BREAKWATER_ALLOWED_HOSTS: 'bw.example.test' },
  });
});
afterAll(() => server.close());
beforeEach(() => server.scene.owner.query('truncate rate_limits'));

const login = (email: string, password: string, headers: Record<string, string> = {}) =>
  server.call('POST', '/login', { body: { email, password }, headers });
const admin = () => server.users.admin.email;

/** Signs in and returns what the browser keeps when the session is over. */
const deviceOf = async (email: string): Promise<string> => {
  const answer = await login(email, TEST_PASSWORD);
  const kept = answer.headers.getSetCookie().find((cookie) => cookie.startsWith('knownDevice='));
  expect(kept).toMatch(/^knownDevice=[\w.-]+; Max-Age=15552000; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
  return kept?.split(';')[0] ?? '';
};

/** Strangers at many addresses, who use up what the account allows, or one at the owner's address. */
const attack = async (from: (round: number) => string): Promise<number[]> => {
  const statuses: number[] = [];
  for (let round = 0; round < 12; round += 1) {
    statuses.push((await login(admin(), 'Wrong-Password-1', { 'x-forwarded-for': from(round) })).status);
  }
  return statuses;
};

describe('wrong passwords of strangers', () => {
  test.each([
    ['from many addresses', (round: number) => `203.0.113.${round}`],
    ["from the owner's own address", () => '198.51.100.7'],
  ])('%s lock nobody out of a browser that they know', async (_from, address) => {
    const device = await deviceOf(admin());
    expect(await attack(address)).toEqual([...Array(10).fill(401), 429, 429]);
    const owner = { 'x-forwarded-for': '198.51.100.7' };
    expect((await login(admin(), TEST_PASSWORD, { ...owner, cookie: device })).status).toBe(200);
    // an unknown browser waits, and so do the strangers after the owner was there
    expect((await login(admin(), TEST_PASSWORD, { 'x-forwarded-for': address(0) })).status).toBe(429);
  });

  test('a known browser is itself allowed ten wrong ones', async () => {
    const cookie = await deviceOf(admin());
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => login(admin(), 'Wrong-Password-1', { cookie }).then(({ status }) => status)),
    );
    expect(answers.filter((status) => status === 401).length).toBeLessThanOrEqual(10);
    expect(answers.filter((status) => status === 429).length).toBeGreaterThanOrEqual(30);
    // of the account nothing was used up
    expect((await login(admin(), TEST_PASSWORD)).status).toBe(200);
  });

  test('the cookie opens nothing, and is of use for one account, as this server signed it', async () => {
    const cookie = await deviceOf(admin());
    const foreign = await deviceOf(server.users.cyberoper.email);
    expect((await server.call('GET', '/session', { headers: { cookie } })).status).toBe(401);
    const token = cookie.split('=')[1] ?? '';
    expect((await server.call('GET', '/session', { as: { token } })).status).toBe(401);
    const document = await server.signer.sign({ user_id: server.users.admin.id, device_id: 'x' });
    await attack((round) => `203.0.113.${round}`);
    for (const other of [foreign, 'knownDevice=x', `${cookie}x`, `knownDevice=${document}`]) {
      expect((await login(admin(), TEST_PASSWORD, { cookie: other })).status).toBe(429);
    }
    expect((await login(admin(), TEST_PASSWORD, { cookie })).status).toBe(200);
  });
});

describe('the first start', () => {
  const setup = {
    organization_name: 'Example',
    email: 'first@example.test',
    username: 'first',
    password: 'Tr0ub4dor&3',
    confirm_password: 'Tr0ub4dor&3',
  };
  let fresh: TestServer;
  beforeAll(async () => {
    fresh = await startTestServer({ environment: { BREAKWATER_ALLOWED_HOSTS: 'bw.example.test' } });
  });
  afterAll(() => fresh.close());
  beforeEach(async () => {
    await fresh.scene.owner.query('truncate rate_limits');
    await fresh.scene.owner.query(`delete from users where role <> 'superadmin'`);
  });

  const send = (method: string, headers: Record<string, string>, body?: object) =>
    new Promise<{ status: number; body: ReturnType<typeof JSON.parse> }>((resolve, reject) => {
      const address = `${fresh.baseUrl}/api/v1/setup`;
      const request = httpRequest(address, { method, headers: { 'content-type': 'application/json', ...headers } });
      request.on('response', async (response) => {
        let text = '';
        for await (const piece of response) text += piece;
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) });
      });
      request.on('error', reject);
      request.end(body === undefined ? undefined : JSON.stringify(body));
    });
  const ELSEWHERE = { host: 'bw.example.test' };
  const BEHIND = { host: 'localhost', 'x-forwarded-for': '203.0.113.1' };

  test('at this machine needs no code', async () => {
    expect((await send('GET', {})).body).toEqual({ data: { needed: true } });
    expect((await send('POST', {}, setup)).status).toBe(200);
    expect((await send('GET', ELSEWHERE)).body).toEqual({ data: { needed: false } });
  });

  test.each([
    ['under another name', ELSEWHERE],
    ['through a proxy', BEHIND],
  ])('%s needs the code that the server printed', async (_how, headers) => {
    expect((await send('GET', headers)).body).toEqual({ data: { needed: true, needs_code: true } });
    for (const setup_code of [undefined, '', 'AAAA-BBBB-CCCC-DDDD', fresh.setupCode.slice(0, -1)]) {
      const { status, body } = await send('POST', headers, { ...setup, setup_code });
      expect([status, body.detail[0].loc]).toEqual([422, ['body', 'setup_code']]);
    }
    const typed = fresh.setupCode.toLowerCase().replaceAll('-', ' ');
    expect((await send('POST', headers, { ...setup, setup_code: typed })).status).toBe(200);
  });

  test('codes cannot be tried without end', async () => {
    const statuses: number[] = [];
    for (let round = 0; round < 12; round += 1) {
      statuses.push((await send('POST', ELSEWHERE, { ...setup, setup_code: `AAAA-BBBB-CCCC-${1000 + round}` })).status);
    }
    expect(statuses).toEqual([...Array(10).fill(422), 429, 429]);
  });

  test('where people arrive by another name, also a caller at this machine needs it: it may be their proxy', async () => {
    const published = await startTestServer({ environment: { BREAKWATER_PUBLIC_URL: 'https://bw.example.test' } });
    try {
      await published.scene.owner.query(`delete from users where role <> 'superadmin'`);
      expect((await published.call('POST', '/setup', { body: setup })).status).toBe(422);
    } finally {
      await published.close();
    }
  });
});
