import { startTestServer, type TestServer } from '@breakwater/tools/testing/server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { epssFile } from '../../testing/feed-server.ts';
import { insertRandomFindings } from '../../testing/random-findings.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ isWorking: true });
});
afterAll(() => server.close());

const send = async (source: string, body: Buffer, as: 'superadmin' | 'admin' = 'superadmin') => {
  const response = await fetch(`${server.baseUrl}/api/v1/reference_data/${source}?name=mine.csv.gz`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.tokens[as]}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(body),
  });
  return { status: response.status, body: await response.json() };
};
const read = async () => (await server.call('GET', '/reference_data', { as: 'developer' })).body.data;

test('everybody sees the day and source of the data in use', async () => {
  expect(await read()).toMatchObject([
    { _id: 'epss', attributes: { title: 'EPSS', origin: 'delivered', data_date: '2026-08-22', failure: null } },
    { _id: 'kev', attributes: { title: 'CISA KEV', origin: 'delivered', data_date: '2026-07-23', loaded_at: null } },
  ]);
});

test('a broken file is refused with its reason and changes nothing', async () => {
  const before = await read();
  expect(await send('epss', Buffer.from('cve,epss\n'))).toMatchObject({
    status: 422,
    body: { code: 'report_malformed', detail: expect.stringContaining('columns cve, epss and percentile') },
  });
  expect(await send('epss', Buffer.alloc(0))).toMatchObject({ status: 422 });
  expect((await send('other', Buffer.from('x'))).status).toBe(404);
  expect((await send('epss', epssFile('2026-11-20', { 'CVE-2026-0001': 0.5 }), 'admin')).status).toBe(403);
  expect(await read()).toEqual(before);
});

test('a good file replaces the data, and the findings there are follow', async () => {
  const { owner } = server.scene;
  const { clientId } = server.users;
  const { findings } = await insertRandomFindings(owner, {
    clientId,
    users: [server.users.developer.id],
    count: 20,
    start: 9,
  });
  const [finding] = findings;
  const id = finding?.id ?? '';
  await owner.query(
    `update finding_definitions set cve = 'CVE-2026-0001', aliases = '{}' where id = (select definition_id from findings where id = $1)`,
    [id],
  );
  expect(await send('epss', epssFile('2026-11-20', { 'CVE-2026-0001': 0.5 }))).toMatchObject({
    status: 200,
    body: { success: true, data: { is_replaced: true, data_date: '2026-11-20', entries: 1 } },
  });
  expect((await read())[0].attributes).toMatchObject({
    origin: 'file',
    name: 'mine.csv.gz',
    data_date: '2026-11-20',
    model: 'v2025.03.14',
    entries: 1,
  });
  const shown = async () => (await server.call('GET', `/findings/${id}`, { as: 'admin' })).body.data.attributes;
  await expect
    .poll(shown, { timeout: 120_000, interval: 200 })
    .toMatchObject({ estimated_epss: 0.5, epss_percentile: 0.5, epss_date: '2026-11-20', epss_model: 'v2025.03.14' });
});
