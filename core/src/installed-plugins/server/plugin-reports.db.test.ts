import { SERVICE } from '@breakwater/host-server/container.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../tools/testing/server.ts';
import { createUsers, type TestUsers } from '../../../../tools/testing/users.ts';
import { addApplication, createPluginScene, uploadText } from '../../testing/connectors/added-scene.ts';
import { type BuildSpec, packBuild } from '../../testing/connectors/plugin-build.ts';

let server: TestServer;
let others: TestUsers;
let application: string;
let otherApplication: string;

beforeAll(async () => {
  server = await startTestServer({ isWorking: true });
  others = await createUsers(server.scene.database);
  application = await addApplication(server, 'quay');
  otherApplication = await addApplication(server, 'pier', other());
});
afterAll(async () => {
  await server.container.get(SERVICE.pluginCode).discard();
  await server.close();
});

const other = () => ({ token: others.admin.token });
const scene = createPluginScene(() => server);
const HOSTS = ['api.acme.example'];
const FAMILY = "parser: { tool: 'gauge', family: 'SAST' },";
const use = async (spec: BuildSpec): Promise<string> => {
  await scene.install(spec);
  return scene.enabled(spec.id, { version: spec.version, hosts: HOSTS });
};
const upload = (text: string, more: Partial<Parameters<typeof uploadText>[1]> = {}) =>
  uploadText(server, { to: application, text, ...more });
/** Tools that an upload may name, of those that plugins brought. */
const toolsOf = async (as: 'admin' | { token: string } = 'admin'): Promise<string[]> => {
  const { body } = await server.call('GET', '/upload_tools', { as });
  return body.data.map(({ _id }: { _id: string }) => _id).filter((id: string) => id.includes('.'));
};
const findingsOf = async (tool: string): Promise<string[]> => {
  const { body } = await server.call('GET', `/findings?filters[tool][]=${tool}`, { as: 'admin' });
  return body.data.map(({ attributes }: { attributes: { title: string } }) => attributes.title).toSorted();
};

test('reports are recognised, read and kept apart for the organisation that enabled the plugin, and for no other', async () => {
  const connector = await use({ id: 'gauge-scan', version: '1.0.0', tool: 'gauge', fields: FAMILY });
  const card = await server.call('GET', `/connectors/${connector}`, { as: 'admin' });
  expect(card.body.data.attributes).toMatchObject({ family: 'SAST' });
  expect(card.body.data.attributes.abilities).toContain('upload');

  const done = await upload('gauge:\nR1\nR2\n');
  expect(done).toMatchObject({ status: 200, body: { data: { status: 'done', counts: { total: 2, new: 2 } } } });
  const { tool } = done.body.data;
  expect(tool).toMatch(/^gauge\.[0-9a-f]{16}$/);
  expect(await findingsOf(tool)).toEqual(['R1', 'R2']);
  // by what its author calls it, and by the whole name
  expect((await upload('gauge:\nR1\n', { tool: 'Gauge' })).body.data).toMatchObject({ tool, counts: { closed: 1 } });
  expect((await upload('gauge:\nR1\nR2\n', { tool })).body.data).toMatchObject({ tool, counts: { total: 2 } });
  expect(await toolsOf()).toContain(tool);

  expect(await toolsOf(other())).toEqual([]);
  for (const name of ['auto', 'gauge', tool]) {
    const refused = await upload('gauge:\nR1\n', { to: otherApplication, tool: name, as: other() });
    expect([name, refused.status, refused.body.code]).toEqual([
      name,
      422,
      name === 'auto' ? 'report_unrecognised' : 'unknown_tool',
    ]);
  }
});

test('a later version reads the same report again, and an excluded tool is refused by its own name', async () => {
  await use({ id: 'scale-scan', version: '1.0.0', tool: 'scale' });
  const report = 'scale:\nS1\n';
  const { tool } = (await upload(report)).body.data;
  expect(await findingsOf(tool)).toEqual(['S1']);
  const top = `const said = 'read by 2.0.0';`;
  const title = "title: line + ' ' + said";
  await scene.install({ id: 'scale-scan', version: '2.0.0', tool: 'scale', top, title });
  expect((await upload(report)).body.data).toMatchObject({ status: 'done', tool });
  expect(await findingsOf(tool)).toEqual(['S1 read by 2.0.0']);

  const exclude = (excluded_tools: string[]) =>
    server.call('PUT', '/client', { as: 'admin', body: { excluded_tools } });
  await exclude(['scale']);
  expect((await upload(report)).body.code).toBe('tool_excluded');
  await exclude([]);
});

test('two plugins with a tool of one name are two tools, and neither takes the name alone', async () => {
  for (const id of ['one-scan', 'two-scan']) await use({ id, version: '1.0.0', tool: 'level' });
  expect((await toolsOf()).filter((id) => id.startsWith('level.'))).toHaveLength(2);
  const both = await upload('level:\nL1\n');
  expect(both.body.code).toBe('report_unrecognised');
  const named = await upload('level:\nL1\n', { tool: 'level' });
  expect(named.body).toMatchObject({
    code: 'unknown_tool',
    detail: expect.stringMatching(/Did you mean level\.[0-9a-f]{16}, level\./),
  });
});

test('is refused where it takes the name of a tool of ours, or announces what nothing reads', async () => {
  const refused = async (spec: Partial<BuildSpec>): Promise<string> => {
    const { status, body } = await scene.installArchive(await packBuild({ id: 'sly-scan', version: '1.0.0', ...spec }));
    expect(status).toBe(422);
    return JSON.stringify(body);
  };
  for (const tool of ['opengrep', 'semgrep', 'trivy-container'])
    expect(await refused({ tool })).toContain('reads already');
  expect(await refused({ tool: 'sly', reader: '[]' })).toContain('has no parser');
});

test('a parser that never ends costs its own report alone', async () => {
  const reader = `[{ tool: 'bog', formats: ['text'], recognise: () => 0, async *parse() { for (;;); } }]`;
  await use({ id: 'bog-scan', version: '1.0.0', tool: 'bog', reader });
  const stuck = upload('bog:\n', { tool: 'bog' });
  const swift = await upload('gauge:\nR1\nR9\n', { tool: 'gauge' });
  expect(swift.body).toMatchObject({ data: { status: 'done' } });
  const { status, body } = await stuck;
  expect([status, body.code]).toEqual([422, 'report_too_complex']);
});

test('one that says of every report that it is its own gets only what nobody else recognises', async () => {
  const reader = `[{ tool: 'greed', formats: ['text'], recognise: () => 1, async *parse() {} }]`;
  await use({ id: 'greed-scan', version: '1.0.0', tool: 'greed', reader });
  const ours = '{"Results":[],"SchemaVersion":2,"ArtifactName":"x","ArtifactType":"filesystem"}';
  expect((await upload(ours)).body.data).toMatchObject({ tool: 'trivy' });
});

test('disabled by the operator or the organisation, it reads nothing more; its findings stay', async () => {
  const connector = await use({
    id: 'buoy-scan',
    version: '1.0.0',
    tool: 'buoy',
    fields: FAMILY.replace('gauge', 'buoy'),
  });
  const { tool } = (await upload('buoy:\nB1\n', { tool: 'buoy' })).body.data;
  const offer = (is_offered: boolean) =>
    server.call('PUT', '/platform/plugins/buoy-scan', {
      as: 'superadmin',
      body: { is_offered, reason: 'Under review.' },
    });
  await offer(false);
  const card = await server.call('GET', `/connectors/${connector}`, { as: 'admin' });
  expect(card.body.data.attributes.abilities).not.toContain('upload');
  expect((await upload('buoy:\nB2\n', { tool })).body.code).toBe('unknown_tool');
  await offer(true);
  expect((await upload('buoy:\nB2\n', { tool })).body.data).toMatchObject({ status: 'done' });
  await server.call('DELETE', '/installed_plugins/buoy-scan', { as: 'admin' });
  expect((await upload('buoy:\nB3\n', { tool })).body.code).toBe('unknown_tool');
  expect(await findingsOf(tool)).toContain('B2');
});
