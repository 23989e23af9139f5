import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestAnswer, type TestServer } from '../../../../../tools/testing/server.ts';
import { createUser, createUsers, type TestUser, type TestUsers } from '../../../../../tools/testing/users.ts';
import { actorOf } from '../../../platform/server/audit.ts';
import { findMachine } from './find-machine.ts';
import { warnOfExpiringTokens } from './token-expiry.ts';

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

let server: TestServer;
let others: TestUsers;
/** A developer of its own for each test, which may change or remove them. */
let person: TestUser;
let repositories: { owned: string; foreign: string };
beforeAll(async () => {
  server = await startTestServer();
  others = await createUsers(server.scene.database, 'Other Organisation');
  const data = ['owned', 'foreign'].map((nickname) => ({ nickname, url: `https://git.example.test/${nickname}.git` }));
  const made = await server.call('POST', '/create_repository_with_list', {
    as: 'admin',
    body: { source_control: 'git', data },
  });
  const [owned, foreign] = made.body.data.map(({ _id }: { _id: string }) => _id);
  repositories = { owned, foreign };
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.scene.owner.query('truncate rate_limits, api_tokens');
  person = await createUser(server.scene.database, server.users.clientId, 'developer');
  await server.scene.owner.query('update repositories set owner = $1 where id = $2', [person.id, repositories.owned]);
});

const generate = (owner: { token: string }, changes: object = {}): Promise<TestAnswer> =>
  server.call('POST', '/user/tokens', {
    as: { token: owner.token },
    body: { name: 'script', expired_at: inDays(30), scopes: ['upload', 'scan', 'read'], ...changes },
  });
/** A token that was made, to call with. */
const made = async (owner: { token: string }, changes: object = {}): Promise<{ _id: string; token: string }> => {
  const { status, body } = await generate(owner, changes);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
};
const own = (owner: { token: string }) => server.call('GET', '/user/tokens', { as: { token: owner.token } });
const names = ({ body }: TestAnswer): string[] =>
  body.data.map((item: { attributes: { name?: string; nickname?: string } }) => item.attributes.name);
const statusOf = async (as: { token: string }, path = '/repositories'): Promise<number> =>
  (await server.call('GET', path, { as })).status;
const rows = async () => (await server.scene.owner.query('select * from api_tokens order by id')).rows;

describe('making', () => {
  test('shows the token once; database, list, log and audit know a digest or nothing of it', async () => {
    const { token, _id } = await made(person, { name: ' my script ', scopes: ['read'] });
    expect(token).toMatch(/^bwu_[\w-]{43}$/);
    const listed = await own(person);
    expect(listed.body.data).toEqual([
      {
        _id,
        attributes: {
          name: 'my script',
          hint: token.slice(-4),
          scopes: ['read'],
          status: 'active',
          created_at: expect.any(String),
          expired_at: expect.any(String),
          last_used_at: null,
          created_by: person.username,
          owner: person.username,
        },
      },
    ]);
    const entries = await server.call('GET', '/audit?filters[kind]=token.made', { as: 'admin' });
    expect(entries.body.data[0].attributes).toMatchObject({
      actor: person.username,
      actor_type: 'person',
      subject: 'my script',
      details: { owner: person.username, scopes: ['read'] },
    });
    const places = [listed.body, await rows(), entries.body].map((place) => JSON.stringify(place));
    for (const place of [...places, server.logs.join('')]) expect(place).not.toContain(token.slice(4));
    expect(await statusOf({ token })).toBe(200);
    expect((await own(person)).body.data[0].attributes.last_used_at).toEqual(expect.any(String));
  });

  test.each([
    [{ expired_at: undefined }],
    [{ expired_at: inDays(-1) }],
    [{ expired_at: inDays(367) }],
    [{ expired_at: 'never' }],
    [{ scopes: [] }],
    [{ scopes: ['scim'] }],
    [{ scopes: ['read', 'scim'] }],
    [{ scopes: undefined }],
    [{ name: '  ' }],
    [{ owner_id: '0192f000-0000-7000-8000-000000000001' }],
    [{ role: 'admin' }],
  ])('%j is refused', async (changes) => {
    expect((await generate(server.users.admin, changes)).status).toBe(422);
    expect(await rows()).toEqual([]);
  });

  test('the last day that is allowed is taken', async () => {
    await made(person, { expired_at: inDays(365).slice(0, 10) });
  });

  test('a name is taken once per person, in any case, until its token is revoked; the organisation has its own', async () => {
    const first = await made(person, { name: 'Script' });
    expect((await generate(person, { name: 'script' })).status).toBe(409);
    await made(server.users.cyberoper, { name: 'script' });
    const ofOrganization = { name: 'script', expired_at: inDays(1) };
    const machine = await server.call('POST', '/generate_plexalyzer_token', { as: 'admin', body: ofOrganization });
    expect(machine.status).toBe(201);
    await server.call('DELETE', `/user/tokens/${first._id}`, { as: person });
    await made(person, { name: 'script' });
  });

  test('of 25 at once 20 are made, and of ten with one name one', async () => {
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_value, index) => generate(person, { name: `${index}` })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(5);
    const { cyberoper } = server.users;
    const same = await Promise.all(Array.from({ length: 10 }, () => generate(cyberoper)));
    expect(same.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  test('superadmins, who work in no organisation, hold none', async () => {
    expect((await generate(server.users.superadmin)).status).toBe(403);
  });

  test('is closed to tokens, as are sessions, account and settings', async () => {
    const as = { token: (await made(server.users.admin)).token };
    const closed: [string, string][] = [
      ['GET', '/user/tokens'],
      ['POST', '/user/tokens'],
      ['GET', '/session'],
      ['GET', '/user/sessions'],
      ['GET', '/client'],
      ['PUT', '/client'],
      ['GET', '/team'],
      ['GET', '/plexalyzer_tokens'],
      ['POST', '/logout'],
    ];
    for (const [method, path] of closed) expect((await server.call(method, path, { as })).status, path).toBe(403);
    expect((await server.call('GET', '/scans', { headers: { cookie: `accessToken=${as.token}` } })).status).toBe(401);
    expect(await own(server.users.admin)).toMatchObject({ status: 200 });
  });
});

describe('calling', () => {
  test('a developer sees by it only what they own, and nothing of another organisation', async () => {
    const nicknames = async (as: { token: string }): Promise<string[]> =>
      (await server.call('GET', '/repositories', { as })).body.data
        .map((item: { attributes: { nickname: string } }) => item.attributes.nickname)
        .sort();
    expect(await nicknames(await made(person))).toEqual(['owned']);
    expect(await nicknames(await made(server.users.cyberoper))).toEqual(['foreign', 'owned']);
    const as = await made(person, { name: 'more' });
    expect(await statusOf(as, `/repositories/${repositories.foreign}`)).toBe(404);
    const body = { tool: 'auto', file: 'e30=' };
    expect((await server.call('POST', `/upload_scan/${repositories.foreign}`, { as, body })).status).toBe(404);
    const scan = { scan_type: 'sast', repositories: [repositories.foreign] };
    expect((await server.call('POST', '/request_repo_scan', { as, body: scan })).status).not.toBe(202);
    expect(await nicknames(await made(others.admin))).toEqual([]);
  });

  test('what its scopes do not say is refused, with the scope that is missing', async () => {
    const as = await made(server.users.admin, { scopes: ['upload'] });
    expect(await statusOf(as)).toBe(200);
    const refused = await server.call('GET', '/findings', { as });
    expect([refused.status, refused.body.detail]).toEqual([
      403,
      'The API token lacks the scope "read". Make one that has it.',
    ]);
  });

  test('the role at the time of the call counts', async () => {
    const member = await createUser(server.scene.database, server.users.clientId, 'cyberoper');
    const as = await made(member);
    expect(await statusOf(as, `/repositories/${repositories.foreign}`)).toBe(200);
    const lowered = await server.call('PUT', `/team/${member.id}`, { as: 'admin', body: { role: 'developer' } });
    expect(lowered.status).toBe(200);
    expect(await statusOf(as, `/repositories/${repositories.foreign}`)).toBe(404);
    expect(await statusOf(as)).toBe(200);
    // a role that may call none of these routes
    await server.scene.owner.query(`update users set role = 'superadmin' where id = $1`, [member.id]);
    for (const path of ['/repositories', '/scans', '/findings', '/scan_requests']) {
      const { status, body } = await server.call('GET', path, { as });
      expect([status, body.detail], path).toEqual([403, 'Your role does not allow this.']);
    }
  });

  test('it stops at once when revoked, expired, or its person blocked', async () => {
    const [revoked, expired, blocked] = [
      await made(person, { name: 'a' }),
      await made(person, { name: 'b' }),
      await made(person, { name: 'c' }),
    ];
    for (const as of [revoked, expired, blocked]) expect(await statusOf(as)).toBe(200);
    expect((await server.call('DELETE', `/user/tokens/${revoked._id}`, { as: person })).status).toBe(200);
    expect(await statusOf(revoked)).toBe(401);
    await server.scene.owner.query('update api_tokens set expires_at = now() where id = $1', [expired._id]);
    expect(await statusOf(expired)).toBe(401);
    await server.scene.owner.query(`update users set status = 'disabled' where id = $1`, [person.id]);
    expect(await statusOf(blocked)).toBe(401);
  });

  test('removal of the person ends their tokens for good', async () => {
    const as = await made(person);
    expect((await server.call('DELETE', `/team/${person.id}`, { as: 'admin' })).status).toBe(200);
    expect(await statusOf(as)).toBe(401);
    expect((await rows())[0].revoked_at).toBeInstanceOf(Date);
    await server.scene.owner.query(`update users set status = 'active' where id = $1`, [person.id]);
    expect(await statusOf(as)).toBe(401);
  });

  test('where the organisation requires two-factor, only tokens of who has it serve', async () => {
    const as = await made(person);
    const { clientId } = server.users;
    await server.scene.owner.query('update clients set require_2fa = true where id = $1', [clientId]);
    try {
      const refused = await server.call('GET', '/repositories', { as });
      expect([refused.status, refused.body.code]).toEqual([403, 'two_factor_required']);
      expect((await generate(person, { name: 'another' })).body.code).toBe('two_factor_required');
      await server.scene.owner.query('update users set two_factor_at = now() where id = $1', [person.id]);
      expect(await statusOf(as)).toBe(200);
    } finally {
      await server.scene.owner.query('update clients set require_2fa = false where id = $1', [clientId]);
    }
  });

  test('what is written of it names token and person', async () => {
    const { token } = await made(person, { name: 'nightly' });
    const caller = await server.scene.database.forIdentity((db) => findMachine(db, token));
    expect(caller).toMatchObject({ userId: person.id, clientId: person.clientId, role: 'developer' });
    expect(caller && actorOf(caller)).toEqual({ type: 'token', id: person.id, name: `nightly of ${person.username}` });
  });

  test('no plain digest of it is stored, by which a release without owners would take it for a machine', async () => {
    const { token } = await made(person);
    const found = await server.scene.owner.query('select 1 from api_tokens where token_hash = sha256($1::bytea)', [
      Buffer.from(token),
    ]);
    expect(found.rows).toEqual([]);
  });
});

describe('whose tokens', () => {
  test('nobody but their person lists or revokes them, admins apart, who see whose they are', async () => {
    const { _id, token } = await made(person, { name: 'mine' });
    for (const stranger of [server.users.cyberoper, server.users.developer, server.users.admin, others.admin]) {
      expect(names(await own(stranger))).toEqual([]);
      const answer = await server.call('DELETE', `/user/tokens/${_id}`, { as: stranger });
      expect([answer.status, answer.body.code]).toEqual([404, 'token_not_found']);
    }
    for (const stranger of [server.users.cyberoper, server.users.developer]) {
      expect(await statusOf(stranger, '/plexalyzer_tokens')).toBe(403);
      expect((await server.call('DELETE', `/plexalyzer_tokens/${_id}`, { as: stranger })).status).toBe(403);
    }
    const asOther = { token: others.admin.token };
    expect(names(await server.call('GET', '/plexalyzer_tokens', { as: asOther }))).toEqual([]);
    expect((await server.call('DELETE', `/plexalyzer_tokens/${_id}`, { as: asOther })).status).toBe(404);
    expect(names(await server.call('GET', '/plexalyzer_tokens', { as: 'superadmin' }))).toEqual([]);
    const listed = await server.call('GET', '/plexalyzer_tokens', { as: 'admin' });
    expect(listed.body.data[0].attributes).toMatchObject({ name: 'mine', owner: person.username });
    expect(await statusOf({ token })).toBe(200);
    expect((await server.call('DELETE', `/plexalyzer_tokens/${_id}`, { as: 'admin' })).status).toBe(200);
    expect(await statusOf({ token })).toBe(401);
    const entries = await server.call('GET', '/audit?filters[kind]=token.revoked', { as: 'admin' });
    expect(entries.body.data[0].attributes).toMatchObject({
      actor: server.users.admin.username,
      subject: 'mine',
      details: { owner: person.username },
    });
  });

  test('they are none of the organisation: nobody confirms them, and no pipeline counts on them', async () => {
    const { token, _id } = await made(server.users.admin);
    const body = { token, name: 'taken over', expired_at: inDays(1) };
    const added = await server.call('POST', '/add_plexalyzer_token', { as: 'admin', body });
    expect(added.status).toBe(422);
    const machine = { name: 'pipeline', expired_at: inDays(1) };
    const { body: generated } = await server.call('POST', '/generate_plexalyzer_token', { as: 'admin', body: machine });
    const listed = await server.call('GET', '/plexalyzer_tokens', { as: 'admin' });
    expect(names(listed)).toEqual(['pipeline', 'script']);
    expect(names(await own(server.users.admin))).toEqual(['script']);
    const theirs = await server.call('DELETE', `/user/tokens/${generated.data._id}`, { as: 'admin' });
    expect(theirs.status).toBe(404);
    const { body: detail } = await server.call('GET', '/client', { as: 'admin' });
    // a signed document; its middle part carries the organisation
    const signed = JSON.parse(Buffer.from(detail.data.split('.')[1], 'base64url').toString());
    expect(signed.plugins.plexalyzer.map((token: { name: string }) => token.name)).toEqual(['pipeline']);
    expect((await server.call('DELETE', `/user/tokens/${_id}`, { as: 'admin' })).status).toBe(200);
  });

  test('the database itself refuses one that provisions people', async () => {
    const { _id } = await made(person);
    const widen = server.scene.owner.query(`update api_tokens set scopes = '{scim}' where id = $1`, [_id]);
    await expect(widen).rejects.toThrow(/api_tokens_owner_scopes_check/);
  });

  test('their person, and nobody else, hears once that one ends', async () => {
    await server.scene.owner.query('truncate notifications');
    await made(person, { expired_at: inDays(6) });
    expect(await warnOfExpiringTokens(server.scene.database)).toBe(1);
    expect(await warnOfExpiringTokens(server.scene.database)).toBe(0);
    const notices = (await server.scene.owner.query('select user_id, link from notifications')).rows;
    expect(notices).toEqual([{ user_id: person.id, link: '/settings/tokens' }]);
  });
});
