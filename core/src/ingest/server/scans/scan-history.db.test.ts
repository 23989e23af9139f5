import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../../tools/testing/server.ts';
import { readDemo } from '../../../testing/import-scene.ts';

let server: TestServer;
let repository: string;
let scan: string;
const REPORT = 'grype.json';

beforeAll(async () => {
  server = await startTestServer({ isWorking: true });
  const { body } = await server.call('POST', '/create_repository_with_list', {
    as: 'admin',
    body: { source_control: 'git', data: [{ nickname: 'shop', url: '' }] },
  });
  repository = body.data[0]._id;
  const file = Buffer.from(await readDemo(REPORT)).toString('base64');
  const upload = await server.call('POST', `/upload_scan/${repository}?wait=60`, {
    as: 'admin',
    body: { tool: 'grype', ext: 'json', file },
  });
  scan = upload.body.data.scan_id;
});
afterAll(() => server.close());

const download = (as: keyof TestServer['tokens']) =>
  fetch(`${server.baseUrl}/api/v1/scans/${scan}/report`, { headers: { authorization: `Bearer ${server.tokens[as]}` } });

test('the report comes back byte by byte, as a download that no browser opens', async () => {
  const answer = await download('cyberoper');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename=grype-[\da-f-]+\.txt$/);
  expect(answer.headers.get('content-type')).toBe('application/octet-stream');
  expect(await answer.text()).toBe(await readDemo(REPORT));
});

test('a developer does not get it: it may hold secrets', async () => {
  expect((await download('developer')).status).toBe(403);
});

test('an import is taken back over the API, and the history says so', async () => {
  const undo = await server.call('POST', `/scans/${scan}/undo`, { as: 'cyberoper' });
  expect(undo.status).toBe(202);
  const statusOf = async (id: string) =>
    (await server.call('GET', `/scans/${id}`, { as: 'admin' })).body.data.attributes;
  await expect.poll(async () => (await statusOf(undo.body.data.scan_id)).status, { timeout: 120_000 }).toBe('done');
  expect(await statusOf(undo.body.data.scan_id)).toMatchObject({ undoes: scan });
  expect(await statusOf(scan)).toMatchObject({ status: 'cancelled', detail: 'Undone.' });
  const { body } = await server.call('GET', '/findings', { as: 'admin' });
  expect(body.meta.pagination.total).toBe(0);
  expect((await server.call('POST', `/scans/${scan}/undo`, { as: 'cyberoper' })).status).toBe(409);
});
