import type { ReportCoverage } from '@breakwater/sdk';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createImportScene, type ImportScene } from '../../../testing/import-scene.ts';
import { code, openReportTools, report } from '../../../testing/line-report.ts';
import { enqueueSettlement, enqueueUndo } from '../scans/undo-scan.ts';

let scene: ImportScene;
let repositoryId: string;
beforeAll(async () => {
  scene = await createImportScene(await openReportTools());
});
afterAll(() => scene.test.drop());
beforeEach(async (context) => {
  repositoryId = await scene.addRepository(context.task.name);
});

const USER = '0192f000-0000-7000-8000-000000000001';
/** The importer whose reports do not say what they are about. */
const SILENT = 'silent';

interface ScanRow {
  id: string;
  status: string;
  counts: { new: number; closed: number; held: number; held_components: number; total: number; unchanged: number };
  incomplete: string[];
}
const scanOf = async (id: string): Promise<ScanRow> =>
  (await scene.rows<ScanRow>('select id, status, counts, incomplete from scans where id = $1', [id]))[0]!;
const upload = async (text: string, change = '', values: unknown[] = []): Promise<ScanRow> => {
  const id = await scene.store(SILENT, text, repositoryId);
  if (change !== '') await scene.rows(`update scans set ${change} where id = $1`, [id, ...values]);
  expect(await scene.run(id)).toMatchObject({ outcome: 'done' });
  return scanOf(id);
};
const uploadPart = (part: string, text: string) => upload(text, 'part = $2', [part]);
const result = (rule: string, path = `src/${rule}.js`) => code(rule, path, 10, `use(${rule})`);
const folder = (name: string): ReportCoverage => ({ kind: 'coverage', part: { folder: name } });
const files = (...names: string[]): ReportCoverage => ({ kind: 'coverage', files: names });
const dated = (date: string) => ({ kind: 'report', date }) as const;
const failure = (why: string) => ({ kind: 'failure', why }) as const;
const open = async (): Promise<string[]> =>
  (
    await scene.rows<{ rule: string }>(
      `select u.rule_id as rule from findings f join finding_definitions u on u.client_id = f.client_id and u.id = f.definition_id
       where f.repository_id = $1 and f.status <> 'mitigated' order by 1`,
      [repositoryId],
    )
  ).map(({ rule }) => rule);
const parts = async () =>
  (
    await scene.rows<{ part: string }>('select part from scan_scopes where repository_id = $1 order by 1', [
      repositoryId,
    ])
  ).map(({ part }) => part);
const jobs = { enqueue: async () => undefined };
const settle = async (scanId: string, decision: 'confirm' | 'split', part?: string): Promise<ScanRow> => {
  const { clientId } = scene;
  const id = await scene.test.database.forClient(clientId, (db) =>
    enqueueSettlement(db, jobs, { clientId, scanId, userId: USER, decision, part }),
  );
  expect(await scene.run(id)).toMatchObject({ outcome: 'done' });
  return scanOf(id);
};
const undo = async (scanId: string): Promise<void> => {
  const { clientId } = scene;
  const id = await scene.test.database.forClient(clientId, (db) =>
    enqueueUndo(db, jobs, { clientId, scanId, userId: USER }),
  );
  expect(await scene.run(id)).toMatchObject({ outcome: 'done' });
};

test('reports on two parts do not close each other, and each closes what is gone in its own', async () => {
  await upload(report(folder('a'), result('a1'), result('a2')));
  await upload(report(folder('b'), result('b1'), result('b2')));
  expect(await open()).toEqual(['a1', 'a2', 'b1', 'b2']);
  expect((await upload(report(folder('a'), result('a2')))).counts).toMatchObject({ closed: 1, unchanged: 1, held: 0 });
  expect((await upload(report(folder('b')))).counts).toMatchObject({ closed: 2, held: 0 });
  expect(await open()).toEqual(['a2']);
  expect(await parts()).toEqual(['folder a', 'folder b']);
});

test('the part that the sender names counts before the report’s own', async () => {
  await uploadPart('back end', report(result('a1')));
  await uploadPart('front end', report(folder('x'), result('b1')));
  await uploadPart('front end', report(folder('y'), result('b2')));
  expect(await open()).toEqual(['a1', 'b2']);
  expect(await parts()).toEqual(['back end', 'front end']);
});

test('a name of a part that the parser does not declare is ignored', async () => {
  await upload(report({ kind: 'coverage', part: { run: '1' } } as ReportCoverage, result('a1'), result('a2')));
  await upload(report({ kind: 'coverage', part: { run: '2' } } as ReportCoverage, result('a1')));
  expect(await parts()).toEqual(['']);
  expect(await open()).toEqual(['a1']);
});

test('a report closes only below the folder that its files have in common', async () => {
  const [a, b] = [result('a', 'one/a.js'), result('b', 'two/b.js')];
  await upload(report(files('one/a.js', 'one/x/c.js'), a));
  expect((await upload(report(files('two/b.js', 'two/d.js'), b))).counts).toMatchObject({ new: 1, closed: 0, held: 0 });
  expect((await upload(report(files('one/a.js', 'one/x/c.js')))).counts).toMatchObject({ closed: 1 });
  expect(await open()).toEqual(['b']);
  // `two` is no folder of `two-more`
  expect((await upload(report(files('tw/e.js', 'tw/f.js')))).counts).toMatchObject({ closed: 0, held: 0 });
  // the file is gone, its folder was scanned
  expect((await upload(report(files('two/d.js', 'two/e.js')))).counts).toMatchObject({ closed: 1 });
});

test('a file that is the same in two folders stays a finding of both', async () => {
  const copy = (path: string) => code('same', path, 3, 'query(everything, of, it)');
  await upload(report(files('one/a.js', 'one/b.js'), copy('one/a.js')));
  expect((await upload(report(files('two/a.js', 'two/b.js'), copy('two/a.js')))).counts).toMatchObject({ new: 1 });
  expect(await open()).toEqual(['same', 'same']);
});

test('where the part is not known and most would close, the closing is held back until it is confirmed', async () => {
  await upload(report(result('a'), result('b'), result('c')));
  const held = await upload(report(result('c'), result('d')));
  expect(held).toMatchObject({ status: 'done', counts: { new: 1, unchanged: 1, closed: 0, held: 2 } });
  expect(await open()).toEqual(['a', 'b', 'c', 'd']);
  const confirmed = await settle(held.id, 'confirm');
  expect(confirmed.counts).toMatchObject({ closed: 2, held: 0 });
  expect(await open()).toEqual(['c', 'd']);
  await expect(settle(held.id, 'confirm')).rejects.toMatchObject({ code: 'conflict' });
  await undo(confirmed.id);
  expect(await open()).toEqual(['a', 'b', 'c', 'd']);
  await settle(held.id, 'confirm');
  expect(await open()).toEqual(['c', 'd']);
});

test('where at most half would close, the report closes it', async () => {
  await upload(report(result('a'), result('b')));
  expect((await upload(report(result('b')))).counts).toMatchObject({ closed: 1, held: 0 });
});

test('a decision waits for no newer import', async () => {
  await upload(report(result('a')));
  const held = await upload(report(result('b')));
  await upload(report(result('a'), result('b')));
  await expect(settle(held.id, 'confirm')).rejects.toMatchObject({ code: 'conflict' });
});

test('a report that is split off has a part of its own, and later ones are known by what they repeat', async () => {
  await upload(report(result('a1'), result('a2'), result('a3')));
  const held = await upload(report(result('b1'), result('b2')));
  expect(held.counts.held).toBe(3);
  const split = await settle(held.id, 'split', 'B');
  expect(split.counts).toMatchObject({ new: 0, unchanged: 2, closed: 0 });
  expect(await parts()).toEqual(['', 'B']);
  expect((await upload(report(result('b1'), result('b3')))).counts).toMatchObject({
    new: 1,
    unchanged: 1,
    closed: 1,
    held: 0,
  });
  expect((await upload(report(result('a1'), result('a2')))).counts).toMatchObject({ unchanged: 2, closed: 1, held: 0 });
  expect(await open()).toEqual(['a1', 'a2', 'b1', 'b3']);
});

test('a split that is undone leaves the findings where they were, to be confirmed', async () => {
  await upload(report(result('a1'), result('a2'), result('a3')));
  const held = await upload(report(result('b1')));
  const split = await settle(held.id, 'split', 'B');
  await undo(split.id);
  expect(await open()).toEqual(['a1', 'a2', 'a3', 'b1']);
  await settle(held.id, 'confirm');
  expect(await open()).toEqual(['b1']);
});

test('findings from before the part was known go on in it, with their verdicts', async () => {
  await upload(report(result('a1'), result('a2'), result('a3')));
  await scene.rows(`update findings set verdict = 'false_positive' where repository_id = $1`, [repositoryId]);
  expect((await upload(report(folder('a'), result('a1'), result('a2')))).counts).toMatchObject({ new: 0, closed: 1 });
  expect(await parts()).toEqual(['folder a']);
  expect((await upload(report(folder('b'), result('b1'), result('a3')))).counts).toMatchObject({ new: 1, closed: 0 });
  const verdicts = 'select distinct verdict from findings where repository_id = $1 order by 1';
  expect(await scene.rows(verdicts, [repositoryId])).toEqual([{ verdict: 'false_positive' }, { verdict: 'none' }]);
});

test('of a scope that was of several parts a part takes only what it repeats', async () => {
  await upload(report(result('a1'), result('b1'), result('b2'), result('b3')));
  expect((await upload(report(folder('a'), result('a1'), result('a2')))).counts).toMatchObject({
    new: 1,
    unchanged: 1,
    closed: 0,
  });
  expect(await open()).toEqual(['a1', 'a2', 'b1', 'b2', 'b3']);
  expect(await parts()).toEqual(['', 'folder a']);
});

test('a failed scan is incomplete: what was read is imported, nothing is closed, the reasons are kept', async () => {
  await upload(report(folder('a'), result('a'), result('b')));
  const failed = await upload(
    report(folder('a'), failure('Parse error in\n src/b.js'), result('c'), failure('Parse error in src/b.js')),
  );
  expect(failed).toMatchObject({
    status: 'incomplete',
    incomplete: ['Parse error in src/b.js'],
    counts: { new: 1, closed: 0 },
  });
  expect(await open()).toEqual(['a', 'b', 'c']);
  expect(await upload(report(folder('a'), failure('Killed')))).toMatchObject({ status: 'incomplete' });
  const whole = await upload(report(folder('a'), result('c')));
  expect(whole).toMatchObject({ status: 'done', counts: { closed: 2 } });
  await undo(whole.id);
  expect(await open()).toEqual(['a', 'b', 'c']);
});

test('an older report after a newer one changes nothing and stays in the history', async () => {
  const [first, second] = [dated('2026-01-01T10:00:00Z'), dated('2026-01-02T10:00:00Z')];
  await upload(report(folder('a'), second, result('a'), result('b')));
  const older = await upload(report(folder('a'), first, result('a'), result('gone')));
  expect(older).toMatchObject({ status: 'outdated', counts: { total: 2, new: 0, unchanged: 0, closed: 0 } });
  expect(await open()).toEqual(['a', 'b']);
  // of another part it is the newest
  expect(await upload(report(folder('b'), first, result('c')))).toMatchObject({ status: 'done' });
  const wanted = await upload(report(folder('a'), first, result('a'), result('gone')), 'accept_older = true');
  expect(wanted).toMatchObject({ status: 'done', counts: { new: 1, closed: 1 } });
  expect(await open()).toEqual(['a', 'c', 'gone']);
  await undo(wanted.id);
  expect(await open()).toEqual(['a', 'b', 'c']);
  expect(await upload(report(folder('a'), first, result('a')))).toMatchObject({ status: 'outdated' });
});

test('a report of the same time, of none, or of a clock that runs ahead is no older one', async () => {
  const at = dated('2026-01-02T10:00:00Z');
  await upload(report(folder('a'), at, result('a')));
  expect(await upload(report(folder('a'), at, result('b')))).toMatchObject({ status: 'done' });
  expect(await upload(report(folder('a'), result('c')))).toMatchObject({ status: 'done' });
  expect(await upload(report(folder('a'), dated('2999-01-01T00:00:00Z'), result('d')))).toMatchObject({
    status: 'done',
  });
  expect(await upload(report(folder('a'), dated('2026-01-03T00:00:00Z'), result('e')))).toMatchObject({
    status: 'done',
  });
  expect(await upload(report(folder('a'), dated('2025-01-03T00:00:00Z'), result('f')))).toMatchObject({
    status: 'outdated',
  });
});

test('inventories of two applications stay apart, and of no known one most is not removed unasked', async () => {
  const component = (name: string) => ({ kind: 'component', ref: name, name, version: '1' }) as const;
  const listed = async () =>
    (
      await scene.rows<{ name: string }>(
        'select name from components where repository_id = $1 and removed_at is null order by name',
        [repositoryId],
      )
    ).map(({ name }) => name);
  await upload(report(folder('a'), component('x'), component('y'), component('z')));
  await upload(report(folder('b'), component('q')));
  expect(await listed()).toEqual(['q', 'x', 'y', 'z']);
  await upload(report(component('l'), component('m'), component('n')));
  const held = await upload(report(component('o')));
  expect(held.counts).toMatchObject({ held_components: 3 });
  expect(await listed()).toEqual(['l', 'm', 'n', 'o', 'q', 'x', 'y', 'z']);
  await settle(held.id, 'split', 'O');
  expect(await listed()).toEqual(['l', 'm', 'n', 'o', 'q', 'x', 'y', 'z']);
  await upload(report(folder('a'), component('x')));
  expect(await listed()).toEqual(['l', 'm', 'n', 'o', 'q', 'x']);
});

test('of a kind that the report has none of nothing is closed unasked, unless it says that it looked', async () => {
  const weak = (rule: string) => code(rule, 'a.lock', 1, rule, { type: 'SCA' });
  const secret = (rule: string) => code(rule, 'a.env', 1, rule, { type: 'Secrets' });
  await upload(report(folder('a'), weak('w1'), weak('w2'), secret('s1')));
  const vulnerabilities = await upload(report(folder('a'), weak('w1')));
  expect(vulnerabilities.counts).toMatchObject({ closed: 1, held: 1 });
  expect(await open()).toEqual(['s1', 'w1']);
  expect((await upload(report(folder('a'), secret('s1')))).counts).toMatchObject({ closed: 0, held: 1 });
  const looked = { kind: 'coverage', types: ['Secrets', 'SCA'] } as const;
  expect((await upload(report(folder('a'), looked, weak('w1')))).counts).toMatchObject({ closed: 1, held: 0 });
});

test('a report without any result is about the only part there is', async () => {
  await upload(report(folder('a'), result('a1')));
  const held = await upload(report());
  expect(held.counts).toMatchObject({ closed: 0, held: 1 });
  await settle(held.id, 'confirm');
  expect(await open()).toEqual([]);
});
