import { randomUUID } from 'node:crypto';
import { type RunningJobQueue, startJobQueue } from '@breakwater/host-server/jobs/pg-boss-queue.ts';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startJobs } from '../../../platform/server/jobs/define-job.ts';
import { createImportScene, type ImportScene } from '../../../testing/import-scene.ts';
import { code, dependency, openReportTools, report } from '../../../testing/line-report.ts';
import { IMPORT_JOB } from '../scans/scan-record.ts';
import { createImportThreads, importReport, requeueKilledImports } from './import-job.ts';

let scene: ImportScene;
let jobs: RunningJobQueue;
const importThreads = createImportThreads();
let userId: string;
const finished: object[] = [];

beforeAll(async () => {
  scene = await createImportScene(await openReportTools());
  const log = pino({ level: 'silent' });
  jobs = await startJobQueue({ url: scene.test.url, log });
  await startJobs([importReport, requeueKilledImports], {
    database: scene.test.database,
    jobs,
    log,
    importMetrics: { finished: (result) => void finished.push(result) },
    importThreads,
    importConnection: { connectionString: scene.test.url, options: '-c role=breakwater_app -c timezone=UTC' },
    toolsModule: new URL('../../../testing/line-report.ts', import.meta.url).href,
  });
  const [user] = await scene.rows<{ id: string }>(
    `insert into users (client_id, email, username, password_hash, role) values ($1, 'a@example.test', 'a', '', 'admin') returning id`,
    [scene.clientId],
  );
  userId = user!.id;
});
afterAll(async () => {
  await jobs.stop();
  await importThreads.destroy();
  await scene.test.drop();
});

const order = async (text: string): Promise<string> => {
  const scanId = await scene.store('scanner', text);
  await scene.rows('update scans set created_by = $2 where id = $1', [scanId, userId]);
  const data = { clientId: scene.clientId, scanId };
  await scene.test.database.forClient(scene.clientId, (db) => jobs.enqueue(db, IMPORT_JOB, data));
  return scanId;
};
const ended = (scanId: string) =>
  expect.poll(
    async () => (await scene.rows<{ status: string }>('select status from scans where id = $1', [scanId]))[0]?.status,
    { timeout: 20_000 },
  );
const notices = async (): Promise<string[]> =>
  (
    await scene.rows<{ text: string }>(
      `select notification_type || ': ' || title as text from notifications order by id`,
    )
  ).map((row) => row.text);

test('a job is imported in a thread, and who waits for it is notified', async () => {
  const exploited = dependency('CVE-2023-44487', 'http2', '1.0', { severity: 'critical' });
  await ended(await order(report(code('sql', 'a.js', 1, 'q()'), exploited))).toBe('done');
  await expect
    .poll(notices, { timeout: 5_000 })
    .toEqual([
      'scan_finished: Imported: scanner on shop',
      'critical_found: 1 new critical finding: scanner on shop',
      'kev_match: 1 new finding known to be exploited: scanner on shop',
    ]);
  expect(finished).toEqual([{ tool: 'scanner', status: 'done', findings: 2, seconds: expect.any(Number) }]);
});

test('a refused report fails the scan and notifies who uploaded it', async () => {
  await ended(await order(report('BROKEN'))).toBe('failed');
  await expect
    .poll(async () => (await notices()).at(-1), { timeout: 5_000 })
    .toBe('scan_failed: Import failed: scanner on shop');
});

test('a second job for the same scan changes nothing', async () => {
  const scanId = await order(report(code('other', 'b.js', 1, 'q()')));
  await ended(scanId).toBe('done');
  const before = await scene.rows('select xmin::text, counts from scans where id = $1', [scanId]);
  const data = { clientId: scene.clientId, scanId };
  await scene.test.database.forClient(scene.clientId, (db) =>
    jobs.enqueue(db, IMPORT_JOB, data, { key: randomUUID() }),
  );
  await expect
    .poll(async () => (await jobs.depth()).reduce((sum, queue) => sum + queue.waiting + queue.active, 0), {
      timeout: 20_000,
      interval: 500,
    })
    .toBe(0);
  expect(await scene.rows('select xmin::text, counts from scans where id = $1', [scanId])).toEqual(before);
});

test('what a dead process left is taken up within the minute', async () => {
  const scanId = await scene.store('scanner', report(code('left', 'c.js', 1, 'q()')));
  await scene.rows(`update scans set status = 'parsing', attempts = 1 where id = $1`, [scanId]);
  await ended(scanId).toBe('done');
}, 60_000);
