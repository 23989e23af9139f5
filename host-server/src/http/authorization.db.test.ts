import { randomUUID } from 'node:crypto';
import {
  fullPath,
  isAllowed,
  isPublic,
  type RouteDefinition,
  tokenScopesOf,
} from '@breakwater/core/platform/api/contract.ts';
import {
  PIPELINE_SCOPES,
  ROLES,
  rolesWith,
  TOKEN_SCOPE_NAMES,
  type TokenScope,
} from '@breakwater/core/platform/model/permissions.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../tools/testing/server.ts';
import { createUser, createUsers } from '../../../tools/testing/users.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const pathOf = (route: RouteDefinition): string => fullPath(route).replace(/\{\w+\}/g, () => randomUUID());

/** Only whether the door opens: what is behind it may well refuse an empty body or an unknown id. */
const knock = async (route: RouteDefinition, token: string | undefined): Promise<{ status: number; code: string }> => {
  const response = await fetch(`${server.baseUrl}${pathOf(route)}`, {
    method: route.method,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
  if (route.responseKind === 'events' && response.status === 200) {
    await response.body?.cancel();
    return { status: 200, code: '' };
  }
  // a download is no JSON
  const body = (await response.json().catch(() => ({}))) as { code?: string };
  return { status: response.status, code: body.code ?? '' };
};

test('four roles and nobody meet exactly what the contracts say, on every endpoint', async () => {
  const expected: string[] = [];
  const found: string[] = [];
  for (const { route } of server.endpoints) {
    const name = `${route.method} ${route.path}`;
    const { access } = route;
    const nobody = await knock(route, undefined);
    expected.push(`${name} nobody ${isPublic(access) ? 'in' : 'not_authenticated'}`);
    found.push(`${name} nobody ${isPublic(access) && nobody.code !== 'not_authenticated' ? 'in' : nobody.code}`);
    for (const role of ROLES) {
      // a session of its own per call: signing out would end the next ones
      const clientId = role === 'superadmin' ? server.users.superadmin.clientId : server.users.clientId;
      const user =
        route.path === '/logout' ? await createUser(server.scene.database, clientId, role) : server.users[role];
      const answer = await knock(route, user.token);
      const mayEnter = isAllowed(access, role);
      expected.push(`${name} ${role} ${mayEnter ? 'in' : 'forbidden'}`);
      const isIn = answer.code !== 'forbidden' && answer.code !== 'not_authenticated';
      found.push(`${name} ${role} ${isIn ? 'in' : answer.code}`);
      expect(answer.status, `${name} as ${role}`).not.toBe(500);
    }
  }
  expect(found).toEqual(expected);
  expect(server.endpoints.length).toBeGreaterThan(10);
});

const makeToken = async (name: string, scopes?: readonly string[]): Promise<string> => {
  const expired_at = new Date(Date.now() + 86_400_000).toISOString();
  const body = { name, expired_at, ...(scopes === undefined ? {} : { scopes }) };
  const made = await server.call('POST', '/generate_plexalyzer_token', { as: 'admin', body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.data.token;
};

test.each(TOKEN_SCOPE_NAMES)(
  'a token of a machine with the scope %s opens the routes that say so, and no other',
  async (scope) => {
    const token = await makeToken(`only ${scope}`, [scope]);
    const expected: string[] = [];
    const found: string[] = [];
    for (const { route } of server.endpoints) {
      const name = `${route.method} ${fullPath(route)}`;
      const { code } = await knock(route, token);
      const mayEnter = isPublic(route.access) || tokenScopesOf(route.access).includes(scope);
      expected.push(`${name} ${mayEnter ? 'in' : 'forbidden'}`);
      found.push(`${name} ${code === 'forbidden' || code === 'not_authenticated' ? code : 'in'}`);
    }
    expect(found).toEqual(expected);
  },
);

const PEOPLE = ['admin', 'cyberoper', 'developer'] as const;
const PERSONAL = PIPELINE_SCOPES.flatMap((scope) => PEOPLE.map((role) => ({ scope, role })));

test.each(PERSONAL)(
  'a personal token of a $role with the scope $scope opens what both allow, and no other route',
  async ({ scope, role }) => {
    const body = {
      name: `only ${scope}`,
      expired_at: new Date(Date.now() + 86_400_000).toISOString(),
      scopes: [scope],
    };
    const made = await server.call('POST', '/user/tokens', { as: role, body });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const expected: string[] = [];
    const found: string[] = [];
    for (const { route } of server.endpoints) {
      const { access } = route;
      const name = `${route.method} ${fullPath(route)}`;
      const { code } = await knock(route, made.body.data.token);
      const mayEnter = isPublic(access) || (tokenScopesOf(access).includes(scope) && isAllowed(access, role));
      expected.push(`${name} ${mayEnter ? 'in' : 'forbidden'}`);
      found.push(`${name} ${code === 'forbidden' || code === 'not_authenticated' ? code : 'in'}`);
    }
    expect(found).toEqual(expected);
  },
);

test('what is open to machines, by scope', () => {
  const open = (scope: TokenScope): string[] =>
    server.endpoints
      .filter(({ route }) => tokenScopesOf(route.access).includes(scope))
      .map(({ route }) => `${route.method} ${route.path}`)
      .sort();
  const followed = ['GET /repositories', 'GET /repositories/{id}', 'GET /scans', 'GET /scans/{id}'];
  expect(open('upload')).toEqual([...followed, 'POST /upload_scan/{id}']);
  const requested = ['GET /scan_requests', 'GET /scan_requests/{id}'];
  const asked = ['POST /request_repo_scan', 'POST /scan_requests/{id}/cancel'];
  expect(open('scan')).toEqual([...followed, ...requested, ...asked].sort());
  const ofScim = server.endpoints.filter(({ route }) => route.base === 'scim');
  expect(open('scim')).toEqual(ofScim.map(({ route }) => `${route.method} ${route.path}`).sort());
  expect(ofScim.length).toBeGreaterThan(15);
  expect(open('read')).toEqual(['GET /findings', 'GET /findings/{id}', ...followed, ...requested].sort());
});

test('a refused machine hears which scope its token lacks, and where no token serves', async () => {
  const as = { token: await makeToken('uploads by default') };
  const refusal = async (method: string, path: string) => (await server.call(method, path, { as })).body;
  expect(await refusal('GET', '/findings')).toMatchObject({
    code: 'forbidden',
    detail: 'The API token lacks the scope "read". An admin can make one that has it.',
  });
  expect(await refusal('DELETE', `/repositories/${randomUUID()}`)).toMatchObject({
    code: 'forbidden',
    detail: 'No API token allows this: a person has to sign in for it.',
  });
});

test('every route that works inside an organisation has its transaction, and says who may call', () => {
  for (const { route, needs } of server.endpoints) {
    const name = `${route.method} ${route.path}`;
    if (isPublic(route.access)) expect(needs, name).toBe('nothing');
    else {
      expect(needs, name).not.toBe('nothing');
      expect(rolesWith(route.access.permission), name).not.toEqual([]);
      if (route.access.tenant && needs !== 'tenant')
        throw new Error(`${name} is declared for a tenant but opens its own transactions.`);
    }
  }
});

test("another organisation's ids are not found, by any role", async () => {
  const repository = await server.call('POST', '/create_repository_with_list', {
    as: 'admin',
    body: { source_control: 'git', data: [{ nickname: 'ours', url: 'https://git.example.test/ours.git' }] },
  });
  const id: string = repository.body.data[0]._id;
  expect((await server.call('GET', `/repositories/${id}`, { as: 'admin' })).status).toBe(200);
  const others = await createUsers(server.scene.database, 'Other Organisation');
  for (const user of [others.admin, others.cyberoper, others.developer]) {
    const as = { token: user.token };
    expect((await server.call('GET', `/repositories/${id}`, { as })).status).toBe(404);
    expect((await server.call('GET', '/repositories', { as })).body.meta.pagination.total).toBe(0);
    expect([403, 404]).toContain((await server.call('DELETE', `/repositories/${id}`, { as })).status);
    expect((await server.call('POST', `/upload_scan/${id}`, { as, body: { tool: 'auto', file: 'e30=' } })).status).toBe(
      404,
    );
  }
  expect((await server.call('GET', `/repositories/${id}`, { as: 'admin' })).status).toBe(200);
});

test('1,000 interleaved requests of two organisations never mix', async () => {
  const others = await createUsers(server.scene.database, 'Third Organisation');
  const callers = [server.users.admin, others.admin, server.users.developer, others.cyberoper];
  const answers = await Promise.all(
    Array.from({ length: 1000 }, async (_value, index) => {
      const user = callers[index % callers.length]!;
      const { body } = await server.call('GET', '/session', { as: { token: user.token } });
      return body.data.user._id === user.id && body.data.client._id === user.clientId;
    }),
  );
  expect(answers.every(Boolean)).toBe(true);
});
