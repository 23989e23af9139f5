import { afterEach, expect, test } from 'vitest';
import { ADMIN, type ApiClient, addRepository, setUp, signIn } from '../harness/api.ts';
import { generatedReport } from '../harness/generated-report.ts';
import { emptyFolder, type RunningServer, removeFolder, startServer } from '../harness/server.ts';

const RESULTS = 6000;
const REPORT = generatedReport(RESULTS);
/** How far the import may get before the power goes: share of its results. */
const MOMENTS_MS = [0, 150, 500, 1100];

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const waitForScan = async (api: ApiClient, scanId: string): Promise<Record<string, unknown>> => {
  const deadline = Date.now() + 90_000;
  for (;;) {
    const { body } = await api.get(`/scans/${scanId}`);
    const { status } = body.data.attributes;
    if (status === 'done' || status === 'failed') return body.data.attributes;
    if (Date.now() > deadline) throw new Error(`the scan is still ${status}`);
    await pause(100);
  }
};

/** All that an import leaves behind, without ids and times. */
const harvest = async (api: ApiClient): Promise<unknown> => {
  const list = await api.get('/findings?pagination=false');
  expect(list.status).toBe(200);
  const rows = list.body.data.map(({ attributes }: { attributes: Record<string, unknown> }) => {
    const { title, severity, priority, status, tool, file_path, start_line, is_duplicate, verdict } = attributes;
    return JSON.stringify({ title, severity, priority, status, tool, file_path, start_line, is_duplicate, verdict });
  });
  const { body: facets } = await api.get('/filter/findings?filter_key=severity');
  const { body: chart } = await api.get('/total_findings_chart');
  return { total: list.body.meta.pagination.total, rows: rows.sort(), facets: facets.data, chart: chart.data.series };
};

const start = async (dataDirectory: string): Promise<RunningServer> => {
  const server = await startServer({ dataDirectory });
  cleanups.push(() => server.stop());
  return server;
};

const newFolder = async (): Promise<string> => {
  const folder = await emptyFolder();
  cleanups.push(() => removeFolder(folder));
  return folder;
};

const cleanRun = async (): Promise<unknown> => {
  const server = await start(await newFolder());
  const api = await setUp(server);
  const repository = await addRepository(api, 'killed');
  const { body } = await api.upload(repository, 'report.json', REPORT);
  expect(body.data).toMatchObject({ status: 'done', counts: { total: RESULTS, new: RESULTS } });
  const result = await harvest(api);
  await server.stop();
  return result;
};

const killedRun = async (momentMs: number): Promise<unknown> => {
  const folder = await newFolder();
  const server = await start(folder);
  const api = await setUp(server);
  const repository = await addRepository(api, 'killed');
  const { status, body } = await api.upload(repository, 'report.json', REPORT, 0);
  expect(status).toBe(202);
  await pause(momentMs);
  await server.kill();

  const again = await start(folder);
  const later = await signIn(again, ADMIN.username, ADMIN.password);
  expect(await waitForScan(later, body.data.scan_id)).toMatchObject({ status: 'done', counts: { total: RESULTS } });
  const result = await harvest(later);
  const repeated = await later.upload(repository, 'report.json', REPORT);
  expect(repeated.body.data.counts).toMatchObject({ total: RESULTS, new: 0, closed: 0, unchanged: RESULTS });
  await again.stop();
  return result;
};

test('kill -9 during an import, then a start: the result equals one clean run', { timeout: 300_000 }, async () => {
  const expected = await cleanRun();
  for (const momentMs of MOMENTS_MS) expect(await killedRun(momentMs), `killed after ${momentMs} ms`).toEqual(expected);
});
