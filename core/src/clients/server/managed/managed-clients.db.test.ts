import { startTestServer, type TestServer } from '@breakwater/tools/testing/server.ts';
import { createUsers, type TestUsers } from '@breakwater/tools/testing/users.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAllowed } from '../../../platform/api/contract.ts';
import { insertRandomFindings } from '../../../testing/random-findings.ts';

const NOBODY = '01990000-0000-7000-8000-000000000000';

let server: TestServer;
/** Two clients with findings; the superadmin is of neither. */
let harbour: TestUsers;
let lighthouse: TestUsers;
let repositoryId: string;

const fill = (users: TestUsers, start: number, count: number) =>
  insertRandomFindings(server.scene.owner, { clientId: users.clientId, users: [users.developer.id], count, start });

beforeAll(async () => {
  server = await startTestServer();
  harbour = server.users;
  lighthouse = await createUsers(server.scene.database, 'Lighthouse 100%');
  const { repositories } = await fill(harbour, 1, 120);
  repositoryId = repositories[0]?.id ?? '';
  await fill(lighthouse, 2, 60);
});
afterAll(() => server.close());

const asSuperadmin = (path: string) => server.call('GET', path, { as: 'superadmin' });
const asAdmin = (users: TestUsers, path: string) => server.call('GET', path, { as: { token: users.admin.token } });
const inside = (users: TestUsers) => `/manage-clients/findings/${users.clientId}`;

/** As a screen asks first. */
const OPEN_WORK =
  'filters[status]=enriched,pending_input,ready,pr_submitted,issued,pr_accepted,reopened&filters[false_positive]=hide&filters[accepted_risk]=hide&filters[is_duplicate]=hide';

describe('inside a client', () => {
  test.each([
    '',
    `?${OPEN_WORK}`,
    '?filters[severity]=critical,high&sort_field=severity&sort=asc&pagination[pageSize]=7&pagination[page]=2',
    '?search=injection&sort_field=date',
    '?filters[kev]=only&fields=description,notes',
    '?filters[sla]=overdue',
  ])('the list%s is the one that its admin sees', async (query) => {
    for (const users of [harbour, lighthouse]) {
      const own = await asAdmin(users, `/findings${query}`);
      const seen = await asSuperadmin(`${inside(users)}${query}`);
      expect(seen.status).toBe(200);
      expect(seen.body).toEqual(own.body);
    }
    expect((await asSuperadmin(inside(harbour))).body.meta.pagination.total).toBe(120);
  });

  test('groups, options of filters, repositories, a finding and its history are those of its admin', async () => {
    for (const users of [harbour, lighthouse]) {
      const { clientId } = users;
      const id: string = (await asAdmin(users, '/findings')).body.data[0]._id;
      const repository: string = (await asAdmin(users, '/repositories')).body.data[0]._id;
      for (const [own, seen] of [
        ['/findings/groups?by=file', `${inside(users)}/groups?by=file`],
        [`/findings/${id}`, `${inside(users)}/${id}`],
        [`/findings/${id}/history`, `${inside(users)}/${id}/history`],
        ['/repositories?sort_field=last_scan', `/manage-clients/repositories/${clientId}?sort_field=last_scan`],
        ['/repositories?filters[status]=enriched', `/manage-clients/repositories/${clientId}?filters[status]=enriched`],
        [`/repositories/${repository}`, `/manage-clients/repositories/${clientId}/${repository}`],
        ['/filter/findings', `/filter/findings?client_id=${clientId}`],
        ['/filter/findings?filter_key=tool', `/filter/findings?filter_key=tool&client_id=${clientId}`],
      ] as const) {
        const expected = await asAdmin(users, own);
        const found = await asSuperadmin(seen);
        expect([seen, found.status]).toEqual([seen, 200]);
        expect([seen, found.body]).toEqual([seen, expected.body]);
      }
    }
  });

  test("what is another client's, or nobody's, is not found; nonsense is refused", async () => {
    const theirs: string = (await asAdmin(lighthouse, '/findings')).body.data[0]._id;
    for (const [path, status, code] of [
      [`${inside(harbour)}/${theirs}`, 404, 'finding_not_found'],
      [`${inside(harbour)}/${theirs}/history`, 404, 'finding_not_found'],
      [`${inside(harbour)}/${NOBODY}`, 404, 'finding_not_found'],
      [`/manage-clients/repositories/${lighthouse.clientId}/${repositoryId}`, 404, 'repository_not_found'],
      [`/manage-clients/findings/${NOBODY}`, 404, 'client_not_found'],
      [`/manage-clients/findings/${NOBODY}/${theirs}`, 404, 'client_not_found'],
      [`/manage-clients/repositories/${NOBODY}`, 404, 'client_not_found'],
      [`/manage-clients/${NOBODY}`, 404, 'client_not_found'],
      [`/filter/findings?client_id=${NOBODY}`, 404, 'client_not_found'],
      ['/manage-clients/findings/x', 404, 'client_not_found'],
      [`${inside(harbour)}?filters[client_id]=${NOBODY}`, 422, 'validation_failed'],
      [`${inside(harbour)}?client_id=${lighthouse.clientId}`, 422, 'validation_failed'],
      ['/manage-clients?sort_field=password_hash', 422, 'validation_failed'],
    ] as const) {
      const { status: got, body } = await asSuperadmin(path);
      expect([path, got, body.code]).toEqual([path, status, code]);
    }
  });

  test('nobody but a superadmin gets in, not even into the own client', async () => {
    for (const path of [
      '/manage-clients',
      `/manage-clients/${harbour.clientId}`,
      inside(harbour),
      `${inside(harbour)}/groups?by=file`,
      `${inside(harbour)}/${NOBODY}`,
      `/manage-clients/repositories/${harbour.clientId}`,
      `/filter/findings?client_id=${lighthouse.clientId}`,
    ]) {
      for (const as of ['admin', 'cyberoper', 'developer'] as const) {
        const { status, body } = await server.call('GET', path, { as });
        expect([path, as, status, body.code]).toEqual([path, as, 403, 'forbidden']);
      }
      expect((await server.call('GET', path)).status).toBe(401);
    }
  });

  test('nothing can be changed: no call that changes something is open to a superadmin but those of the platform and the own account', async () => {
    const changing = server.endpoints
      .filter(({ route }) => route.method !== 'GET' && !('public' in route.access))
      .filter(({ route }) => isAllowed(route.access, 'superadmin'))
      .map(({ route }) => `${route.method} ${route.path}`);
    // decided: its plan for a while, and the answer to what its people ask for; a list is exported by POST, as in the own client, and changes nothing
    const exported = ['csv', 'html', 'json', 'sarif'].map(
      (to) => `POST /manage-clients/findings/{client}/download_${to}`,
    );
    const named = changing.filter((path) => /manage-clients|client_id|\{client\}/.test(path));
    expect(named.toSorted()).toEqual([
      ...exported,
      'PUT /manage-clients/piloting',
      'PUT /manage-feedback/{client}/{id}',
    ]);
    // each of these works in the caller's own client: its id comes from the session
    const id: string = (await asAdmin(harbour, '/findings')).body.data[0]._id;
    for (const [method, path, body] of [
      ['PUT', `/findings/${id}`, { status: 'mitigated' }],
      ['PUT', `/findings/${id}/toggle_false_positive`, {}],
      ['PUT', '/findings/bulk', { ids: [id], change: { status: 'mitigated' } }],
      ['DELETE', `/repositories/${repositoryId}`, undefined],
      ['POST', `/upload_scan/${repositoryId}`, { tool: 'auto', file: 'e30=' }],
    ] as const) {
      const answer = await server.call(method, path, { as: 'superadmin', body });
      expect([path, answer.status]).toEqual([path, 403]);
    }
    for (const method of ['POST', 'PUT', 'DELETE']) {
      for (const path of [inside(harbour), `${inside(harbour)}/${id}`, `/manage-clients/${harbour.clientId}`]) {
        expect((await server.call(method, path, { as: 'superadmin', body: {} })).status).toBe(405);
      }
    }
  });
});

describe('the list of clients', () => {
  const names = async (query: string): Promise<string[]> =>
    (await asSuperadmin(`/manage-clients?${query}`)).body.data.map(
      (item: { attributes: { organization_name: string } }) => item.attributes.organization_name,
    );

  test('has figures that are those of each client', async () => {
    const { body } = await asSuperadmin('/manage-clients');
    for (const users of [harbour, lighthouse]) {
      const client = body.data.find((item: { _id: string }) => item._id === users.clientId);
      const open = await asAdmin(users, `/findings?${OPEN_WORK}`);
      const critical = await asAdmin(users, `/findings?${OPEN_WORK}&filters[severity]=critical`);
      const repositories = await asAdmin(users, '/repositories');
      expect(client.attributes).toMatchObject({
        organization_name: users.organizationName,
        open_findings: open.body.meta.pagination.total,
        repositories: repositories.body.meta.pagination.total,
        users: 3,
      });
      expect(open.body.meta.pagination.total).toBeGreaterThan(0);
      expect(client.attributes.counts.critical).toBe(critical.body.meta.pagination.total);
      expect((await asSuperadmin(`/manage-clients/${users.clientId}`)).body.data).toEqual(client);
    }
  });

  test('is searched by words of the name or by a person, taken as text', async () => {
    expect(await names('search=LIGHT')).toEqual(['Lighthouse 100%']);
    expect(await names('search=100%25')).toEqual(['Lighthouse 100%']);
    expect(await names('organization_name=100%25')).toEqual(['Lighthouse 100%']);
    expect(await names(`search=${encodeURIComponent(lighthouse.cyberoper.email)}`)).toEqual(['Lighthouse 100%']);
    expect(await names(`organization_name=${encodeURIComponent(lighthouse.cyberoper.email)}`)).toEqual([]);
    expect(await names('search=nothing-like-it')).toEqual([]);
    expect(await names('search=%00light')).toEqual(['Lighthouse 100%']);
  });

  test('comes in pages, sorted', async () => {
    const all = await names('pagination=false');
    expect(all).toEqual(all.toSorted((a, b) => a.toLowerCase().localeCompare(b.toLowerCase())));
    expect((await names('sort=desc')).length).toBe(all.length);
    const { body } = await asSuperadmin('/manage-clients?pagination[page]=2&pagination[pageSize]=1');
    expect(
      body.data.map((item: { attributes: { organization_name: string } }) => item.attributes.organization_name),
    ).toEqual(all.slice(1, 2));
    expect(body.meta.pagination).toEqual({ page: 2, pageSize: 1, pageCount: all.length, total: all.length });
  });
});

describe('every look into a client is written down', () => {
  const accesses = (clientId: string) =>
    server.scene.database.forClient(clientId, (db) =>
      db.selectFrom('audit_entries').selectAll().where('kind', '=', 'superadmin.read').orderBy('id').execute(),
    );
  const pathsOf = async (clientId: string) => (await accesses(clientId)).map(({ details }) => details['path']);

  test('with who, when and what, also when nothing was found; that of the own people is not', async () => {
    const quiet = await createUsers(server.scene.database, 'Quiet');
    const id = quiet.clientId;
    await asAdmin(quiet, '/findings');
    await asSuperadmin('/manage-clients');
    const paths = [
      `/manage-clients/${id}`,
      `/manage-clients/findings/${id}?filters[severity]=high&search=x`,
      `/manage-clients/findings/${id}/groups?by=rule`,
      `/manage-clients/findings/${id}/${NOBODY}`,
      `/manage-clients/findings/${id}/${NOBODY}/history`,
      `/manage-clients/repositories/${id}`,
      `/manage-clients/repositories/${id}/${NOBODY}`,
      `/filter/findings?client_id=${id}`,
    ];
    const before = Date.now();
    for (const path of paths) await asSuperadmin(path);
    const written = await accesses(id);
    expect(await pathsOf(id)).toEqual(paths);
    const { superadmin } = server.users;
    for (const { actor_id, actor, actor_type, address, at } of written) {
      expect([actor_id, actor, actor_type]).toEqual([superadmin.id, superadmin.username, 'superadmin']);
      expect(address).toMatch(/127\.0\.0\.1$/);
      expect(at.getTime()).toBeGreaterThan(before - 5000);
    }
    expect(await accesses(lighthouse.clientId)).not.toContainEqual(expect.objectContaining({ client_id: id }));
  });
});

test('the own calls of a superadmin that every page makes are open', async () => {
  for (const path of ['/session', '/client', '/findings-columns/selected']) {
    expect([path, (await asSuperadmin(path)).status]).toEqual([path, 200]);
  }
  const events = await fetch(`${server.baseUrl}/api/v1/events`, {
    headers: { authorization: `Bearer ${server.tokens.superadmin}` },
  });
  expect(events.status).toBe(200);
  await events.body?.cancel();
});
