import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, addRepository, apiClient, setUp } from '../harness/api.ts';
import { type OwnPostgres, startOwnPostgres } from '../harness/own-postgres.ts';
import { generatedReport } from '../harness/reports.ts';
import type { RunningServer } from '../harness/server.ts';
import { listenFor, withProcesses } from '../harness/several-processes.ts';

const FINDINGS = 200;

let primary: OwnPostgres;
let replica: OwnPostgres;
beforeAll(async () => {
  primary = await startOwnPostgres({ isDurable: true });
  replica = await primary.startReplica();
});
afterAll(async () => {
  await replica?.stop();
  await primary?.stop();
});

/** How many reads of a process ran on the replica. */
const countReads = async (server: RunningServer): Promise<number> => {
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  return Number(/^breakwater_replica_reads_total\{place="replica"\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
};

/** How many findings the list and an export have; the chart is asked with them. */
const look = async (api: ApiClient) => {
  const [list, chart, file] = await Promise.all([
    api.get('/findings'),
    api.get('/total_findings_chart'),
    api.call('POST', '/download_json_findings', {}),
  ]);
  expect([list.status, chart.status, file.status]).toEqual([200, 200, 200]);
  return { listed: list.body.meta.pagination.total, exported: file.body.data.length };
};

test('lists, charts and exports come from the replica, and never say less than what was written or heard of', async () => {
  const addresses = { DATABASE_URL: primary.url('breakwater'), DATABASE_REPLICA_URL: replica.url('breakwater') };
  await withProcesses(addresses, async (first, second) => {
    const admin = await setUp(first);
    const elsewhere = apiClient(second, admin.token);
    const heard = await listenFor(second, admin);
    const repository = await addRepository(admin, 'shop');
    const upload = await admin.upload(repository, 'report.json', generatedReport(FINDINGS));
    expect(upload.body.data).toMatchObject({ status: 'done', counts: { total: FINDINGS } });
    await heard(upload.body.data.scan_id);
    expect(await look(elsewhere)).toEqual({ listed: FINDINGS, exported: FINDINGS });
    await expect
      .poll(async () => {
        await look(elsewhere);
        return countReads(second);
      })
      .toBeGreaterThan(3);

    await replica.query('select pg_wal_replay_pause()');
    const { body } = await admin.get('/findings');
    const finding = body.data[0]._id;
    const heardOfChange = await listenFor(second, admin);
    const changed = await admin.call('PUT', `/findings/${finding}`, { verdict: { value: 'false_positive' } });
    expect(changed.status).toBe(200);
    await heardOfChange('event: finding.changed');
    const before = [await countReads(first), await countReads(second)];
    for (const reader of [admin, elsewhere]) {
      const one = await reader.get(`/findings/${finding}`);
      expect(JSON.stringify(one.body)).toContain('false_positive');
    }
    expect([await countReads(first), await countReads(second)]).toEqual(before);
    await replica.query('select pg_wal_replay_resume()');
  });
});
