import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../tools/testing/server.ts';
import { createUsers, type TestUsers } from '../../../../tools/testing/users.ts';

let server: TestServer;
let others: TestUsers;
beforeAll(async () => {
  server = await startTestServer();
  others = await createUsers(server.scene.database, 'Other Organisation');
});
afterAll(() => server.close());

const client = async (id: string) =>
  (await server.scene.owner.query('select * from clients where id = $1', [id])).rows[0];

test('only the given settings change, and only of the own organisation', async () => {
  const body = { legal_name: 'Example Ltd', schedule_scan: 'weekly', excluded_tools: ['kics'] };
  expect((await server.call('PUT', '/client', { as: 'admin', body })).body).toEqual({ success: true });
  expect(await client(server.users.clientId)).toMatchObject({
    ...body,
    organization_name: 'Test Organisation',
    address: '',
  });
  expect(await client(others.clientId)).toMatchObject({ legal_name: '', schedule_scan: 'none' });
});

test.each([
  [{}],
  [{ _id: '0192f000-0000-7000-8000-000000000001' }],
  [{ id: '0192f000-0000-7000-8000-000000000001', legal_name: 'x' }],
  [{ client_id: '0192f000-0000-7000-8000-000000000001' }],
  [{ subscription: { tier: 'enterprise' } }],
  [{ role: 'superadmin' }],
  [{ schedule_scan: 'hourly' }],
  [{ organization_name: '' }],
])('%j changes nothing', async (body) => {
  const before = await client(server.users.clientId);
  expect((await server.call('PUT', '/client', { as: 'admin', body })).status).toBe(422);
  expect(await client(server.users.clientId)).toEqual(before);
});
