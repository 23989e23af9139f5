import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../tools/testing/server.ts';
import { createUsers, type TestUsers } from '../../../../tools/testing/users.ts';
import { addApplication, uploadText } from '../../testing/connectors/added-scene.ts';
import { pierWatchReport } from '../../testing/connectors/pier-watch-files.ts';

let server: TestServer;
let others: TestUsers;
let application: string;
let otherApplication: string;
let pier: Awaited<ReturnType<typeof pierWatchReport>>;

beforeAll(async () => {
  server = await startTestServer({ isWorking: true });
  others = await createUsers(server.scene.database);
  pier = await pierWatchReport();
  application = await addApplication(server, 'quay');
  otherApplication = await addApplication(server, 'pier', other());
});
afterAll(() => server.close());

const other = () => ({ token: others.admin.token });
type As = 'admin' | 'superadmin' | { token: string };
const call = (method: string, path: string, body?: unknown, as: As = 'admin') =>
  server.call(method, `/user_connectors${path}`, { as, body });
/** A connector that talks to nobody: it reads reports. */
const filesOf = (id: string, version = '1.0.0', change: Record<string, unknown> = {}) => ({
  document: {
    ...{ id, version, title: `Pier ${id}`, category: 'sca', description: 'Reads reports of Pier Watch.' },
    documentation: 'https://pier.example/docs',
    report: { ...pier.report, ...change },
  },
  fixtures: { connectors: {}, reports: { [id]: [pier.recorded] } },
});
const publish = (files: object) => call('POST', '/publish', { ...files, visibility: 'public' });
const published = async (id: string): Promise<string> => {
  const { status, body } = await publish(filesOf(id));
  expect([status, body]).toMatchObject([200, { success: true }]);
  return body.data.id;
};
const uploadThere = (text: string, tool = 'auto') =>
  uploadText(server, { to: otherApplication, text, tool, as: other() });

test('what one organisation publishes reads the reports of another that added it, and of no other', async () => {
  const id = await published('watch');
  const { connector } = (await call('POST', `/add/${id}`, { hosts: [] }, other())).body.data;
  const card = await server.call('GET', `/connectors/${connector}`, { as: other() });
  expect(card.body.data.attributes).toMatchObject({ family: 'SCA', abilities: ['upload'] });

  const done = await uploadThere(pier.text);
  expect(done.body).toMatchObject({ data: { status: 'done', counts: { total: 2, new: 2 } } });
  const { tool } = done.body.data;
  expect(tool).toMatch(/^watch\.[0-9a-f]{16}$/);
  const { body } = await server.call('GET', '/findings', { as: other() });
  expect(
    body.data.map(({ attributes }: { attributes: Record<string, string> }) => attributes['component']).toSorted(),
  ).toEqual(['lodash', 'semver']);
  expect((await uploadThere(pier.text, 'watch')).body.data).toMatchObject({ tool, counts: { new: 0 } });
  // who published it has not added it
  expect((await uploadText(server, { to: application, text: pier.text })).body.code).toBe('report_unrecognised');

  // a version is theirs once they take it, and reads the same report anew
  const words = { map: { ...pier.report.map, title: "summary & ' (1.1.0)'" } };
  const later = filesOf('watch', '1.1.0', words);
  const [recorded] = later.fixtures.reports['watch'] ?? [];
  const expected = recorded?.expect.map((one: { title: string }) => ({ ...one, title: `${one.title} (1.1.0)` }));
  const edited = { ...later, fixtures: { connectors: {}, reports: { watch: [{ ...recorded, expect: expected }] } } };
  expect((await call('PUT', `/edit/${id}`, edited)).body).toMatchObject({ success: true });
  const titles = async () =>
    (await server.call('GET', '/findings', { as: other() })).body.data.map(
      ({ attributes }: { attributes: { title: string } }) => attributes.title,
    );
  await uploadThere(pier.text);
  expect((await titles()).some((title: string) => title.endsWith('(1.1.0)'))).toBe(false);
  expect((await call('POST', `/add/${id}`, { hosts: [] }, other())).status).toBe(200);
  await uploadThere(pier.text);
  expect((await titles()).every((title: string) => title.endsWith('(1.1.0)'))).toBe(true);
});

test('is refused without a recorded report, or where it reads that otherwise than it says', async () => {
  const unrecorded = await publish({ ...filesOf('blind'), fixtures: { connectors: {} } });
  expect(JSON.stringify(unrecorded.body)).toContain('none was recorded');
  const otherwise = filesOf('wrong', '1.0.0', { severities: { severe: 'low', minor: 'low' } });
  expect(JSON.stringify((await publish(otherwise)).body)).toContain('otherwise than expected');
  const both = { connectors: {}, reports: { both: [{ ...pier.recorded, file: 'a.json' }] } };
  expect(JSON.stringify((await publish({ ...filesOf('both'), fixtures: both })).body)).toContain('write it out');
});

test('revoked, it reads nothing more; removed, its findings stay', async () => {
  const id = await published('spoil');
  await call('POST', `/add/${id}`, { hosts: [] }, other());
  const { tool } = (await uploadThere(pier.text, 'spoil')).body.data;
  const judge = (revoked: boolean) =>
    server.call('PUT', `/platform/user_connectors/${id}`, { as: 'superadmin', body: { revoked, reason: 'Wrong.' } });
  await judge(true);
  expect((await uploadThere(pier.text, tool)).body.code).toBe('unknown_tool');
  await judge(false);
  expect((await uploadThere(pier.text, tool)).body.data).toMatchObject({ status: 'done' });
  expect((await call('DELETE', `/add/${id}`, undefined, other())).status).toBe(200);
  expect((await uploadThere(pier.text, tool)).body.code).toBe('unknown_tool');
  const { body } = await server.call('GET', `/findings?filters[tool][]=${tool}`, { as: other() });
  expect(body.data).toHaveLength(2);
});
