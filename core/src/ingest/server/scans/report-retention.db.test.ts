import { afterAll, beforeEach, expect, test } from 'vitest';
import { createImportScene, type ImportScene } from '../../../testing/import-scene.ts';
import { openReportTools } from '../../../testing/line-report.ts';
import { listScans } from './list-scans.ts';
import { deleteExpiredReports } from './report-retention.ts';
import { findStoredReport } from './report-store.ts';
import { enqueueUndo } from './undo-scan.ts';

let scene: ImportScene;
beforeEach(async () => {
  await scene?.test.drop();
  scene = await createImportScene(await openReportTools());
});
afterAll(() => scene.test.drop());

const report = (rule: string) =>
  JSON.stringify({
    ...{ kind: 'finding', ruleId: rule, title: rule, type: 'SAST', severity: 'high' },
    locations: [{ path: `${rule}.ts`, startLine: 3, snippet: rule }],
  });

const importScan = async (rule: string): Promise<string> => {
  const id = await scene.store('scanner', report(rule));
  expect(await scene.run(id)).toMatchObject({ outcome: 'done' });
  return id;
};
/** Makes everything that is there older. */
const passDays = (days: number) =>
  scene.rows(`with r as (update reports set created_at = created_at - interval '${days} days')
    update scans set created_at = created_at - interval '${days} days'`);
const isStored = (scanId: string) =>
  scene.test.database.forClient(
    scene.clientId,
    async (db) => (await findStoredReport(db, { clientId: scene.clientId, scanId })) !== undefined,
  );
const undo = (scanId: string) =>
  scene.test.database.forClient(scene.clientId, (db) =>
    enqueueUndo(db, { enqueue: async () => 'job' }, { clientId: scene.clientId, scanId, userId: scene.clientId }),
  );

test('reports go after 365 days unless the organisation says otherwise; scans and findings stay', async () => {
  const scans = [await importScan('A'), await importScan('B'), await importScan('C'), await importScan('D')];
  await passDays(364);
  expect(await deleteExpiredReports(scene.test.database)).toBe(0);
  await passDays(2);
  expect(await deleteExpiredReports(scene.test.database)).toBe(2);
  // the import that stands, and the one that an undo goes back to
  expect(await Promise.all(scans.map(isStored))).toEqual([false, false, true, true]);
  expect(await scene.rows('select count(*)::integer as count from report_chunks')).toEqual([{ count: 2 }]);
  expect(await scene.rows('select count(*)::integer as count from scans')).toEqual([{ count: 4 }]);
  expect(await scene.rows('select count(*)::integer as count from findings')).toEqual([{ count: 4 }]);
});

test('a shorter time holds for the organisation that chose it; an upload of the same bytes is stored anew', async () => {
  const first = await importScan('A');
  await importScan('B');
  await importScan('C');
  await scene.rows('update clients set report_retention_days = 7');
  await passDays(8);
  expect(await deleteExpiredReports(scene.test.database)).toBe(1);
  expect(await isStored(first)).toBe(false);
  const again = await importScan('A');
  expect(await isStored(again)).toBe(true);
});

test('what a queued import or a recent upload of the same bytes needs stays', async () => {
  await importScan('A');
  await importScan('B');
  await importScan('C');
  const queued = await scene.store('scanner', report('A'));
  await passDays(400);
  expect(await deleteExpiredReports(scene.test.database)).toBe(0);
  expect(await isStored(queued)).toBe(true);
});

test('an undo that would need a deleted report is refused, and closes nothing', async () => {
  await importScan('A');
  const second = await importScan('B');
  const third = await importScan('C');
  await passDays(400);
  expect(await deleteExpiredReports(scene.test.database)).toBe(1);
  expect((await scene.run(await undo(third))).outcome).toBe('done');
  await expect(undo(second)).rejects.toMatchObject({ code: 'conflict', message: /is deleted/ });
  const filter = { clientId: scene.clientId, onlyOwnedBy: null, id: second };
  const rows = await scene.test.database.forClient(scene.clientId, (db) =>
    listScans(db, filter, { offset: 0, pageSize: 1 }),
  );
  expect(rows.map((row) => row.undo_refusal)).toEqual(['report_deleted']);
  expect(await scene.rows('select count(*)::integer as count from findings where closed_at is null')).toEqual([
    { count: 1 },
  ]);
});
