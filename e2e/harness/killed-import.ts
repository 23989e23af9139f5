import assert from 'node:assert/strict';
import { ADMIN, type ApiClient, addRepository, setUp, signIn } from './api.ts';
import { generatedReport } from './generated-report.ts';
import { emptyFolder, removeFolder, startServer } from './server.ts';

export const RESULTS = 6000;
export const REPORT = generatedReport(RESULTS);
const SCAN_TIMEOUT_MS = 150_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const waitForScan = async (api: ApiClient, scanId: string): Promise<unknown> => {
  const deadline = Date.now() + SCAN_TIMEOUT_MS;
  for (;;) {
    const { body } = await api.get(`/scans/${scanId}`);
    const { status, counts } = body.data.attributes;
    if (status === 'done' || status === 'failed') return { status, total: counts.total, new: counts.new };
    if (Date.now() > deadline) throw new Error(`the scan is still ${status}`);
    await pause(100);
  }
};

/** All that an import leaves behind, without ids and times. */
export const harvest = async (api: ApiClient): Promise<unknown> => {
  const list = await api.get('/findings?pagination=false');
  assert.equal(list.status, 200);
  const rows = list.body.data.map(({ attributes }: { attributes: Record<string, unknown> }) => {
    const { title, severity, priority, status, tool, file_path, start_line, is_duplicate, verdict } = attributes;
    return JSON.stringify({ title, severity, priority, status, tool, file_path, start_line, is_duplicate, verdict });
  });
  const facets = await api.get('/filter/findings?filter_key=severity');
  const chart = await api.get('/total_findings_chart');
  return {
    total: list.body.meta.pagination.total,
    rows: rows.sort(),
    facets: facets.body.data,
    chart: chart.body.data.series,
  };
};

/** What an undisturbed import of the report leaves behind. */
export const cleanRun = async (): Promise<unknown> => {
  const server = await startServer();
  try {
    const api = await setUp(server);
    const { body } = await api.upload(await addRepository(api, 'killed'), 'report.json', REPORT);
    assert.deepEqual([body.data.status, body.data.counts.total, body.data.counts.new], ['done', RESULTS, RESULTS]);
    return await harvest(api);
  } finally {
    await server.stop();
    await removeFolder(server.dataDirectory);
  }
};

/** The same, with the server killed `momentMs` after the upload was acknowledged and started again on the same folder. */
export const killedRun = async (momentMs: number): Promise<unknown> => {
  const dataDirectory = await emptyFolder();
  let server = await startServer({ dataDirectory });
  try {
    const api = await setUp(server);
    const repository = await addRepository(api, 'killed');
    const { status, body } = await api.upload(repository, 'report.json', REPORT, 0);
    assert.equal(status, 202);
    await pause(momentMs);
    await server.kill();

    server = await startServer({ dataDirectory });
    const later = await signIn(server, ADMIN.username, ADMIN.password);
    assert.deepEqual(await waitForScan(later, body.data.scan_id), { status: 'done', total: RESULTS, new: RESULTS });
    const result = await harvest(later);
    const repeated = await later.upload(repository, 'report.json', REPORT);
    const { counts } = repeated.body.data;
    assert.deepEqual([counts.new, counts.closed, counts.unchanged], [0, 0, RESULTS]);
    return result;
  } finally {
    await server.stop();
    await removeFolder(dataDirectory);
  }
};
