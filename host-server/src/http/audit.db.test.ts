import { deleteExpiredEntries } from '@breakwater/core/audit/server/index.ts';
import { documentedPath, isPublic, type RouteDefinition } from '@breakwater/core/platform/api/contract.ts';
import type { Permission } from '@breakwater/core/platform/model/permissions.ts';
import { resetPassword } from '@breakwater/core/session/server/index.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startTestServer, type TestServer } from '../../../tools/testing/server.ts';
import { createUser, createUsers, TEST_PASSWORD } from '../../../tools/testing/users.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const AUDITED: ReadonlySet<Permission> = new Set<Permission>([
  'settings.write',
  'connectors.write',
  'tokens.manage',
  'team.manage',
  'repositories.delete',
  'platform.write',
  'clients.manage',
]);
/** Change nothing that lasts: they read, try or order work. */
const HARMLESS = new Set([
  'POST /connectors/{id}/check',
  'POST /connectors/{id}/sync',
  // asks a service which values it has for a field
  'POST /connectors/{id}/offers',
  'POST /api/oauth/test-connection',
  'POST /openai/test_connection',
  'POST /openai/remediator_connection',
  'POST /client/prioritisation/preview',
  'POST /client/notifications',
  // an empty form, the same for everybody
  'GET /upload_tools/{tool}/files/{name}',
  // a page of the plugin's own, the same for everybody
  'GET /connectors/{id}/view',
  // pictures that lists show
  'GET /users/{id}/avatar',
  // shows what a sign-in would do and does nothing
  'POST /single-sign-on/test',
  // reads a document, and neither stores it nor asks anybody
  'POST /user_connectors/check',
  // the addresses of this server, for anybody
  'GET /single-sign-on/saml/{client_id}',
]);

const mustBeAudited = (route: RouteDefinition): boolean => {
  if (HARMLESS.has(`${route.method} ${documentedPath(route)}`)) return false;
  if (route.responseKind === 'file') return true;
  return route.method !== 'GET' && !isPublic(route.access) && AUDITED.has(route.access.permission);
};

interface Entry {
  kind: string;
  actor: string;
  actor_id: string | null;
  actor_type: string;
  address: string | null;
  agent: string | null;
  subject: string;
  details: Record<string, unknown>;
}

type As = NonNullable<Parameters<TestServer['call']>[2]>['as'];

const read = async (query: string, as: As = 'admin') => {
  const answer = await server.call('GET', `/audit?${query}`, { as });
  expect(answer.status).toBe(200);
  const entries: Entry[] = answer.body.data.map((item: { attributes: Entry }) => item.attributes);
  return {
    entries,
    next: answer.body.meta.next_cursor,
    ids: answer.body.data.map((item: { _id: string }) => item._id),
  };
};
const newest = async (kind: string, as: As = 'admin'): Promise<Entry | undefined> =>
  (await read(`filters[kind]=${kind}`, as)).entries[0];

test('every route that changes settings, connectors, tokens, people or the platform, and every download, is audited', () => {
  const missing = server.endpoints
    .map(({ route }) => route)
    .filter((route) => mustBeAudited(route) && route.audit === undefined)
    .map((route) => `${route.method} ${documentedPath(route)}: give the route \`audit\`, see core/src/audit/README.md`);
  expect(missing).toEqual([]);
});

describe('what is written down', () => {
  test('sign-ins, right and wrong, with address and program; attempts at unknown accounts belong to nobody', async () => {
    const { admin } = server.users;
    await server.call('POST', '/login', {
      body: { email: admin.email, password: 'wrong' },
      headers: { 'user-agent': 'Probe/1.0' },
    });
    await server.call('POST', '/login', { body: { email: 'nobody@example.test', password: 'wrong' } });
    const failed = await vi.waitFor(async () => {
      const entry = await newest('sign-in.failed');
      expect(entry).toBeDefined();
      return entry;
    });
    expect(failed).toMatchObject({ actor_id: admin.id, actor: admin.username, agent: 'Probe/1.0' });
    expect(failed?.address).toMatch(/127\.0\.0\.1$/);
    const login = await server.call('POST', '/login', {
      body: { username: admin.username, password: TEST_PASSWORD },
      headers: { accept: 'application/vnd.breakwater.token+json' },
    });
    expect(await newest('sign-in.succeeded')).toMatchObject({ actor: admin.username, details: { method: 'password' } });
    await server.call('POST', '/logout', { as: { token: login.body.data.access_token } });
    expect(await newest('sign-in.ended')).toMatchObject({ actor: admin.username });
    expect((await read('filters[kind]=sign-in.failed')).entries).toHaveLength(1);
    expect(JSON.stringify((await read('')).entries)).not.toContain(TEST_PASSWORD);
  });

  test('people: invited, changed, removed, with role and name; what changes nothing is not', async () => {
    const member = await createUser(server.scene.database, server.users.clientId, 'developer');
    const put = (role: string) => server.call('PUT', `/team/${member.id}`, { as: 'admin', body: { role } });
    await put('cyberoper');
    await put('cyberoper');
    const changes = (await read('filters[kind]=team.changed')).entries;
    expect(changes.map(({ subject, details }) => [subject, details])).toEqual([
      [member.username, { from: 'developer', to: 'cyberoper' }],
    ]);
    const invited = { email: 'new@example.test', role: 'developer' };
    const { body } = await server.call('POST', '/team', { as: 'admin', body: invited });
    expect(await newest('team.invited')).toMatchObject({ subject: invited.email, details: { role: 'developer' } });
    const token = new URL(body.data.link, 'http://x').searchParams.get('token');
    const account = { username: 'newcomer', password: TEST_PASSWORD, confirm_password: TEST_PASSWORD };
    await server.call('POST', `/accept-verification/${token}`, { body: account });
    expect(await newest('team.joined')).toMatchObject({ actor: 'newcomer', subject: invited.email });
    await server.call('DELETE', `/team/${member.id}`, { as: 'admin' });
    expect(await newest('team.removed')).toMatchObject({
      subject: member.username,
      actor: server.users.admin.username,
    });
  });

  test('tokens, connectors and settings by the names of their fields, never by their secrets', async () => {
    const made = await server.call('POST', '/generate_plexalyzer_token', {
      as: 'admin',
      body: { name: 'pipeline', expired_at: new Date(Date.now() + 86_400_000).toISOString(), scopes: ['read'] },
    });
    expect(await newest('token.made')).toMatchObject({ subject: 'pipeline', details: { scopes: ['read'] } });
    const SECRET = 'sk-very-secret-value-1234567890';
    await server.call('PUT', '/client/config', {
      as: 'admin',
      body: { key: 'black_duck', values: { api_token: SECRET, black_duck_url: 'https://duck.example' } },
    });
    expect(await newest('connector.configured')).toMatchObject({
      subject: 'black_duck',
      details: { fields: ['api_token', 'black_duck_url'] },
    });
    await server.call('PUT', '/client', { as: 'admin', body: { legal_name: 'Harbour Ltd', schedule_scan: 'weekly' } });
    expect(await newest('settings.changed')).toMatchObject({ details: { fields: ['legal_name', 'schedule_scan'] } });
    const everything = JSON.stringify((await read('pagination_pageSize=200')).entries);
    for (const secret of [SECRET, made.body.data.token]) expect(everything).not.toContain(secret);
  });

  test('a refused call leaves nothing', async () => {
    const before = (await read('filters[kind]=settings.changed,token.made,team.invited')).ids;
    await server.call('PUT', '/client', { as: 'cyberoper', body: { legal_name: 'x' } });
    await server.call('PUT', '/client', { as: 'admin', body: { unknown_setting: 1 } });
    await server.call('PUT', '/client', { as: 'admin', body: { audit_retention_days: 1 } });
    await server.call('POST', '/team', { as: 'admin', body: { email: server.users.admin.email, role: 'developer' } });
    expect((await read('filters[kind]=settings.changed,token.made,team.invited')).ids).toEqual(before);
  });

  test('an export with its filter, and a password that the operator reset', async () => {
    await server.call('POST', '/download_csv_findings?filters[severity]=high', { as: 'developer' });
    const entry = await newest('data.exported');
    expect(entry).toMatchObject({ actor: server.users.developer.username });
    expect(entry?.details['path']).toContain('filters[severity]=high');
    const user = await createUser(server.scene.database, server.users.clientId, 'developer');
    await resetPassword(server.scene.database, { identifier: user.email, password: TEST_PASSWORD });
    expect(await newest('account.password-reset')).toMatchObject({ actor_type: 'operator', subject: user.username });
  });
});

describe('reading it', () => {
  test('is for admins of the organisation; a superadmin reads inside a client, which is an entry itself', async () => {
    for (const as of ['cyberoper', 'developer'] as const) {
      for (const path of ['/audit', '/audit/export']) expect((await server.call('GET', path, { as })).status).toBe(403);
    }
    const other = await createUsers(server.scene.database, 'Other');
    const theirs = await read('pagination_pageSize=200', { token: other.admin.token });
    expect(theirs.entries.every(({ kind }) => kind === 'sign-in.succeeded')).toBe(true);
    const path = `/manage-clients/audit/${other.clientId}`;
    expect((await server.call('GET', path, { as: 'admin' })).status).toBe(403);
    const inside = await server.call('GET', path, { as: 'superadmin' });
    expect(inside.body.data[0].attributes).toMatchObject({ kind: 'superadmin.read', details: { path } });
    const foreign = await read(`filters[actor]=${other.admin.id}`);
    expect(foreign.entries).toEqual([]);
  });

  test('goes by cursor, without gaps and repeats, and by person, kind, day and words', async () => {
    const all = (await read('pagination_pageSize=200')).ids;
    const seen: string[] = [];
    for (let cursor: string | null = null; ; ) {
      const page = await read(`pagination_pageSize=3${cursor === null ? '' : `&cursor=${cursor}`}`);
      seen.push(...page.ids);
      cursor = page.next;
      if (cursor === null) break;
    }
    expect(seen).toEqual(all);
    const { developer, admin } = server.users;
    const ofDeveloper = (await read(`filters[actor]=${developer.id}`)).entries;
    expect(new Set(ofDeveloper.map(({ actor }) => actor))).toEqual(new Set([developer.username]));
    expect((await read(`search=${admin.username.toUpperCase()}`)).entries.length).toBeGreaterThan(3);
    expect((await read('search=100%25_nothing')).entries).toEqual([]);
    const today = new Date().toISOString().slice(0, 10);
    expect((await read('filters[date_lt]=2020-01-01')).entries).toEqual([]);
    expect(
      (await read(`filters[date_gt]=2020-01-01&filters[date_lt]=${today}&pagination_pageSize=200`)).ids,
    ).not.toEqual([]);
    for (const query of ['filters[kind]=nothing', 'filters[date_gt]=yesterday', 'cursor=1', 'order=asc']) {
      expect((await server.call('GET', `/audit?${query}`, { as: 'admin' })).status).toBe(422);
    }
  });

  test('days begin where the reader is', async () => {
    const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
    const [day, next] = [dayBefore(10), dayBefore(9)];
    const { owner } = server.scene;
    await owner.query('begin');
    await owner.query("select set_config('app.client_id', $1, true)", [server.users.clientId]);
    await owner.query(
      `insert into audit_entries (client_id, kind, actor_type, subject, at) values ($1, 'data.exported', 'system', 'night', $2)`,
      [server.users.clientId, `${day}T22:30:00Z`],
    );
    await owner.query('commit');
    const found = async (date: string, zone = '') =>
      (await read(`filters[date_gt]=${date}&filters[date_lt]=${date}${zone}`)).ids.length;
    expect([await found(day), await found(next)]).toEqual([1, 0]);
    const zone = '&filters[time_zone]=Pacific/Kiritimati';
    expect([await found(day, zone), await found(next, zone)]).toEqual([0, 1]);
    for (const wrong of ['Mars/Olympus', "UTC'; --"]) {
      const query = `filters[date_gt]=${day}&filters[time_zone]=${encodeURIComponent(wrong)}`;
      expect((await server.call('GET', `/audit?${query}`, { as: 'admin' })).status, wrong).toBe(422);
    }
  });

  test('exports every entry as CSV and JSON; a name that is a formula is harmless', async () => {
    const hostile = '=HYPERLINK("http://evil")';
    await server.call('POST', '/generate_plexalyzer_token', {
      as: 'admin',
      body: { name: hostile, expired_at: new Date(Date.now() + 86_400_000).toISOString() },
    });
    const csv = (await server.call('GET', '/audit/export?filters[kind]=token.made', { as: 'admin' })).body as string;
    expect(csv.split('\r\n')[0]).toBe('time,kind,what,who,who_id,as,address,agent,subject,details');
    expect(csv).toContain(`"'=HYPERLINK(""http://evil"")"`);
    const json = await server.call('GET', '/audit/export?format=json', { as: 'admin' });
    // the file holds the entry of itself
    const listed = await read('pagination_pageSize=200');
    expect(json.body.data.map((item: { _id: string }) => item._id)).toEqual(listed.ids);
    const nothing = await server.call('GET', '/audit/export?format=json&search=zzzz', { as: 'admin' });
    expect(nothing.body).toEqual({ data: [] });
  });
});

describe('nobody rewrites it', () => {
  test('the application may neither change an entry nor delete one before its time', async () => {
    const { clientId } = server.users;
    const { database } = server.scene;
    const before = (await read('pagination_pageSize=200')).ids;
    await expect(
      database.forClient(clientId, (db) => db.updateTable('audit_entries').set({ actor: 'somebody' }).execute()),
    ).rejects.toThrow(/permission denied/);
    await expect(
      database.forClient(clientId, (db) => db.updateTable('clients').set({ audit_retention_days: 1 }).execute()),
    ).rejects.toThrow(/check constraint/);
    await database.forClient(clientId, (db) => db.deleteFrom('audit_entries').execute());
    expect((await read('pagination_pageSize=200')).ids).toEqual(before);
    const other = await createUsers(database, 'Stranger');
    await expect(
      database.forClient(other.clientId, (db) =>
        db
          .insertInto('audit_entries')
          .values({ client_id: clientId, kind: 'x', actor: 'x', actor_type: 'person', subject: '', details: '{}' })
          .execute(),
      ),
    ).rejects.toThrow(/row-level security/);
  });

  test('what is older than the organisation keeps goes by the job', async () => {
    const { clientId } = await createUsers(server.scene.database, 'Old');
    const { owner, database } = server.scene;
    await owner.query('begin');
    await owner.query("select set_config('app.client_id', $1, true)", [clientId]);
    await owner.query(
      `insert into audit_entries (client_id, kind, actor_type, subject, at)
       select $1, 'data.exported', 'system', d::text, now() - make_interval(days => d) from unnest(array[89, 99, 101, 364, 366]) d`,
      [clientId],
    );
    await owner.query('commit');
    const kept = () =>
      database.forClient(clientId, async (db) => {
        const rows = await db
          .selectFrom('audit_entries')
          .select('subject')
          .where('kind', '=', 'data.exported')
          .orderBy('at', 'desc')
          .execute();
        return rows.map(({ subject }) => subject);
      });
    await deleteExpiredEntries(database);
    expect(await kept()).toEqual(['89', '99', '101', '364']);
    await database.forClient(clientId, (db) => db.updateTable('clients').set({ audit_retention_days: 100 }).execute());
    await deleteExpiredEntries(database);
    expect(await kept()).toEqual(['89', '99']);
  });
});
