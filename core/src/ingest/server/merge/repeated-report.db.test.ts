import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateOpengrep } from '../../../../../benchmarks/generate-opengrep.ts';
import { createImportScene, type ImportScene } from '../../../testing/import-scene.ts';
import { enqueueUndo } from '../scans/undo-scan.ts';

let scene: ImportScene;
beforeAll(async () => {
  scene = await createImportScene();
});
afterAll(() => scene.test.drop());

const CODE = 'one start of the server';
const report = (results: number): string => [...generateOpengrep({ results, rules: 5, files: 10 })].join('');
const [FIRST, OTHER] = [report(60), report(50)];

/** Imports a report; says what it came to and whether it was read. */
const send = async (text: string, codeId = CODE, repository?: string) => {
  const id = await scene.store('opengrep', text, repository);
  const outcome = await scene.run(id, codeId);
  if (outcome.outcome !== 'done') throw new Error(JSON.stringify(outcome));
  return { id, counts: outcome.counts, isRead: 'read and stage' in outcome.phases };
};
const unchanged = (total: number) => ({ total, new: 0, unchanged: total, reopened: 0, closed: 0 });
const written = () =>
  scene.rows<{ at: string }>('select max(xmin::text::bigint)::text as at from findings').then(([row]) => row?.at);

test('the report that the scope stands at is not read again, and says what reading it would say', async () => {
  const first = await send(FIRST);
  expect(first).toMatchObject({ isRead: true, counts: { new: 60 } });
  const before = await written();
  const again = await send(FIRST);
  expect(again.isRead).toBe(false);
  const read = await send(FIRST, 'another start of the server');
  expect(read.isRead).toBe(true);
  expect(again.counts).toEqual(read.counts);
  expect(again.counts).toMatchObject(unchanged(60));
  expect(await written()).toBe(before);
  const scans = await scene.rows<{ status: string; scope_id: number }>(
    'select status, scope_id from scans order by id',
  );
  expect(new Set(scans.map((scan) => `${scan.status} ${scan.scope_id}`)).size).toBe(1);
});

test('it is read where another report came since, even one that was uploaded before', async () => {
  await send(FIRST);
  const waiting = await scene.store('opengrep', OTHER);
  expect(await send(FIRST)).toMatchObject({ isRead: false });
  expect(await scene.run(waiting, CODE)).toMatchObject({ outcome: 'done', counts: { total: 50, closed: 10 } });
  expect(await send(FIRST)).toMatchObject({ isRead: true, counts: { reopened: 10 } });
  expect(await send(OTHER)).toMatchObject({ isRead: true, counts: { closed: 10 } });
  expect(await send(OTHER)).toMatchObject({ isRead: false, counts: unchanged(50) });
});

test('it is read after an import was taken back', async () => {
  await send(OTHER);
  const newest = await send(FIRST);
  const ordered = await scene.test.database.forClient(scene.clientId, (db) =>
    enqueueUndo(db, { enqueue: async () => 'job' }, { clientId: scene.clientId, scanId: newest.id, userId: newest.id }),
  );
  expect(await scene.run(ordered, CODE)).toMatchObject({ outcome: 'done' });
  expect(await send(FIRST)).toMatchObject({ isRead: true, counts: { total: 60 } });
  expect(await send(FIRST)).toMatchObject({ isRead: false });
});

test('it is read where a finding was closed by hand or an acceptance has expired', async () => {
  await send(FIRST);
  await scene.rows(`update findings set status = 'mitigated', closed_at = now()
    where id in (select id from findings where status <> 'mitigated' limit 1)`);
  expect(await send(FIRST)).toMatchObject({ isRead: true, counts: { reopened: 1 } });
  expect(await send(FIRST)).toMatchObject({ isRead: false });
  await scene.rows(`update findings set verdict = 'accepted_risk', verdict_expires_at = now() - interval '1 day'
    where id in (select id from findings where status <> 'mitigated' limit 1)`);
  expect(await send(FIRST)).toMatchObject({ isRead: true });
  const [expired] = await scene.rows("select 1 from findings where verdict = 'accepted_risk'");
  expect(expired).toBeUndefined();
});

test('another repository, another view of its data and another branch are read on their own', async () => {
  const other = await scene.addRepository('other');
  await send(FIRST);
  expect(await send(FIRST, CODE, other)).toMatchObject({ isRead: true, counts: { new: 60 } });
  expect(await send(FIRST, CODE, other)).toMatchObject({ isRead: false });
  await scene.rows(`update repositories set exposure = 'internet', data_class = 'sensitive' where id = $1`, [other]);
  expect(await send(FIRST, CODE, other)).toMatchObject({ isRead: true });
  const branch = await scene.store('opengrep', FIRST, other, 'feature/x');
  expect(await scene.run(branch, CODE)).toMatchObject({ outcome: 'done', counts: { new: 60 } });
});

test('of a tool that is new in the repository long text is stored while the report is read', async () => {
  const fresh = await scene.addRepository('fresh');
  expect((await send(FIRST, CODE, fresh)).counts.new).toBe(60);
  const [stored] = await scene.rows<{ found: number; orphans: number }>(
    `select (select count(*)::integer from finding_details d join findings f on f.id = d.finding_id where f.repository_id = $1 and d.code <> '') as found,
      (select count(*)::integer from finding_details d where not exists (select 1 from findings f where f.id = d.finding_id)) as orphans`,
    [fresh],
  );
  expect(stored).toEqual({ found: 60, orphans: 0 });
});

test('two first imports at once keep the long text of each finding once', async () => {
  const fresh = await scene.addRepository('twins');
  const scans = await Promise.all([FIRST, OTHER].map((text) => scene.store('opengrep', text, fresh)));
  await Promise.all(scans.map((scan) => scene.run(scan, CODE)));
  const [stored] = await scene.rows<{ findings: number; details: number; orphans: number }>(
    `select (select count(*)::integer from findings where repository_id = $1) as findings,
      (select count(*)::integer from finding_details d join findings f on f.id = d.finding_id where f.repository_id = $1) as details,
      (select count(*)::integer from finding_details d where not exists (select 1 from findings f where f.id = d.finding_id)) as orphans`,
    [fresh],
  );
  expect(stored).toEqual({ findings: 60, details: 60, orphans: 0 });
});
