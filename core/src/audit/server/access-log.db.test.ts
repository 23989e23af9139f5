import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../tools/testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const accesses = (query = '') => server.call('GET', `/platform/access-log${query}`, { as: 'superadmin' });

test('every look into an organisation is listed with whose it was, newest first, by pages; other entries are not', async () => {
  const { clientId, organizationName, superadmin } = server.users;
  for (const path of ['overview', 'repositories', 'audit']) {
    const address = path === 'overview' ? `/manage-clients/${clientId}` : `/manage-clients/${path}/${clientId}`;
    expect((await server.call('GET', address, { as: 'superadmin' })).status).toBe(200);
  }
  const all = await accesses();
  expect(all.body.data).toHaveLength(3);
  expect(all.body.data[0].attributes).toMatchObject({
    kind: 'superadmin.read',
    actor: superadmin.username,
    client_id: clientId,
    organization_name: organizationName,
    details: { path: expect.stringContaining('/manage-clients/audit/') },
  });
  const first = await accesses('?pagination_pageSize=2');
  const second = await accesses(`?pagination_pageSize=2&cursor=${first.body.meta.next_cursor}`);
  expect([...first.body.data, ...second.body.data]).toEqual(all.body.data);
  expect(second.body.meta.next_cursor).toBeNull();
  expect((await accesses('?search=REPOSITORIES')).body.data).toHaveLength(1);
  expect((await accesses(`?search=${encodeURIComponent(organizationName.toLowerCase())}`)).body.data).toHaveLength(3);
  expect((await accesses('?search=nothing%25')).body.data).toEqual([]);
});

test('only superadmins read it, and the database shows no other entry outside an organisation', async () => {
  for (const as of ['admin', 'cyberoper', 'developer'] as const)
    expect((await server.call('GET', '/platform/access-log', { as })).status).toBe(403);
  const kinds = await server.scene.database.forIdentity((db) =>
    db.selectFrom('audit_entries').select('kind').distinct().execute(),
  );
  expect(kinds).toEqual([{ kind: 'superadmin.read' }]);
  const { rows } = await server.scene.owner.query('select count(distinct kind)::int as kinds from audit_entries');
  expect(rows[0].kinds).toBeGreaterThan(1);
});
