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
    reportTools: { ofClient: async () => ({ tools: scene.tools, added: [] }) },
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

const order = async (text: string, tool = 'scanner', repositoryId = scene.repositoryId): Promise<string> => {
  const scanId = await scene.store(tool, text, repositoryId);
  await scene.rows('update scans set created_by = $2 where id = $1', [scanId, userId]);
  const data = { clientId: scene.clientId, scanId };
  await scene.test.database.forClient(scene.clientId, (db) => jobs.enqueue(db, IMPORT_JOB, data));
  return scanId;
};
const ended = (scanId: string) =>
  expect.poll(
    async () => (await scene.rows<{ status: string }>('select status from scans where id = $1', [scanId]))[0]?.status,
    { timeout: 120_000 },
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
    .poll(notices, { timeout: 120_000 })
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
    .poll(async () => (await notices()).at(-1), { timeout: 120_000 })
    .toBe('scan_failed: Import failed: scanner on shop');
});

const lastNotice = async () =>
  (
    await scene.rows<{ title: string; message: string; link: string }>(
      'select title, message, link from notifications order by id desc limit 1',
    )
  )[0];

test('who waits is notified that a scan was incomplete, held back or older, and where to read it', async () => {
  const many = Array.from({ length: 6 }, (_, n) => code(`gone${n}`, 'held.js', n + 1, `q(${n})`));
  const scanTo = async (text: string, tool: string) => {
    const repositoryId = await scene.addRepository(`${tool} ${text.length}`);
    return { repositoryId, id: await order(text, tool, repositoryId) };
  };
  const first = await scanTo(report(...many), 'silent');
  await ended(first.id).toBe('done');
  await ended(await order(report(code('left', 'held.js', 9, 'r()')), 'silent', first.repositoryId)).toBe('done');
  const link = `/Repositories/${first.repositoryId}/scans`;
  await expect
    .poll(lastNotice)
    .toMatchObject({ title: expect.stringMatching(/^Imported, closing held back: silent on/), link });
  expect((await lastNotice())?.message).toContain('held back from closing: 6 findings.');

  const failure = { kind: 'failure', why: 'Parsing of a.js timed out' } as const;
  const incomplete = await scanTo(report(failure, code('some', 'b.js', 1, 'q()')), 'scanner');
  await ended(incomplete.id).toBe('incomplete');
  await expect.poll(lastNotice).toMatchObject({
    title: expect.stringMatching(/^Imported, scan incomplete: scanner on/),
    message: expect.stringContaining('(Parsing of a.js timed out), so nothing was closed.'),
  });

  const dated = (date: string) => report({ kind: 'report', date }, code('dated', 'c.js', 1, 'q()'));
  const newer = await scanTo(dated('2026-05-02T00:00:00Z'), 'scanner');
  await ended(newer.id).toBe('done');
  await ended(await order(dated('2026-05-01T00:00:00Z'), 'scanner', newer.repositoryId)).toBe('outdated');
  await expect.poll(lastNotice).toMatchObject({
    title: expect.stringMatching(/^Older report, not merged: scanner on/),
    message: expect.stringContaining('nothing was changed'),
  });
});

test('a second job for the same scan changes nothing', async () => {
  const scanId = await order(report(code('other', 'b.js', 1, 'q()')));
  await ended(scanId).toBe('done');
  const before = await scene.rows('select xmin::text, counts from scans where id = $1', [scanId]);
  const data = { clientId: scene.clientId, scanId };
  await scene.test.database.forClient(scene.clientId, (db) =>
    jobs.enqueue(db, IMPORT_JOB, data, { key: randomUUID() }),
  );
  const open = `select 1 from pgboss.job where name = '${IMPORT_JOB.name}' and state in ('created', 'retry', 'active')`;
  await expect.poll(async () => (await scene.test.owner.query(open)).rowCount, { timeout: 120_000 }).toBe(0);
  expect(await scene.rows('select xmin::text, counts from scans where id = $1', [scanId])).toEqual(before);
});

test('what a dead process left is taken up within the minute', async () => {
  const scanId = await scene.store('scanner', report(code('left', 'c.js', 1, 'q()')));
  await scene.rows(`update scans set status = 'parsing', attempts = 1 where id = $1`, [scanId]);
  await ended(scanId).toBe('done');
});
