import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startTestServer, type TestServer } from '../../../../../tools/testing/server.ts';
import { createUsers, type TestUsers } from '../../../../../tools/testing/users.ts';
import { warnOfExpiringTokens } from './token-expiry.ts';

const REPORT = new URL('../../../../data/demo-juice-shop/trivy-secrets.json', import.meta.url);
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
const own = (): string => randomBytes(24).toString('hex');

let server: TestServer;
let others: TestUsers;
let repository: string;
beforeAll(async () => {
  server = await startTestServer({ isWorking: true });
  others = await createUsers(server.scene.database, 'Other Organisation');
  const made = await server.call('POST', '/create_repository_with_list', {
    as: 'admin',
    body: { source_control: 'git', data: [{ nickname: 'shop', url: 'https://git.example.test/shop.git' }] },
  });
  repository = made.body.data[0]._id;
});
afterAll(() => server.close());
beforeEach(() => server.scene.owner.query('truncate rate_limits, api_tokens'));

const generate = (
  name = 'pipeline',
  expired_at = inDays(30),
  as: 'admin' | 'superadmin' | { token: string } = 'admin',
) => server.call('POST', '/generate_plexalyzer_token', { as, body: { name, expired_at } });
const add = (body: unknown) => server.call('POST', '/add_plexalyzer_token', { as: 'admin', body });
const scans = (token: string, headers: Record<string, string> = {}) =>
  server.call('GET', '/scans', { headers: { authorization: `Bearer ${token}`, ...headers } });
const list = (as: 'admin' | { token: string } = 'admin') => server.call('GET', '/plexalyzer_tokens', { as });
const rows = async () => (await server.scene.owner.query('select * from api_tokens order by id')).rows;

describe('making', () => {
  test('shows the token once; the database, the list and the log know a digest or nothing of it', async () => {
    const { status, body } = await generate('CI of the shop');
    expect(status).toBe(201);
    expect(body.data.token).toMatch(/^bwp_[\w-]{43}$/);
    expect(body.data).toMatchObject({ name: 'CI of the shop', expired_at: expect.any(String) });
    const listed = await list();
    expect(listed.body).toMatchObject({
      data: [
        {
          _id: body.data._id,
          attributes: {
            name: 'CI of the shop',
            hint: body.data.token.slice(-4),
            status: 'active',
            last_used_at: null,
            created_by: server.users.admin.username,
          },
        },
      ],
      meta: { pagination: { total: 1 } },
    });
    await scans(body.data.token);
    const dump = JSON.stringify(await rows()) + (await rows()).map((row) => row.token_hash.toString('utf8')).join();
    for (const place of [JSON.stringify(listed.body), dump, server.logs.join('')]) {
      expect(place).not.toContain(body.data.token.slice(4));
    }
    expect((await rows())[0].token_hash).toHaveLength(32);
  });

  test('a name is taken once per organisation, in any case, until its token is revoked', async () => {
    const first = await generate('Pipeline');
    const again = await generate(' pipeline ');
    expect(again.status).toBe(409);
    expect(again.body.detail).toContain('"pipeline"');
    expect((await generate('pipeline', inDays(1), { token: others.admin.token })).status).toBe(201);
    await server.call('DELETE', `/plexalyzer_tokens/${first.body.data._id}`, { as: 'admin' });
    expect((await generate('pipeline')).status).toBe(201);
  });

  test('of ten at once with one name exactly one is made', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => generate('same')));
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
  });

  test.each([
    [{ name: 'a' }],
    [{ expired_at: inDays(1) }],
    [{ name: '', expired_at: inDays(1) }],
    [{ name: '   ', expired_at: inDays(1) }],
    [{ name: 'x'.repeat(101), expired_at: inDays(1) }],
    [{ name: 'a', expired_at: inDays(-1) }],
    [{ name: 'a', expired_at: inDays(735) }],
    [{ name: 'a', expired_at: null }],
    [{ name: 'a', expired_at: 'never' }],
    [{ name: 'a', expired_at: inDays(1), client_id: '0192f000-0000-7000-8000-000000000001' }],
    [{ name: 'a', expired_at: inDays(1), token: 'k3J8x0QmZ7vB1nR5tY9wE2uI6oP4aS8dF0gH' }],
    [{ name: 'a', expired_at: inDays(1), role: 'admin' }],
  ])('%j is refused', async (body) => {
    const answer = await server.call('POST', '/generate_plexalyzer_token', { as: 'admin', body });
    expect(answer.status).toBe(422);
    expect(await rows()).toEqual([]);
  });

  test('a superadmin makes tokens of its own organisation only', async () => {
    const { body } = await generate('platform', inDays(1), 'superadmin');
    expect((await rows())[0].client_id).toBe(server.users.superadmin.clientId);
    expect((await scans(body.data.token)).status).toBe(200);
    expect((await list()).body.data).toEqual([]);
  });
});

describe('registering', () => {
  test('confirms a token just generated, and no other way to it', async () => {
    const { body } = await generate();
    const { token, name, created_at, expired_at } = body.data;
    const confirmed = await add({ token, name, created_at, expired_at });
    expect(confirmed.status).toBe(200);
    expect(confirmed.body.data._id).toBe(body.data._id);
    expect(JSON.stringify(confirmed.body)).not.toContain(token);
    expect((await add({ token })).status).toBe(200);
    expect((await add({ token, name: 'another' })).status).toBe(409);
    expect(await rows()).toHaveLength(1);
  });

  test('takes an own random token, which then serves', async () => {
    const token = own();
    const added = await add({ token, name: 'own', expired_at: inDays(10), created_at: inDays(-900) });
    expect(added.body.data.attributes).toMatchObject({ name: 'own', status: 'active', hint: token.slice(-4) });
    expect(Date.parse(added.body.data.attributes.created_at)).toBeGreaterThan(Date.now() - 60_000);
    expect((await scans(token)).status).toBe(200);
    expect(JSON.stringify(await rows())).not.toContain(token);
  });

  test('a token of session shape serves too', async () => {
    const token = randomBytes(32).toString('base64url');
    await add({ token, name: 'own', expired_at: inDays(10) });
    expect((await scans(token)).status).toBe(200);
    expect((await server.call('GET', '/session', { as: { token } })).status).toBe(403);
  });

  test('names everything that is wrong at once', async () => {
    const { status, body } = await add({ token: 'short', expired_at: inDays(-1) });
    expect(status).toBe(422);
    expect(body.detail.map((issue: { loc: string[] }) => issue.loc[1])).toEqual(['token', 'name', 'expired_at']);
  });

  test("neither a revoked token, nor another organisation's, comes back", async () => {
    const { body } = await generate();
    await server.call('DELETE', `/plexalyzer_tokens/${body.data._id}`, { as: 'admin' });
    expect((await add({ token: body.data.token, name: 'again', expired_at: inDays(1) })).status).toBe(409);
    const token = own();
    await add({ token, name: 'own', expired_at: inDays(1) });
    const as = { token: others.admin.token };
    const stolen = { token, name: 'stolen', expired_at: inDays(1) };
    expect((await server.call('POST', '/add_plexalyzer_token', { as, body: stolen })).status).toBe(409);
    expect((await list(as)).body.data).toEqual([]);
  });
});

describe('scopes', () => {
  const make = (changes: object) =>
    server.call('POST', '/generate_plexalyzer_token', {
      as: 'admin',
      body: { name: 'scoped', expired_at: inDays(30), ...changes },
    });

  test('are chosen when a token is made, shown in the list, and uploads only where nothing is chosen', async () => {
    expect((await make({ name: 'a', scopes: ['read', 'scan'] })).body.data.scopes).toEqual(['read', 'scan']);
    expect((await make({ name: 'b' })).body.data.scopes).toEqual(['upload']);
    const shown = (await list()).body.data.map((item: { attributes: { scopes: string[] } }) => item.attributes.scopes);
    expect(shown).toEqual([['upload'], ['read', 'scan']]);
  });

  test.each([[[]], [['admin']], [['read', 'read']], ['read'], [null]])('%j are none', async (scopes) => {
    expect((await make({ scopes })).status).toBe(422);
    expect(await rows()).toEqual([]);
  });

  test('of an own token are chosen too; another choice does not change a stored one', async () => {
    const body = { token: own(), name: 'own', expired_at: inDays(10) };
    expect((await add({ ...body, scopes: ['read'] })).body.data.attributes.scopes).toEqual(['read']);
    expect((await add({ ...body, scopes: ['upload', 'read'] })).body.detail).toBe(
      'This token is stored with the scopes read. Make a new one for others.',
    );
    expect((await add({ ...body, scopes: ['read'] })).status).toBe(200);
  });

  test('open what they say: findings for read, uploads for upload', async () => {
    const read = { token: (await make({ name: 'a', scopes: ['read'] })).body.data.token };
    const upload = { token: (await make({ name: 'b', scopes: ['upload'] })).body.data.token };
    expect((await server.call('GET', '/findings', { as: read })).status).toBe(200);
    expect((await server.call('GET', '/findings', { as: upload })).status).toBe(403);
    const report = { tool: 'trivy', file: (await readFile(REPORT)).toString('base64') };
    expect((await server.call('POST', `/upload_scan/${repository}`, { as: read, body: report })).body).toMatchObject({
      code: 'forbidden',
      detail: 'The API token lacks the scope "upload". An admin can make one that has it.',
    });
  });
});

describe('a machine', () => {
  test('uploads as the token says, sees the scan, and is named in the history, also after it was revoked', async () => {
    const { body } = await generate('Nightly build');
    const as = { token: body.data.token };
    const upload = await server.call('POST', `/upload_scan/${repository}?wait=60`, {
      as,
      body: { tool: 'trivy', file: (await readFile(REPORT)).toString('base64') },
    });
    expect(upload.body.data).toMatchObject({ status: 'done', counts: { total: 3 } });
    const id = upload.body.data.scan_id;
    expect((await server.call('GET', `/scans/${id}`, { as })).body.data.attributes.created_by).toBe('Nightly build');
    expect(
      (await server.call('GET', '/repositories', { as })).body.data.map((item: { _id: string }) => item._id),
    ).toEqual([repository]);
    await server.call('DELETE', `/plexalyzer_tokens/${body.data._id}`, { as: 'admin' });
    expect((await server.call('GET', `/scans/${id}`, { as: 'admin' })).body.data.attributes.created_by).toBe(
      'Nightly build',
    );
  });

  test('those who triage hear of its upload that failed', async () => {
    await server.scene.owner.query('truncate notifications');
    const { body } = await generate();
    const upload = await server.call('POST', `/upload_scan/${repository}?wait=60`, {
      as: { token: body.data.token },
      body: { tool: 'trivy', file: Buffer.from('{"SchemaVersion":2,"Results":[{').toString('base64') },
    });
    expect(upload.status).toBe(422);
    const sent = async () =>
      (await server.scene.owner.query('select user_id, notification_type from notifications')).rows;
    await vi.waitFor(async () => expect(await sent()).toHaveLength(2), { timeout: 120_000 });
    expect((await sent()).map((row) => row.user_id).sort()).toEqual(
      [server.users.admin.id, server.users.cyberoper.id].sort(),
    );
  });

  test('meets nothing of another organisation', async () => {
    const { body } = await generate('theirs', inDays(1), { token: others.admin.token });
    const as = { token: body.data.token };
    expect((await server.call('GET', '/repositories', { as })).body.data).toEqual([]);
    const upload = await server.call('POST', `/upload_scan/${repository}`, {
      as,
      body: { tool: 'auto', file: 'e30=' },
    });
    expect(upload.status).toBe(404);
  });

  test('is refused at once when revoked or expired', async () => {
    const revoked = (await generate('a')).body.data;
    const expired = (await generate('b')).body.data;
    expect((await scans(revoked.token)).status).toBe(200);
    await server.call('DELETE', `/plexalyzer_tokens/${revoked._id}`, { as: 'admin' });
    expect((await scans(revoked.token)).status).toBe(401);
    await server.scene.owner.query(`update api_tokens set expires_at = now() where id = $1`, [expired._id]);
    expect((await scans(expired.token)).status).toBe(401);
    expect((await list()).body.data.map((item: { attributes: { status: string } }) => item.attributes.status)).toEqual([
      'expired',
    ]);
  });

  test('is never known by a cookie', async () => {
    const { token } = (await generate()).body.data;
    const answer = await server.call('GET', '/scans', { headers: { cookie: `accessToken=${token}` } });
    expect(answer.status).toBe(401);
    const ownToken = randomBytes(32).toString('base64url');
    await add({ token: ownToken, name: 'own', expired_at: inDays(1) });
    expect((await server.call('GET', '/scans', { headers: { cookie: `accessToken=${ownToken}` } })).status).toBe(401);
  });

  test('leaves when it was last here', async () => {
    const { token } = (await generate()).body.data;
    await scans(token);
    const [{ last_used_at: first }] = await rows();
    expect(first).toBeInstanceOf(Date);
    await scans(token);
    expect((await rows())[0].last_used_at).toEqual(first);
    await server.scene.owner.query(`update api_tokens set last_used_at = now() - interval '5 minutes'`);
    await scans(token);
    const [{ last_used_at: third }] = await rows();
    expect(third.getTime()).toBeGreaterThanOrEqual(first.getTime());
  });
});

test('of 60 guesses at most 20 are answered with 401, and a right token passes all the while', async () => {
  const { token } = (await generate()).body.data;
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_value, index) =>
      scans(`bwp_${randomBytes(32).toString('base64url')}`, { 'x-forwarded-for': `10.0.0.${index}` }),
    ),
  );
  expect(answers.filter((answer) => answer.status === 401).length).toBeLessThanOrEqual(20);
  const refused = answers.filter((answer) => answer.status === 429);
  expect(refused.length).toBeGreaterThanOrEqual(40);
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await scans(token)).status).toBe(200);
});

test("revoking: another organisation's id, a second time and nonsense are 404", async () => {
  const { _id } = (await generate('theirs', inDays(1), { token: others.admin.token })).body.data;
  for (const id of [_id, 'nonsense']) {
    const answer = await server.call('DELETE', `/plexalyzer_tokens/${id}`, { as: 'admin' });
    expect([answer.status, answer.body.code]).toEqual([404, 'token_not_found']);
  }
  const as = { token: others.admin.token };
  expect((await server.call('DELETE', `/plexalyzer_tokens/${_id}`, { as })).status).toBe(200);
  expect((await server.call('DELETE', `/plexalyzer_tokens/${_id}`, { as })).status).toBe(404);
});

test('admins are notified once, seven days before', async () => {
  await server.scene.owner.query('truncate notifications');
  await generate('soon', inDays(6.9));
  await generate('later', inDays(8));
  const sent = await Promise.all([1, 2, 3].map(() => warnOfExpiringTokens(server.scene.database)));
  expect(sent.reduce((sum, count) => sum + count)).toBe(1);
  const notices = (await server.scene.owner.query('select user_id, notification_type, title from notifications')).rows;
  expect(notices).toEqual([
    { user_id: server.users.admin.id, notification_type: 'token_expiring', title: 'The token "soon" ends soon' },
  ]);
});
