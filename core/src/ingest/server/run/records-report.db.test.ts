import { afterAll, beforeAll, expect, test } from 'vitest';
import { createImportScene, type ImportScene } from '../../../testing/import-scene.ts';

let scene: ImportScene;
beforeAll(async () => {
  scene = await createImportScene();
});
afterAll(() => scene.test.drop());

const finding = (rule: string, extra: object = {}) =>
  JSON.stringify({ kind: 'finding', ruleId: rule, title: rule, type: 'SAST', severity: 'high', ...extra });

const importPulled = async (text: string) => {
  const scanId = await scene.store('some-service', text);
  await scene.rows('update scans set connector_id = $2 where id = $1', [scanId, 'some-service']);
  return scene.run(scanId);
};

test('what a connector yielded is imported; what is no finding is listed; what is gone is closed', async () => {
  const first = await importPulled(
    [finding('A'), finding('B'), '{"kind":"finding"}', 'rubbish', finding('C', { severity: 'awful' })].join('\n'),
  );
  expect(first).toMatchObject({ outcome: 'done', counts: { total: 2, new: 2, unreadable: 3 } });
  const second = await importPulled(`${finding('A')}\n`);
  expect(second).toMatchObject({ outcome: 'done', counts: { total: 1, unchanged: 1, closed: 1 } });
});

test('nothing at all closes everything', async () => {
  expect(await importPulled('')).toMatchObject({ outcome: 'done', counts: { total: 0, closed: 1 } });
});

test('a record of more than 8 MB ends the import, and nothing is changed', async () => {
  const before = await scene.rows('select count(*) from findings');
  const outcome = await importPulled(finding('A', { description: 'x'.repeat(9 * 1024 * 1024) }));
  expect(outcome).toMatchObject({ outcome: 'failed', failure: { code: 'report_too_complex' } });
  expect(await scene.rows('select count(*) from findings')).toEqual(before);
});
