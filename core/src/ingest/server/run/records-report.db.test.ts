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

test('a rule that could not be evaluated neither opens nor closes its findings; the others are closed', async () => {
  const unchecked = (...rules: string[]) => JSON.stringify({ kind: 'coverage', unchecked: rules });
  await importPulled([finding('X'), finding('Y'), finding('Z')].join('\n'));
  const partial = await importPulled([unchecked('X', 'never seen'), finding('Y')].join('\n'));
  expect(partial).toMatchObject({ outcome: 'done', counts: { total: 1, unchanged: 1, closed: 1, unreadable: 0 } });
  const open = await scene.rows(
    `select d.rule_id from findings f join finding_definitions d on d.client_id = f.client_id and d.id = f.definition_id
      where f.status <> 'mitigated' order by 1`,
  );
  expect(open).toEqual([{ rule_id: 'X' }, { rule_id: 'Y' }]);
  // one of them is seen again, and is right now
  expect(await importPulled(unchecked('Y'))).toMatchObject({ counts: { total: 0, closed: 1 } });
  const wrong = await importPulled(`{"kind":"coverage","unchecked":[""]}\n{"kind":"coverage","types":["SAST"]}`);
  expect(wrong).toMatchObject({ counts: { closed: 0, unreadable: 2 } });
  expect(await importPulled('')).toMatchObject({ counts: { closed: 1 } });
});

test('a record of more than 8 MB ends the import, and nothing is changed', async () => {
  const before = await scene.rows('select count(*) from findings');
  const outcome = await importPulled(finding('A', { description: 'x'.repeat(9 * 1024 * 1024) }));
  expect(outcome).toMatchObject({ outcome: 'failed', failure: { code: 'report_too_complex' } });
  expect(await scene.rows('select count(*) from findings')).toEqual(before);
});
