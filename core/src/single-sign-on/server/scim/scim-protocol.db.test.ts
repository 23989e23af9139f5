import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestAnswer, type TestServer } from '../../../../../tools/testing/server.ts';

/** What RFC 7644 says beyond the cases of Okta and Entra (`scim.db.test.ts`), by HTTP against the running routes. */

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

let server: TestServer;
let token: string;

const scim = (
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<TestAnswer> =>
  server.call(method, `/scim/v2${path}`, {
    as: { token },
    body,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }), ...headers },
  });

const userBody = (name: string, more: object = {}) => ({
  ...{ schemas: [USER], userName: `${name}@example.test`, displayName: name, active: true },
  ...more,
});
const create = async (name: string, more: object = {}): Promise<string> => {
  const { status, body } = await scim('POST', '/Users', userBody(name, more));
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
};
const patch = (path: string, ...Operations: object[]) =>
  scim('PATCH', path, { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations });
const expectError = (answer: TestAnswer, status: number, scimType?: string): void => {
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  expect(answer.headers.get('content-type')).toContain('application/scim+json');
  expect(answer.body).toMatchObject({ schemas: [ERROR], status: String(status), detail: expect.stringMatching(/\w/) });
  expect(answer.body.scimType).toBe(scimType);
};

beforeAll(async () => {
  server = await startTestServer();
  // an address of another organisation's people, the operator's, would hold the domain back
  await server.scene.owner.query(
    `update users set email = replace(email, '@example.test', '@other.test') where client_id <> $1`,
    [server.users.clientId],
  );
  const saved = await server.call('PUT', '/single-sign-on', { as: 'admin', body: { domains: ['example.test'] } });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
  const expired_at = new Date(Date.now() + 86_400_000).toISOString();
  const made = await server.call('POST', '/generate_plexalyzer_token', {
    as: 'admin',
    body: { name: 'provider', expired_at, scopes: ['scim'] },
  });
  token = made.body.data.token;
});
afterAll(() => server.close());

describe('a user name is taken once', () => {
  test('also in other case, by PUT, by PATCH, and as the address of somebody', async () => {
    const [first, second] = [await create('taken'), await create('free')];
    for (const userName of ['taken@example.test', 'TAKEN@Example.test']) {
      expectError(await scim('POST', '/Users', userBody('x', { userName })), 409, 'uniqueness');
      expectError(await scim('PUT', `/Users/${second}`, userBody('free', { userName })), 409, 'uniqueness');
      expectError(
        await patch(`/Users/${second}`, { op: 'replace', path: 'userName', value: userName }),
        409,
        'uniqueness',
      );
    }
    const emails = [{ value: 'taken@example.test', primary: true }];
    expectError(await scim('POST', '/Users', userBody('y', { userName: 'y', emails })), 409, 'uniqueness');
    // its own name is no other's
    expect((await scim('PUT', `/Users/${first}`, userBody('taken'))).status).toBe(200);
    expect((await scim('GET', `/Users/${second}`)).body.userName).toBe('free@example.test');
  });

  test('of 20 at the same time one is made', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => scim('POST', '/Users', userBody('race'))));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    for (const answer of answers.filter(({ status }) => status === 409)) expectError(answer, 409, 'uniqueness');
    const filter = encodeURIComponent('userName eq "race@example.test"');
    expect((await scim('GET', `/Users?filter=${filter}`)).body.totalResults).toBe(1);
  });
});

// RFC 7644 §3.4.2.3: whoever does not sort reads `sortBy` over; §3.14: versions are optional
test('what it says it cannot do changes no answer: order, versions, bulk, changing the password', async () => {
  const { body: config } = await scim('GET', '/ServiceProviderConfig');
  for (const name of ['sort', 'etag', 'bulk', 'changePassword'])
    expect([name, config[name].supported]).toEqual([name, false]);
  const id = await create('plain');
  const listed = (await scim('GET', '/Users')).body;
  expect((await scim('GET', '/Users?sortBy=userName&sortOrder=descending')).body).toEqual(listed);
  expect((await scim('GET', '/Users?sortBy=nothing.of.this')).body).toEqual(listed);
  const read = await scim('GET', `/Users/${id}`);
  expect(read.body.meta.version).toBeUndefined();
  const body = userBody('plain', { title: 'Mate' });
  for (const version of ['W/"1"', '*']) {
    const changed = await scim('PUT', `/Users/${id}`, body, { 'if-match': version });
    expect([version, changed.status, changed.body.title]).toEqual([version, 200, 'Mate']);
  }
  expect((await scim('GET', `/Users/${id}`, undefined, { 'if-none-match': 'W/"1"' })).status).toBe(200);
  expectError(await scim('POST', '/Bulk', { Operations: [] }), 404);
  const password = await scim('PUT', `/Users/${id}`, { ...body, password: 'Tidal-Wave-42!' });
  expect([password.status, JSON.stringify(password.body).includes('Tidal')]).toEqual([200, false]);
  const [row] = (await server.scene.owner.query('select password_hash from users where id = $1', [id])).rows;
  expect(row.password_hash).toBe('');
});

// what a provider sends of attributes that are not kept is no error, as Entra and Okta expect; a path that is none is one
test('a PATCH reads over attributes that are not kept, and refuses what is no path', async () => {
  const id = await create('paths', { title: 'Mate' });
  for (const path of [
    'nickName',
    'phoneNumbers[type eq "mobile"].value',
    'name.honorificPrefix',
    'urn:x:y:department',
  ]) {
    const { status, body } = await patch(`/Users/${id}`, { op: 'add', path, value: 'x' });
    expect([path, status, body.title]).toEqual([path, 200, 'Mate']);
  }
  for (const path of [
    '',
    ' ',
    'a b',
    'emails[',
    'emails]',
    '.value',
    'a.b.c',
    '[type eq "work"]',
    '9name',
    'title;drop',
  ]) {
    const answer = await patch(`/Users/${id}`, { op: 'add', path, value: 'x' });
    expectError(answer, 400, path.trim() === '' ? 'invalidSyntax' : 'invalidPath');
  }
  for (const path of [
    'emails[type]',
    'emails[type eq]',
    'emails[type gt "work"].value',
    'emails[type eq "a" or type eq "b"].value',
  ]) {
    expectError(await patch(`/Users/${id}`, { op: 'replace', path, value: 'x@example.test' }), 400, 'invalidFilter');
  }
  expectError(await scim('PATCH', `/Users/${id}`, { Operations: 'none' }), 400, 'invalidSyntax');
  expectError(await scim('PATCH', `/Users/${id}`, {}), 400, 'invalidSyntax');
  const same = (await scim('GET', `/Users/${id}`)).body;
  expect([same.title, same.userName]).toEqual(['Mate', 'paths@example.test']);
});

test.each([
  ['no value', 'userName eq'],
  ['no comparison', 'userName'],
  ['an open end', 'userName eq "a" and'],
  ['an open bracket', '(userName eq "a"'],
  ['an open square bracket', 'emails[type eq "work"'],
  ['an unknown comparison', 'userName xx "a"'],
  ['a value without quotes', 'userName eq a'],
  ['two in a row', 'userName eq "a" userName eq "b"'],
  ['a value on the left', '"a" eq userName'],
  ['two joints', 'userName eq "a" or or active eq true'],
  ['an order of texts', 'userName gt "a"'],
  ['a text for a flag', 'active eq "yes"'],
  ['a number for a text', 'userName eq 1'],
  ['an order of flags', 'active gt true'],
  ['no moment', 'meta.created gt "soon"'],
  ['an attribute that is not kept', 'nickName eq "a"'],
  ['an attribute of the prototype', '__proto__ eq "a"'],
  ['SQL', `userName eq "a" or 1=1 --`],
])('a filter with %s is an invalidFilter, for users and groups', async (_what, filter) => {
  for (const kind of ['Users', 'Groups'])
    expectError(await scim('GET', `/${kind}?filter=${encodeURIComponent(filter)}`), 400, 'invalidFilter');
});

test('a page begins at 1 and holds 200 at most; beyond the end it is empty, and what is no number is refused', async () => {
  const { clientId } = server.users;
  await server.scene.owner.query(
    `insert into users (client_id, email, username, password_hash, role)
     select $1, 'bulk' || n || '@example.test', 'bulk' || n, '', 'developer' from generate_series(1, 230) n`,
    [clientId],
  );
  const page = async (query: string) => {
    const { body } = await scim('GET', `/Users?${query}`);
    return { from: body.startIndex, listed: body.itemsPerPage, rows: body.Resources.length, total: body.totalResults };
  };
  const { total } = await page('count=0');
  expect(total).toBeGreaterThan(230);
  expect(await page('count=0')).toEqual({ from: 1, listed: 0, rows: 0, total });
  expect(await page('')).toEqual({ from: 1, listed: 100, rows: 100, total });
  expect(await page('count=5000')).toEqual({ from: 1, listed: 200, rows: 200, total });
  expect(await page('count=200&startIndex=201')).toEqual({ from: 201, listed: total - 200, rows: total - 200, total });
  expect(await page('startIndex=-5&count=1')).toEqual({ from: 1, listed: 1, rows: 1, total });
  expect(await page('startIndex=99999')).toEqual({ from: 99_999, listed: 0, rows: 0, total });
  for (const query of ['count=many', 'startIndex=1.5', 'count=1e3x'])
    expectError(await scim('GET', `/Users?${query}`), 400, 'invalidSyntax');
  const ids = new Set<string>();
  for (let from = 1; from <= total; from += 50) {
    const { body } = await scim('GET', `/Users?count=50&startIndex=${from}`);
    for (const { id } of body.Resources) ids.add(id);
  }
  expect(ids.size).toBe(total);
});

test('members of a group: each once, of the organisation, gone with the person, and 300 of them', async () => {
  const [ann, bob] = [await create('member-a'), await create('member-b')];
  const members = [{ value: ann }, { value: ann.toUpperCase() }, { value: bob, display: 'whoever' }];
  const made = await scim('POST', '/Groups', { displayName: 'crew', externalId: 'g-1', members });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const path = `/Groups/${made.body.id}`;
  expect(made.headers.get('location')).toBe(made.body.meta.location);
  const valuesOf = async () => (await scim('GET', path)).body.members.map(({ value }: { value: string }) => value);
  expect((await valuesOf()).toSorted()).toEqual([ann, bob].toSorted());
  expect(made.body.members[0].$ref).toMatch(/\/scim\/v2\/Users\/[0-9a-f-]{36}$/);
  for (const value of [randomUUID(), 'no-id', server.users.superadmin.id])
    expectError(await patch(path, { op: 'add', path: 'members', value: [{ value }] }), 400, 'invalidValue');
  expectError(await patch(path, { op: 'add', path: 'members[value eq "x"]', value: 'x' }), 400, 'invalidPath');
  expectError(await patch(path, { op: 'remove', path: 'displayName' }), 400, 'mutability');
  expect((await scim('DELETE', `/Users/${ann}`)).status).toBe(204);
  expect(await valuesOf()).toEqual([bob]);
  const { rows } = await server.scene.owner.query(`select id from users where username like 'bulk%' limit 300`);
  const all = rows.map(({ id }) => ({ value: String(id) }));
  expect((await patch(path, { op: 'replace', path: 'members', value: all })).body.members).toHaveLength(all.length);
  expect((await patch(path, { op: 'remove', path: 'members' })).body.members).toEqual([]);
  expect((await scim('DELETE', path)).status).toBe(204);
  expectError(await scim('GET', path), 404);
});
