import { randomBytes, randomUUID } from 'node:crypto';
import { fullPath, type RouteDefinition } from '@breakwater/core/platform/api/contract.ts';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../tools/testing/server.ts';
import { createUsers, type TestUsers } from '../../../tools/testing/users.ts';

/** Points 4, 6 and 12 of safety.md, over every route at once: a new route is judged without a test of its own. */

let server: TestServer;
let others: TestUsers;
let repositoryId: string;

beforeAll(async () => {
  server = await startTestServer();
  others = await createUsers(server.scene.database, 'Other Organisation');
  const created = await server.call('POST', '/create_repository_with_list', {
    as: 'admin',
    body: { source_control: 'git', data: [{ nickname: 'ours', url: 'https://git.example.test/ours.git' }] },
  });
  repositoryId = created.body.data[0]._id;
});
afterAll(() => server.close());

const rows = async (statement: string): Promise<object[]> => (await server.scene.owner.query(statement)).rows;

const pathOf = (route: RouteDefinition): string => fullPath(route).replace(/\{\w+\}/g, () => repositoryId);

const nameOf = (route: RouteDefinition): string => `${route.method} ${fullPath(route)}`;

const send = async (route: RouteDefinition, token: string, body?: unknown): Promise<number> => {
  const response = await fetch(`${server.baseUrl}${pathOf(route)}`, {
    method: route.method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  await (route.responseKind === 'events' ? response.body?.cancel() : response.arrayBuffer());
  return response.status;
};

/** A value of the schema where one can be made up; else nothing but what is added. */
const bodyFor = (route: RouteDefinition): object => {
  try {
    return Object(route.body === undefined ? {} : Value.Create(route.body));
  } catch {
    return {};
  }
};

test('point 4: no body of any route gives a role, another organisation, a plan or an id', async () => {
  const claimed = {
    role: 'superadmin',
    client_id: others.clientId,
    clientId: others.clientId,
    subscription: 'enterprise',
    subscription_tier: 'enterprise',
    _id: others.admin.id,
    id: others.admin.id,
    user_id: others.admin.id,
    status: 'disabled',
  };
  const people = () => rows('select id, client_id, role, status from users order by id');
  const plans = () => rows('select id, subscription_tier from clients order by id');
  const ours = () => rows(`select client_id, id from repositories where id = '${repositoryId}'`);
  const before = { people: await people(), plans: await plans(), ours: await ours() };
  const faults: string[] = [];
  let count = 0;
  for (const { route } of server.endpoints) {
    // what ends the session of who calls is judged by its own tests
    if (route.method === 'GET' || route.body === undefined || route.bodyKind === 'stream') continue;
    for (const role of ['admin', 'developer'] as const) {
      const made = bodyFor(route);
      for (const body of [
        { ...made, ...claimed },
        { ...made, data: claimed, user: claimed, attributes: claimed },
      ]) {
        const status = await send(route, server.users[role].token, body);
        count += 1;
        if (status >= 500) faults.push(`${nameOf(route)} as ${role}: ${status}`);
      }
    }
  }
  expect(faults).toEqual([]);
  expect(count).toBeGreaterThan(200);
  expect(await plans()).toEqual(before.plans);
  expect(await ours()).toEqual(before.ours);
  expect(await people()).toEqual(before.people);
});

/** What looking at something may leave: when it was, how often, and who looked as a superadmin. */
const TRACES = ['rate_limits', 'audit_entries'];

/** A digest of every row of every table of the product. */
const digests = async (): Promise<Record<string, string>> => {
  const tables = await rows(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> all('{${TRACES.join(',')}}') order by 1`,
  );
  const found: Record<string, string> = {};
  for (const table of tables) {
    const name = String(Reflect.get(table, 'name'));
    const text = `(to_jsonb(t) - 'last_seen_at' - 'last_used_at')::text`;
    // a connection that was never configured has a row as soon as it is looked at closely, which says nothing
    const meant = name === 'connections' ? `where state <> 'absent'` : '';
    const [row] = await rows(
      `select coalesce(md5(string_agg(${text}, ',' order by ${text})), '') as digest from "${name}" t ${meant}`,
    );
    found[name] = String(Reflect.get(Object(row), 'digest'));
  }
  return found;
};

test('point 12: GET changes nothing, whoever asks for whatever', async () => {
  const before = await digests();
  expect(Object.keys(before).length).toBeGreaterThan(30);
  const reading = server.endpoints.filter(({ route }) => route.method === 'GET');
  for (const role of ['superadmin', 'admin', 'developer'] as const)
    for (const { route } of reading) expect(await send(route, server.users[role].token), nameOf(route)).not.toBe(500);
  expect(await digests()).toEqual(before);
});

test('point 12: a form of another site is refused on every route that writes by a cookie', async () => {
  const let_in: string[] = [];
  for (const { route } of server.endpoints) {
    if (route.method === 'GET' || route.isCrossSite === true) continue;
    const response = await fetch(`${server.baseUrl}${pathOf(route)}`, {
      method: route.method,
      headers: {
        cookie: `accessToken=${server.users.admin.token}`,
        origin: 'https://evil.example',
        'content-type': 'text/plain',
      },
      body: '{}',
    });
    const { code } = JSON.parse(await response.text());
    if (response.status !== 403 || code !== 'cross_site_request') let_in.push(`${nameOf(route)}: ${response.status}`);
  }
  expect(let_in).toEqual([]);
});

describe('point 6: what is no session opens nothing', () => {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const unsigned = (): string =>
    `${encode({ alg: 'none', typ: 'JWT' })}.${encode({ sub: server.users.admin.id, role: 'superadmin', exp: 4e9 })}.`;
  const hashed = async (): Promise<string> => {
    const [row] = await rows('select token_hash from sessions limit 1');
    return Buffer.from(Reflect.get(Object(row), 'token_hash')).toString('base64url');
  };
  const expired = async (): Promise<string> => {
    const { token } = (await createUsers(server.scene.database, `Gone ${randomUUID()}`)).admin;
    await server.scene.owner.query(
      `update sessions set expires_at = now() - interval '1 second' where token_hash = sha256($1)`,
      [Buffer.from(token)],
    );
    return token;
  };
  const invitation = async (): Promise<string> => {
    const body = { email: 'invited@example.test', role: 'admin' };
    const { body: made } = await server.call('POST', '/team', { as: 'admin', body });
    return String(made.data.link).split('token=')[1] ?? '';
  };
  const changed = (): string => {
    const { token } = server.users.admin;
    return `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
  };
  const ofMachine = async (): Promise<string> => {
    const body = { name: `machine ${randomUUID()}`, expired_at: '2027-01-31' };
    return (await server.call('POST', '/generate_plexalyzer_token', { as: 'admin', body })).body.data.token;
  };

  test.each<[string, () => string | Promise<string>]>([
    ['a random one', () => randomBytes(32).toString('base64url')],
    ['one with a letter changed', changed],
    ['one cut short', () => server.users.admin.token.slice(0, -1)],
    ['two at once', () => `${server.users.admin.token},${server.users.developer.token}`],
    ['an unsigned document', unsigned],
    [
      'a document that this server signed for another purpose',
      () => server.signer.sign({ user: server.users.admin.id }),
    ],
    ['what the database holds of it', hashed],
    ['one that has expired', expired],
    ['the token of an invitation', invitation],
    ['SQL', () => `' or 1=1 --`],
    ['nothing', () => ''],
  ])('%s', async (_what, make) => {
    const token = await make();
    const asked = [
      fetch(`${server.baseUrl}/api/v1/findings`, { headers: { authorization: `Bearer ${token}` } }),
      fetch(`${server.baseUrl}/api/v1/findings`, { headers: { cookie: `accessToken=${token}` } }),
    ];
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([401, 401]);
  });

  test('the token of a machine, as a cookie', async () => {
    const headers = { cookie: `accessToken=${await ofMachine()}` };
    expect((await fetch(`${server.baseUrl}/api/v1/findings`, { headers })).status).toBe(401);
  });
});
