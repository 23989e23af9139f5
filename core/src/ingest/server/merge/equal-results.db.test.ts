import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createImportScene, type ImportScene } from '../../../testing/import-scene.ts';
import { code, openReportTools, report } from '../../../testing/line-report.ts';

// what is equal to a known finding is never staged: what the merge has to know of it must come another way
let scene: ImportScene;
let repositoryId: string;
beforeAll(async () => {
  scene = await createImportScene(await openReportTools());
});
afterAll(() => scene.test.drop());
beforeEach(async (context) => {
  repositoryId = await scene.addRepository(context.task.name);
});

const upload = (...records: Parameters<typeof report>) => scene.import('scanner', report(...records), repositoryId);
const policies = async (): Promise<unknown[]> =>
  (
    await scene.rows<{ name: unknown }>(
      `select distinct u.rule_id, u.policy ->> 'name' as name from finding_definitions u join findings f on f.client_id = u.client_id and f.definition_id = u.id
       where f.repository_id = $1 and f.status <> 'mitigated' order by u.rule_id`,
      [repositoryId],
    )
  ).map((row) => row.name);

test('a rule keeps its policy when all its results are equal, and takes the newest one when they are not', async () => {
  const one = code('kept', 'a.js', 3, 'one()', { policy: { name: 'first' } });
  const two = code('kept', 'b.js', 3, 'two()', { policy: { name: 'second' } });
  const plain = code('plain', 'a.js', 9, 'three()');
  await upload(one, two, plain);
  expect(await policies()).toEqual(['first', null]);
  expect(await upload(one, two, plain)).toMatchObject({ unchanged: 3, new: 0 });
  expect(await policies()).toEqual(['first', null]);
  // the first of a report speaks for the rule, also where only another one has changed
  await upload(one, { ...two, severity: 'low' }, plain);
  expect(await policies()).toEqual(['first', null]);
  await upload({ ...two, policy: { name: 'third' } }, one, plain);
  expect(await policies()).toEqual(['third', null]);
});

test('a file that still has an equal result was not renamed', async () => {
  const stays = code('rule', 'src/old.js', 3, 'stays(here)');
  await upload(stays, code('rule', 'src/old.js', 30, 'moves(away)'));
  // copied into another file and gone from the first one, which is still there
  const counts = await upload(stays, code('rule', 'src/new.js', 30, 'moves(away)'));
  expect(counts).toMatchObject({ unchanged: 1, new: 1, closed: 1 });
  // without anything left in the first file it was renamed
  expect(
    await upload(code('rule', 'src/other.js', 3, 'stays(here)'), code('rule', 'src/new.js', 30, 'moves(away)')),
  ).toMatchObject({ unchanged: 2, new: 0, closed: 0 });
});
