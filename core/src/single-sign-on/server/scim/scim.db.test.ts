import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestAnswer, type TestServer } from '../../../../../tools/testing/server.ts';
import { createUsers, TEST_PASSWORD, type TestUsers } from '../../../../../tools/testing/users.ts';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

let server: TestServer;
let others: TestUsers;
let token: string;

const scim = (method: string, path: string, body?: unknown, as: string = token): Promise<TestAnswer> =>
  server.call(method, `/scim/v2${path}`, {
    as: { token: as },
    body,
    headers: {
      accept: 'application/scim+json',
      ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
    },
  });

const makeToken = async (as: 'admin' | { token: string }, scopes = ['scim']): Promise<string> => {
  const body = {
    name: `provider ${randomUUID()}`,
    expired_at: new Date(Date.now() + 86_400_000).toISOString(),
    scopes,
  };
  const made = await server.call('POST', '/generate_plexalyzer_token', { as, body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.data.token;
};

const userBody = (name: string, more: object = {}) => ({
  schemas: [USER],
  userName: `${name}@example.test`,
  externalId: `ext-${name}`,
  name: { givenName: name, familyName: 'Harbour' },
  emails: [{ primary: true, value: `${name}@example.test`, type: 'work' }],
  displayName: `${name} Harbour`,
  active: true,
  ...more,
});

const create = async (name: string, more: object = {}): Promise<string> => {
  const { status, body } = await scim('POST', '/Users', userBody(name, more));
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
};

const patch = (path: string, ...Operations: object[]) => scim('PATCH', path, { schemas: [PATCH], Operations });

const find = (filter: string, kind = 'Users') => scim('GET', `/${kind}?filter=${encodeURIComponent(filter)}`);

const accountOf = async (id: string) =>
  (await server.scene.owner.query('select email, username, role, status, password_hash from users where id = $1', [id]))
    .rows[0];

const expectError = (answer: TestAnswer, status: number, scimType?: string): void => {
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  expect(answer.headers.get('content-type')).toContain('application/scim+json');
  expect(answer.body).toMatchObject({ schemas: [ERROR], status: String(status), detail: expect.stringMatching(/\w/) });
  expect(answer.body.scimType).toBe(scimType);
};

beforeAll(async () => {
  server = await startTestServer({ isWorking: true });
  others = await createUsers(server.scene.database, 'Other Organisation');
  await server.scene.owner.query(
    `update users set email = replace(email, '@example.test', '@other.test') where client_id <> $1`,
    [server.users.clientId],
  );
  const body = { domains: ['example.test'], role_rules: [{ group: 'security', role: 'cyberoper' }] };
  const saved = await server.call('PUT', '/single-sign-on', { as: 'admin', body });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
  token = await makeToken('admin');
});
afterAll(() => server.close());

// Okta, "SCIM 2.0 SPEC Test": every required step, in its order
test('the cases of the specification test of Okta', async () => {
  const first = await scim('GET', '/Users?count=1&startIndex=1');
  expect(first.status).toBe(200);
  expect(first.body).toMatchObject({
    schemas: [LIST],
    itemsPerPage: 1,
    startIndex: 1,
    totalResults: expect.any(Number),
  });
  const id = await create('okta');
  const one = await scim('GET', `/Users/${id}`);
  expect(one.body).toMatchObject({ id, userName: 'okta@example.test', active: true, schemas: [USER] });
  expect(one.body.name).toMatchObject({ familyName: 'Harbour', givenName: 'okta' });
  expect(one.body.emails[0].value).toBe('okta@example.test');
  expect(one.body.meta.location).toMatch(new RegExp(`/scim/v2/Users/${id}$`));
  expect((await find('userName eq "nobody@example.test"')).body).toMatchObject({ schemas: [LIST], totalResults: 0 });
  expectError(await scim('GET', `/Users/${randomUUID()}`), 404);
  expectError(await scim('GET', '/Users/00919288221112222'), 404);
  expectError(await scim('POST', '/Users', userBody('okta')), 409, 'uniqueness');
  expect((await find('userName eq "OKTA@EXAMPLE.TEST"')).body.Resources).toMatchObject([{ id }]);
  expect((await scim('GET', '/Groups')).body).toMatchObject({ schemas: [LIST], Resources: [] });
  expectError(await scim('GET', '/Users', undefined, 'non-token'), 401);
});

// Microsoft Entra, "SCIM Validator": the operations of its tests on users
test.each<[string, object[], object]>([
  [
    'replaces attributes without a path',
    [{ op: 'replace', value: { displayName: 'New', active: true } }],
    { displayName: 'New' },
  ],
  [
    'takes upper case and dotted names',
    [{ op: 'Replace', value: { 'name.givenName': 'Given' } }],
    { name: { givenName: 'Given' } },
  ],
  ['replaces by a path', [{ op: 'replace', path: 'title', value: 'Captain' }], { title: 'Captain' }],
  [
    'replaces the address of a type',
    [{ op: 'replace', path: 'emails[type eq "work"].value', value: 'work@example.test' }],
    { emails: [{ value: 'work@example.test', type: 'work', primary: true }] },
  ],
  [
    'adds an address of a type that there is none of',
    [{ op: 'add', path: 'emails[type eq "home"].value', value: 'home@example.test' }],
    { emails: [{ type: 'work' }, { value: 'home@example.test', type: 'home' }] },
  ],
  ['removes an attribute', [{ op: 'remove', path: 'name.familyName' }], { name: { givenName: 'entra' } }],
  [
    'reads the schema before the name, and over extensions',
    [
      { op: 'add', path: `${USER}:title`, value: 'Mate' },
      { op: 'add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'Quay' },
    ],
    { title: 'Mate' },
  ],
  [
    'changes the user name',
    [{ op: 'replace', path: 'userName', value: 'other.name@example.test' }],
    { userName: 'other.name@example.test' },
  ],
])('a PATCH of Entra: %s', async (_what, operations, expected) => {
  const id = await create('entra');
  const { status, body } = await patch(`/Users/${id}`, ...operations);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body).toMatchObject(expected);
  expect((await scim('GET', `/Users/${id}`)).body).toEqual(body);
  expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204);
});

test('who is deactivated leaves as by a removal, is found as inactive, and comes back', async () => {
  const id = await create('leaver');
  const as = { token: await signedIn(id) };
  expect((await server.call('GET', '/session', { as })).status).toBe(200);
  const off = await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' });
  expect(off.body).toMatchObject({ id, active: false, userName: 'leaver@example.test' });
  expect((await server.call('GET', '/session', { as })).status).toBe(401);
  expect(await accountOf(id)).toMatchObject({ status: 'disabled', email: `${id}@removed.invalid` });
  expect((await find('userName eq "leaver@example.test"')).body.Resources).toMatchObject([{ id, active: false }]);
  expect((await find('active eq false')).body.Resources).toMatchObject([{ id }]);
  const { active: _, ...silent } = userBody('leaver');
  expect((await scim('PUT', `/Users/${id}`, silent)).body.active).toBe(false);
  const on = await patch(`/Users/${id}`, { op: 'replace', value: { active: true } });
  expect(on.body).toMatchObject({ id, active: true });
  expect(await accountOf(id)).toMatchObject({
    status: 'active',
    email: 'leaver@example.test',
    username: 'leaver Harbour',
    password_hash: '',
  });
  expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204);
  expectError(await scim('GET', `/Users/${id}`), 404);
  expectError(await scim('DELETE', `/Users/${id}`), 404);
  expect(await accountOf(id)).toMatchObject({ status: 'disabled' });
  await create('leaver');
});

/** A session of somebody who has no password. */
const signedIn = async (id: string): Promise<string> => {
  const { rows } = await server.scene.owner.query('select password_hash from users where id = $1', [
    server.users.admin.id,
  ]);
  await server.scene.owner.query('update users set password_hash = $2 where id = $1', [id, rows[0].password_hash]);
  const { email } = await accountOf(id);
  const answer = await server.call('POST', '/login', { body: { email, password: TEST_PASSWORD } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const cookie = answer.headers.getSetCookie().find((one) => one.startsWith('accessToken='));
  return cookie?.split(';')[0]?.split('=')[1] ?? '';
};

test('the findings and repositories of who is deactivated go to nobody', async () => {
  const id = await create('owner');
  const created = await server.call('POST', '/create_repository_with_list', {
    as: 'admin',
    body: { source_control: 'git', data: [{ nickname: 'scim', url: 'https://git.example.test/scim.git' }] },
  });
  const repository = created.body.data[0]._id;
  await server.scene.owner.query('update repositories set owner = $1 where id = $2', [id, repository]);
  expect((await scim('PUT', `/Users/${id}`, userBody('owner', { active: false }))).body.active).toBe(false);
  const { rows } = await server.scene.owner.query('select owner from repositories where id = $1', [repository]);
  expect(rows).toEqual([{ owner: null }]);
  await expect
    .poll(
      async () =>
        (await server.scene.owner.query(`select status, detail from client_jobs where input ? 'handover'`)).rows,
    )
    .toContainEqual({ status: 'done', detail: null });
});

test('groups give the roles that the organisation says, and take them back', async () => {
  const [ann, bob] = [await create('ann'), await create('bob')];
  const made = await scim('POST', '/Groups', { schemas: [GROUP], displayName: 'security', members: [{ value: ann }] });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const path = `/Groups/${made.body.id}`;
  const roles = async () => [(await accountOf(ann)).role, (await accountOf(bob)).role];
  expect(await roles()).toEqual(['cyberoper', 'developer']);
  expect((await scim('GET', `/Users/${ann}`)).body.groups).toMatchObject([
    { value: made.body.id, display: 'security' },
  ]);
  await patch(path, { op: 'Add', path: 'members', value: [{ value: bob }] });
  expect(await roles()).toEqual(['cyberoper', 'cyberoper']);
  await patch(path, { op: 'remove', path: `members[value eq "${ann}"]` });
  expect(await roles()).toEqual(['developer', 'cyberoper']);
  // as Entra removes: the members as value
  await patch(path, { op: 'Remove', path: 'members', value: [{ value: bob }] });
  expect(await roles()).toEqual(['developer', 'developer']);
  const replaced = await patch(
    path,
    { op: 'replace', value: { id: made.body.id, displayName: 'sea' } },
    { op: 'replace', path: 'members', value: [{ value: bob }] },
  );
  expect(replaced.body).toMatchObject({ displayName: 'sea', members: [{ value: bob }] });
  expect(await roles()).toEqual(['developer', 'developer']);
  expect((await scim('PUT', path, { displayName: 'security', members: [{ value: ann }, { value: bob }] })).status).toBe(
    200,
  );
  expect(await roles()).toEqual(['cyberoper', 'cyberoper']);
  expect((await find('displayName eq "SECURITY"', 'Groups')).body.Resources).toMatchObject([{ id: made.body.id }]);
  const short = await scim('GET', `${path}?excludedAttributes=members`);
  expect(short.body.displayName).toBe('security');
  expect(short.body.members).toBeUndefined();
  expectError(await scim('POST', '/Groups', { displayName: 'Security' }), 409, 'uniqueness');
  expectError(await patch(path, { op: 'add', path: 'members', value: [{ value: randomUUID() }] }), 400, 'invalidValue');
  expect((await scim('DELETE', path)).status).toBe(204);
  expect(await roles()).toEqual(['developer', 'developer']);
});

test('pages count from one, and filters mean what they say', async () => {
  for (const name of ['page1', 'page2', 'page3']) await create(name, { title: name });
  const filter = encodeURIComponent('userName sw "page"');
  const page = async (query: string) => {
    const { body } = await scim('GET', `/Users?filter=${filter}&${query}`);
    const names = body.Resources.map(({ displayName }: { displayName: string }) => displayName.slice(0, 5));
    return { names, total: body.totalResults, start: body.startIndex };
  };
  expect(await page('startIndex=1&count=2')).toEqual({ names: ['page1', 'page2'], total: 3, start: 1 });
  expect(await page('startIndex=3&count=2')).toEqual({ names: ['page3'], total: 3, start: 3 });
  expect(await page('startIndex=0&count=1')).toEqual({ names: ['page1'], total: 3, start: 1 });
  expect(await page('count=-1')).toEqual({ names: [], total: 3, start: 1 });
  const totals = async (text: string) => (await find(text)).body.totalResults;
  expect(await totals('externalId eq "ext-page2" and active eq true')).toBe(1);
  expect(await totals('emails[type eq "work" and value eq "page3@example.test"]')).toBe(1);
  expect(await totals('userName co "PAGE" and not (name.givenName eq "page1")')).toBe(2);
  expect(await totals(`${USER}:userName ew "ge2@example.test" or userName eq "page3@example.test"`)).toBe(2);
  expect(await totals('userName sw "page" and meta.created gt "2100-01-01T00:00:00Z"')).toBe(0);
});

test.each([
  ['an unknown attribute in a filter', 'GET', '/Users?filter=password%20eq%20%22x%22', undefined, 'invalidFilter'],
  ['a filter that is none', 'GET', '/Users?filter=userName%20eq', undefined, 'invalidFilter'],
  ['a filter of a thousand brackets', 'GET', `/Users?filter=${'('.repeat(1500)}`, undefined, 'invalidFilter'],
  [
    'an injection as a name',
    'GET',
    `/Users?filter=${encodeURIComponent('constructor eq "x"')}`,
    undefined,
    'invalidFilter',
  ],
  ['no user name', 'POST', '/Users', { emails: [{ value: 'x@example.test' }] }, 'invalidValue'],
  ['a user name that is an object', 'POST', '/Users', { userName: { a: 1 } }, 'invalidValue'],
  ['no address', 'POST', '/Users', { userName: 'no-address' }, 'invalidValue'],
  ['an address of another domain', 'POST', '/Users', { userName: 'x@foreign.test' }, 'invalidValue'],
  ['no name of a group', 'POST', '/Groups', { members: [] }, 'invalidValue'],
  ['no JSON object', 'POST', '/Users', [1], 'invalidSyntax'],
] as const)('%s is refused with the word of SCIM for it', async (_what, method, path, body, type) => {
  expectError(await scim(method, path, body), 400, type);
});

test('a PATCH is refused whole, and touches no prototype', async () => {
  const id = await create('whole');
  const refused: [object[], string][] = [
    [
      [
        { op: 'replace', path: 'displayName', value: 'Half' },
        { op: 'move', path: 'title' },
      ],
      'invalidSyntax',
    ],
    [
      [
        { op: 'replace', path: 'displayName', value: 'Half' },
        { op: 'replace', path: 'a b', value: 1 },
      ],
      'invalidPath',
    ],
    [[{ op: 'remove' }], 'noTarget'],
    [[{ op: 'remove', path: 'userName' }], 'mutability'],
    [[{ op: 'replace', path: 'active', value: 'perhaps' }], 'invalidValue'],
  ];
  for (const [operations, type] of refused) expectError(await patch(`/Users/${id}`, ...operations), 400, type);
  const hostile = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": {"polluted": 1}, "title": "Bosun"}');
  const { body } = await patch(
    `/Users/${id}`,
    { op: 'add', value: hostile },
    { op: 'add', path: '__proto__.polluted', value: 1 },
  );
  expect(body.scimType ?? body.title).toBe('invalidPath');
  expect(
    (await patch(`/Users/${id}`, { op: 'add', value: { constructor: { a: 1 }, title: 'Bosun' } })).body,
  ).toMatchObject({
    title: 'Bosun',
    displayName: 'whole Harbour',
  });
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

test('the last admin stays, whatever the provider says', async () => {
  const { id } = server.users.admin;
  expectError(await patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false }), 409);
  expectError(await scim('DELETE', `/Users/${id}`), 409);
  const group = await scim('POST', '/Groups', { displayName: 'security', members: [{ value: id }] });
  expect(group.status).toBe(201);
  expect(await accountOf(id)).toMatchObject({ role: 'admin', status: 'active' });
  await scim('DELETE', `/Groups/${group.body.id}`);
});

test('nobody of another organisation, and no superadmin, is seen or changed', async () => {
  const theirs = others.developer.id;
  const root = server.users.superadmin.id;
  for (const id of [theirs, root]) {
    expectError(await scim('GET', `/Users/${id}`), 404);
    expectError(await scim('PUT', `/Users/${id}`, userBody('taken')), 404);
    expectError(await patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false }), 404);
    expectError(await scim('DELETE', `/Users/${id}`), 404);
    expectError(await scim('POST', '/Groups', { displayName: 'x', members: [{ value: id }] }), 400, 'invalidValue');
    expect((await find(`id eq "${id}"`)).body.totalResults).toBe(0);
  }
  const theirToken = await makeToken({ token: others.admin.token });
  const seen = (await scim('GET', '/Users?count=200', undefined, theirToken)).body.Resources;
  expect(seen.map(({ id }: { id: string }) => id)).toContain(theirs);
  expect(JSON.stringify(seen)).not.toContain('@example.test');
});

test('a token of the scope alone opens it, and nothing else', async () => {
  expectError(await scim('GET', '/Users', undefined, await makeToken('admin', ['read'])), 403);
  expectError(await scim('GET', '/Users', undefined, server.users.cyberoper.token), 403);
  expect((await server.call('GET', '/findings', { as: { token } })).status).toBe(403);
  const body = { name: 'of a superadmin', expired_at: '2027-01-01', scopes: ['scim'] };
  expect((await server.call('POST', '/generate_plexalyzer_token', { as: 'superadmin', body })).status).toBe(403);
});

test('each change stands in the audit log, by the token', async () => {
  const id = await create('audited');
  await scim('DELETE', `/Users/${id}`);
  const { rows } = await server.scene.owner.query(
    `select kind, actor_type, subject, details from audit_entries where subject = 'audited@example.test' order by id`,
  );
  expect(rows).toEqual([
    { kind: 'team.synchronized', actor_type: 'token', subject: 'audited@example.test', details: { active: true } },
    { kind: 'team.synchronized', actor_type: 'token', subject: 'audited@example.test', details: { active: false } },
  ]);
});

test('it says of itself what it can do', async () => {
  const config = await scim('GET', '/ServiceProviderConfig');
  expect(config.headers.get('content-type')).toContain('application/scim+json');
  expect(config.body).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
    filter: { supported: true },
  });
  const types = (await scim('GET', '/ResourceTypes')).body.Resources;
  expect(types.map(({ endpoint, schema }: Record<string, string>) => [endpoint, schema])).toEqual([
    ['/Users', USER],
    ['/Groups', GROUP],
  ]);
  const schemas = (await scim('GET', '/Schemas')).body;
  expect(schemas).toMatchObject({ schemas: [LIST], totalResults: 2 });
  expect((await scim('GET', `/Schemas/${USER}`)).body.attributes.map(({ name }: { name: string }) => name)).toContain(
    'userName',
  );
  expect((await scim('GET', '/ResourceTypes/Group')).body.endpoint).toBe('/Groups');
  expectError(await scim('GET', '/Schemas/nothing'), 404);
  expectError(await scim('GET', '/Bulk'), 404);
  expectError(await scim('PUT', '/Users', {}), 405);
});
