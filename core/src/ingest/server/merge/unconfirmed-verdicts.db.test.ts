import { afterAll, beforeAll, expect, test } from 'vitest';
import { createImportScene, type ImportScene } from '../../../testing/import-scene.ts';
import { code, openReportTools, report } from '../../../testing/line-report.ts';
import { enqueueUndo } from '../scans/undo-scan.ts';

let scene: ImportScene;
beforeAll(async () => {
  scene = await createImportScene(await openReportTools());
});
afterAll(() => scene.test.drop());

const PERSON = '0192f000-0000-7000-8000-000000000001';

/** A result of which the report shows no code. */
const bare = (rule: string, line: number, more: object = {}) =>
  code(rule, 'a.js', line, '', { description: 'Says what is wrong', ...more });

let repositoryId: string;
/** Imports a first report, gives its findings of `rule` a verdict as a person does, and imports the second. */
const afterVerdict = async (
  name: string,
  { first, second, branch, verdict = 'false_positive' }: Record<'first' | 'second', string> & Record<string, string>,
) => {
  repositoryId = await scene.addRepository(name);
  await scene.import('scanner', first, repositoryId);
  await scene.rows(
    `with judged as (
       update findings f set verdict = $2 from finding_definitions u
       where f.repository_id = $1 and u.id = f.definition_id and u.rule_id = 'rule' returning f.client_id, f.id
     )
     insert into finding_events (client_id, finding_id, kind, actor, from_value, to_value)
     select client_id, id, 'verdict', $3::uuid, 'none', $2 from judged`,
    [repositoryId, verdict, PERSON],
  );
  const scanId = await scene.store('scanner', second, repositoryId, branch);
  expect(await scene.run(scanId)).toMatchObject({ outcome: 'done' });
  return scanId;
};

const marks = async () =>
  scene.rows<{ verdict: string; needs_confirmation: boolean; line: number }>(
    `select f.verdict, f.needs_confirmation, l.start_line as line from findings f
     join finding_definitions u on u.id = f.definition_id join finding_locations l on l.finding_id = f.id
     where (f.repository_id = $1 or f.repository_id in (select id from repository_branches where repository_id = $1))
       and u.rule_id = 'rule' and f.status <> 'mitigated' order by f.id`,
    [repositoryId],
  );
const reasons = async () =>
  (
    await scene.rows<{ reason: string }>(
      `select e.reason from finding_events e join findings f on f.id = e.finding_id
       where e.actor is null and e.kind = 'verdict' and f.repository_id = $1 order by e.at, e.id`,
      [repositoryId],
    )
  ).map((event) => event.reason);

const CARRIED = [{ verdict: 'false_positive', needs_confirmation: true, line: 14 }];

test('a verdict that only a line close by carries over has to be confirmed, once, and its history says so', async () => {
  await afterVerdict('moved', { first: report(bare('rule', 10)), second: report(bare('rule', 14)) });
  expect(await marks()).toEqual(CARRIED);
  expect(await reasons()).toEqual(['Carried over by its position alone from line 10 to 14, please confirm']);
  await scene.import('scanner', report(bare('rule', 14), bare('other', 3)), repositoryId);
  await scene.import('scanner', report(bare('rule', 16), bare('other', 3)), repositoryId);
  expect(await marks()).toEqual([{ ...CARRIED[0], line: 16 }]);
  expect(await reasons()).toHaveLength(1);
});

test.each([
  ['stays where it is', [bare('rule', 10)], [bare('rule', 10), bare('other', 90)]],
  ['is another severity', [bare('rule', 10)], [bare('rule', 10, { severity: 'low' })]],
  [
    'moves with the rest of its file',
    [bare('rule', 10), code('steady', 'a.js', 5, 'steady()'), code('also', 'a.js', 50, 'also()')],
    [bare('rule', 14), code('steady', 'a.js', 9, 'steady()'), code('also', 'a.js', 54, 'also()')],
  ],
  ['shows its code', [code('rule', 'a.js', 10, 'exec(command)')], [code('rule', 'a.js', 14, 'exec(command)')]],
  [
    'shows code that was edited',
    [code('rule', 'a.js', 10, 'exec(command, done)')],
    [code('rule', 'a.js', 10, 'exec(command, options, done)')],
  ],
])('a result that %s needs nobody to confirm its verdict', async (name, first, second) => {
  await afterVerdict(name, { first: report(...first), second: report(...second) });
  expect(await marks()).toMatchObject([{ verdict: 'false_positive', needs_confirmation: false }]);
});

test('another message on the same line, where no code is shown, has to be confirmed', async () => {
  const second = report(bare('rule', 10, { description: 'Another name is tainted' }));
  await afterVerdict('message', { first: report(bare('rule', 10)), second });
  expect(await marks()).toEqual([{ verdict: 'false_positive', needs_confirmation: true, line: 10 }]);
  expect(await reasons()).toEqual(['Carried over by its position alone, please confirm']);
});

test('where one report alone shows code, the verdict on that line has to be confirmed', async () => {
  await afterVerdict('half', { first: report(bare('rule', 10)), second: report(code('rule', 'a.js', 10, 'eval(x)')) });
  expect(await marks()).toEqual([{ verdict: 'false_positive', needs_confirmation: true, line: 10 }]);
});

test('what has no verdict, or one that the report says itself, is not marked', async () => {
  await afterVerdict('none', { first: report(bare('rule', 10)), second: report(bare('rule', 14)), verdict: 'none' });
  expect(await marks()).toEqual([{ verdict: 'none', needs_confirmation: false, line: 14 }]);
  const suppressed = { suppressed: { verdict: 'false_positive', reason: 'In the code' } };
  await afterVerdict('own', { first: report(bare('rule', 10)), second: report(bare('rule', 14, suppressed)) });
  expect(await marks()).toEqual([{ verdict: 'false_positive', needs_confirmation: false, line: 14 }]);
});

test('a closed finding that comes back close by has to be confirmed', async () => {
  await afterVerdict('back', { first: report(bare('rule', 10)), second: report(code('other', 'b.js', 1, 'x()')) });
  await scene.rows(`update findings set status = 'mitigated' where repository_id = $1`, [repositoryId]);
  await scene.import('scanner', report(bare('rule', 14), code('other', 'b.js', 1, 'x()')), repositoryId);
  expect(await marks()).toEqual(CARRIED);
});

test('a verdict of another branch that a line close by carries over has to be confirmed there', async () => {
  await afterVerdict('branch', { first: report(bare('rule', 10)), second: report(bare('rule', 14)), branch: 'topic' });
  expect(await marks()).toEqual([{ verdict: 'false_positive', needs_confirmation: false, line: 10 }, ...CARRIED]);
});

test('who undoes the scan that carried a verdict over is not asked about it any more', async () => {
  const scanId = await afterVerdict('undone', { first: report(bare('rule', 10)), second: report(bare('rule', 14)) });
  expect(await marks()).toEqual(CARRIED);
  const { database } = scene.test;
  const jobs = { enqueue: async () => 'job' };
  const undo = await database.forClient(scene.clientId, (db) =>
    enqueueUndo(db, jobs, { clientId: scene.clientId, scanId, userId: PERSON }),
  );
  expect(await scene.run(undo)).toMatchObject({ outcome: 'done' });
  expect(await marks()).toEqual([{ verdict: 'false_positive', needs_confirmation: false, line: 10 }]);
  expect((await reasons()).at(-1)).toBe('The scan that had carried it over was undone');
});
