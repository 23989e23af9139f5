import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../tools/testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ isWorking: true });
});
afterAll(() => server.close());

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
