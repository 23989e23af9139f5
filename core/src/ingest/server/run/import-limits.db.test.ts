import { randomUUID } from 'node:crypto';
import { type RunningJobQueue, startJobQueue } from '@breakwater/host-server/jobs/pg-boss-queue.ts';
import { pino } from 'pino';
import type { Piscina } from 'piscina';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startJobs } from '../../../platform/server/jobs/define-job.ts';
import { createImportScene, type ImportScene } from '../../../testing/import-scene.ts';
import { code, openReportTools, report } from '../../../testing/line-report.ts';
import { IMPORT_JOB } from '../scans/scan-record.ts';
import { IMPORT_LIMITS, type ImportLimits } from '../stage/import-watch.ts';
import { createImportThreads, importReport } from './import-job.ts';

const GOOD = report(code('sql', 'a.js', 1, 'q()'));
const WAIT_MS = { timeout: 120_000 };

const log = pino({ level: 'silent' });
let scene: ImportScene;
let jobs: RunningJobQueue;
let importThreads: Piscina | undefined;
beforeEach(async () => {
  scene = await createImportScene(await openReportTools());
  jobs = await startJobQueue({ url: scene.test.url, log });
});
afterEach(async () => {
  const stopping = jobs.stop();
  await importThreads?.destroy();
  await stopping;
  await scene.test.drop();
});

const start = async (limits: Partial<ImportLimits>, threads = createImportThreads()): Promise<void> => {
  importThreads = threads;
  await startJobs([importReport], {
    database: scene.test.database,
    jobs,
    log,
    importMetrics: { finished: () => undefined },
    importThreads: threads,
    importLimits: { ...IMPORT_LIMITS, ...limits },
    importConnection: { connectionString: scene.test.url, options: '-c role=breakwater_app -c timezone=UTC' },
    reportTools: { ofClient: async () => ({ tools: scene.tools, added: [] }) },
    toolsModule: new URL('../../../testing/line-report.ts', import.meta.url).href,
  });
};

const enqueue = async (text: string, clientId = scene.clientId, scanId?: string): Promise<string> => {
  const id = scanId ?? (await scene.store('scanner', text, await scene.addRepository(randomUUID())));
  await scene.test.database.forClient(clientId, (db) => jobs.enqueue(db, IMPORT_JOB, { clientId, scanId: id }));
  return id;
};

interface Scan {
  status: string;
  code: string | null;
  detail: string | null;
}
const readScan = async (id: string): Promise<Scan | undefined> =>
  (await scene.rows<Scan>('select status, code, detail from scans where id = $1', [id]))[0];
const expectEnd = (id: string) => expect.poll(() => readScan(id), WAIT_MS);

/** Another organisation with one stored report. */
const addOther = async (): Promise<{ clientId: string; scanId: string }> => {
  const other = { clientId: randomUUID(), scanId: randomUUID(), repositoryId: randomUUID(), reportId: randomUUID() };
  const { clientId, scanId, repositoryId, reportId } = other;
  const copied = await scene.store('scanner', GOOD);
  await scene.rows(`insert into clients (id, organization_name) values ($1, 'Other')`, [clientId]);
  await scene.rows(`insert into repositories (client_id, id, nickname, source_control) values ($1, $2, 'o', 'git')`, [
    clientId,
    repositoryId,
  ]);
  await scene.rows(
    `insert into reports (client_id, id, sha256, size_bytes)
     select $1, $2, r.sha256, r.size_bytes from reports r join scans s on s.report_id = r.id where s.id = $3`,
    [clientId, reportId, copied],
  );
  await scene.rows(
    `insert into report_chunks select $1, $2, c.ordinal, c.data from report_chunks c join scans s on s.report_id = c.report_id where s.id = $3`,
    [clientId, reportId, copied],
  );
  await scene.rows(
    `insert into scans (client_id, id, repository_id, report_id, requested_tool, tool) values ($1, $2, $3, $4, 'scanner', 'scanner')`,
    [clientId, scanId, repositoryId, reportId],
  );
  return { clientId, scanId };
};

test.each(['LOOP', 'WAIT'])(
  'an importer that is stuck is ended, the scan says why, and the next report is imported: %s',
  async (fault) => {
    await start({ silenceMs: 4000 });
    const stuck = await Promise.all([1, 2, 3, 4].map((n) => enqueue(report(code(`r${n}`, 'a.js', n, 'q()'), fault))));
    const good = await enqueue(GOOD);
    for (const id of stuck) {
      await expectEnd(id).toEqual({
        status: 'failed',
        code: 'import_stuck',
        detail: expect.stringMatching(
          /^The import made no progress for 4 seconds and was ended\. Nothing was changed\./,
        ),
      });
    }
    await expectEnd(good).toMatchObject({ status: 'done' });
    expect(
      await scene.rows('select rule_id from findings f join finding_definitions d on d.id = f.definition_id'),
    ).toEqual([{ rule_id: 'sql' }]);
  },
  90_000,
);

test('an importer that computes without end is ended long before one that waits', async () => {
  await start({ silenceCpuMs: 1500 });
  const stuck = await Promise.all([1, 2].map((n) => enqueue(report(code(`r${n}`, 'a.js', n, 'q()'), 'LOOP'))));
  for (const id of stuck) {
    await expectEnd(id).toMatchObject({
      status: 'failed',
      code: 'import_stuck',
      detail: expect.stringMatching(/^The import made no progress for 2 seconds and was ended\./),
    });
  }
});

test('an importer that goes on for ever is ended by the deadline', async () => {
  await start({ deadlineMs: 6000 });
  await expectEnd(await enqueue(report('WAIT'))).toMatchObject({
    status: 'failed',
    code: 'import_stuck',
    detail: expect.stringContaining('The import was not done after 6 seconds'),
  });
});

test('more records than a report can hold come from an importer that has lost its way', async () => {
  const outcome = await scene.run(await scene.store('scanner', report('ENDLESS')));
  const detail = 'The importer finds no end in this report. Nothing was changed.';
  expect(outcome).toMatchObject({ outcome: 'failed', failure: { code: 'report_too_complex', detail } });
});

test('an importer that eats memory, on the heap or outside of it, is ended, and others go on', async () => {
  await start({ externalMb: 64 }, createImportThreads(96));
  const eaters = [await enqueue(report('HEAP EATER')), await enqueue(report('BUFFER EATER'))];
  const good = await enqueue(GOOD);
  for (const id of eaters) {
    await expectEnd(id).toMatchObject({
      status: 'failed',
      code: 'report_too_complex',
      detail: expect.stringContaining('needs more memory than an import may use'),
    });
  }
  await expectEnd(good).toMatchObject({ status: 'done' });
});

test('no organisation takes all places: the report of another is imported while the first has a long queue', async () => {
  const other = await addOther();
  const queue: string[] = [];
  for (let n = 0; n < 8; n += 1) queue.push(await enqueue(report('WAIT')));
  await start({});
  await expect
    .poll(
      async () => (await Promise.all(queue.map(readScan))).filter((scan) => scan?.status === 'parsing').length,
      WAIT_MS,
    )
    .toBe(2);
  await enqueue('', other.clientId, other.scanId);
  await expectEnd(other.scanId).toMatchObject({ status: 'done' });
  const waiting = (await Promise.all(queue.map(readScan))).map((scan) => scan?.status).sort();
  expect(waiting).toEqual(['parsing', 'parsing', ...Array(6).fill('queued')]);
});
