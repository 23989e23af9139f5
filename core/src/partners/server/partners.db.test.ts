import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../tools/testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

type As = NonNullable<Parameters<TestServer['call']>[2]>['as'];
const call = (method: string, path: string, body?: unknown, as: As = 'superadmin') =>
  server.call(method, path, { as, body });

const ACME = {
  name: 'Acme Security',
  kind: 'consulting',
  website: 'https://acme.example',
  email: 'hello@acme.example',
};

const namesOf = async (): Promise<string[]> => {
  const { body } = await server.call('GET', '/partners');
  return body.data.map(({ attributes }: { attributes: { name: string } }) => attributes.name);
};

test('a superadmin adds, changes and deletes partners; everybody reads them, also without signing in', async () => {
  const made = await call('POST', '/partner', { ...ACME, name: ' Acme Security ' });
  expect(made.body.data.attributes).toEqual({ ...ACME, description: '' });
  const id: string = made.body.data._id;
  await call('POST', '/partner', { name: 'bastion', kind: 'reseller' });
  await call('POST', '/partner', { name: 'Abacus', kind: 'technology' });
  expect(await namesOf()).toEqual(['Abacus', 'Acme Security', 'bastion']);
  for (const role of ['superadmin', 'admin', 'cyberoper', 'developer'] as const) {
    expect((await call('GET', `/partner/${id}`, undefined, role)).body.data.attributes.name).toBe('Acme Security');
  }
  const changed = await call('PUT', `/partner/${id}`, { kind: 'reseller', website: null });
  expect(changed.body.data.attributes).toEqual({ ...ACME, description: '', kind: 'reseller', website: null });
  expect((await call('DELETE', `/partner/${id}`)).body).toEqual({ success: true });
  expect(await namesOf()).toEqual(['Abacus', 'bastion']);
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const { status, body } = await call(method, `/partner/${id}`, method === 'PUT' ? { name: 'x' } : undefined);
    expect([method, status, body.code]).toEqual([method, 404, 'partner_not_found']);
  }
});

test.each(['admin', 'cyberoper', 'developer'] as const)('a partner is not written by %s', async (role) => {
  const { body } = await call('POST', '/partner', { name: `Of ${role}`, kind: 'reseller' });
  const path = `/partner/${body.data._id}`;
  expect((await call('POST', '/partner', ACME, role)).status).toBe(403);
  expect((await call('PUT', path, { name: 'Mine' }, role)).status).toBe(403);
  expect((await call('DELETE', path, undefined, role)).status).toBe(403);
  expect(await namesOf()).toContain(`Of ${role}`);
});

test('without signing in only the list is read', async () => {
  const { body } = await call('POST', '/partner', { name: 'Seen', kind: 'reseller' });
  const path = `/partner/${body.data._id}`;
  expect((await server.call('GET', path)).status).toBe(401);
  expect((await server.call('POST', '/partner', { body: ACME })).status).toBe(401);
  expect((await server.call('PUT', path, { body: { name: 'x' } })).status).toBe(401);
  expect((await server.call('DELETE', path)).status).toBe(401);
});

test.each([
  [{ ...ACME, website: 'javascript:alert(1)' }],
  [{ ...ACME, website: 'http://acme.example' }],
  [{ ...ACME, website: 'https://' }],
  [{ ...ACME, email: 'nobody' }],
  [{ ...ACME, kind: 'friend' }],
  [{ ...ACME, name: '  ' }],
  [{ ...ACME, logo: 'https://acme.example/logo.png' }],
  [{ name: 'Acme' }],
])('%j is no partner', async (body) => {
  expect((await call('POST', '/partner', body)).status).toBe(422);
});

test('a name exists once, however it is written, also when it is added several times at the same time', async () => {
  const answers = await Promise.all(
    ['Twice', 'TWICE', 'twice '].map((name) => call('POST', '/partner', { name, kind: 'reseller' })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  const other = await call('POST', '/partner', { name: 'Other', kind: 'reseller' });
  const path = `/partner/${other.body.data._id}`;
  expect((await call('PUT', path, { name: 'tWice' })).body.code).toBe('conflict');
  expect((await call('PUT', path, { name: 'OTHER' })).status).toBe(200);
});

test('what a superadmin writes stands in the audit log', async () => {
  const { body } = await call('POST', '/partner', { name: 'Written down', kind: 'technology' });
  await call('DELETE', `/partner/${body.data._id}`);
  const { rows } = await server.scene.owner.query(
    "select id from audit_entries where kind = 'superadmin.changed' and subject = 'Written down'",
  );
  expect(rows).toHaveLength(2);
});
