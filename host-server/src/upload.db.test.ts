import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../tools/testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ isWorking: true });
});
afterAll(() => server.close());

const exclude = (excluded_tools: string[]) => server.call('PUT', '/client', { as: 'admin', body: { excluded_tools } });

const FOLDER = new URL('../../core/data/demo-juice-shop/', import.meta.url);

test('a report goes in by HTTP and its findings come out by HTTP', async () => {
  const made = await server.call('POST', '/create_repository_with_list', {
    as: 'admin',
    body: { source_control: 'git', data: [{ nickname: 'shop', url: 'https://git.example.test/shop.git' }] },
  });
  const id: string = made.body.data[0]._id;
  const file = (await readFile(new URL('opengrep.semgrep-json.json', FOLDER))).toString('base64');
  const upload = await server.call('POST', `/upload_scan/${id}?wait=60`, { as: 'admin', body: { tool: 'auto', file } });
  expect(upload).toMatchObject({
    status: 200,
    body: { success: true, data: { status: 'done', counts: { total: 66, new: 66 } } },
  });
  const list = await server.call('GET', '/findings?pagination[pageSize]=10', { as: 'admin' });
  expect(list.body.meta.pagination.total).toBe(66);
  const detail = await server.call('GET', `/findings/${list.body.data[0]._id}`, { as: 'cyberoper' });
  expect(detail.status).toBe(200);
});

test('reports of an excluded tool are refused, whichever name they come under, until it is taken off', async () => {
  const body = { source_control: 'git', data: [{ nickname: 'excluding', url: '' }] };
  const made = await server.call('POST', '/create_repository_with_list', { as: 'admin', body });
  const upload = (tool: string) =>
    server.call('POST', `/upload_scan/${made.body.data[0]._id}`, {
      as: 'cyberoper',
      body: { tool, file: Buffer.from('{"Results":[],"SchemaVersion":2,"ArtifactName":"x"}').toString('base64') },
    });
  await exclude(['trivy']);
  for (const tool of ['auto', 'trivy', 'trivy-sca']) {
    const refused = await upload(tool);
    expect([tool, refused.status, refused.body.code]).toEqual([tool, 409, 'tool_excluded']);
    expect(refused.body.detail).toMatch(/excludes Trivy.*Nothing was imported/);
  }
  await exclude(['trivy-sca', 'unknown tool']);
  expect((await upload('trivy-sca')).body.code).toBe('tool_excluded');
  expect((await upload('trivy-container')).status).toBe(202);
  const { rows } = await server.scene.owner.query(
    'select count(*)::integer as scans from scans where repository_id = $1',
    [made.body.data[0]._id],
  );
  expect(rows[0].scans).toBe(1);
  await exclude([]);
  expect((await upload('trivy')).status).toBe(202);
});
