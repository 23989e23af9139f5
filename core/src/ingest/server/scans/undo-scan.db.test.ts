import { afterAll, beforeEach, expect, test } from 'vitest';
import { createImportScene, type ImportScene } from '../../../testing/import-scene.ts';
import { openReportTools } from '../../../testing/line-report.ts';
import { listScans } from './list-scans.ts';
import { enqueueUndo } from './undo-scan.ts';

let scene: ImportScene;
beforeEach(async () => {
  await scene?.test.drop();
  scene = await createImportScene(await openReportTools());
});
afterAll(() => scene.test.drop());

const line = (rule: string, extra: object = {}) =>
  JSON.stringify({
    ...{ kind: 'finding', ruleId: rule, title: rule, type: 'SAST', severity: 'high' },
    locations: [{ path: `${rule}.ts`, startLine: 3, snippet: rule }],
    ...extra,
  });
const report = (...rules: string[]) => rules.map((rule) => line(rule)).join('\n');

const importScan = async (text: string, tool = 'scanner'): Promise<string> => {
  const id = await scene.store(tool, text);
  expect(await scene.run(id)).toMatchObject({ outcome: 'done' });
  return id;
};

/** Everything about the findings but their ids. */
const state = () =>
  scene.rows(
    `select u.rule_id, f.status, f.verdict, f.severity, l.start_line, f.is_duplicate, f.tags, f.closed_at is not null as is_closed
     from findings f join finding_definitions u on u.client_id = f.client_id and u.id = f.definition_id
     left join finding_locations l on l.client_id = f.client_id and l.finding_id = f.id order by u.rule_id, f.tool`,
  );
const counts = () =>
  scene.rows(`select s.status, s.verdict, sum(c.count)::integer as count from aggregate_cells c
    join aggregate_dispositions s on s.client_id = c.client_id and s.disposition = c.disposition
    group by 1, 2 having sum(c.count) <> 0 order by 1, 2`);

/** Which scans the list offers to undo, newest first. */
const undoable = async () => {
  const filter = { clientId: scene.clientId, onlyOwnedBy: null };
  const rows = await scene.test.database.forClient(scene.clientId, (db) =>
    listScans(db, filter, { offset: 0, pageSize: 50 }),
  );
  return rows.flatMap((row) => (row.undo_refusal === null ? [row.id] : []));
};

const undo = async (scanId: string) => {
  const queued: object[] = [];
  const jobs = {
    enqueue: async (_db: unknown, _job: unknown, data: object) => {
      queued.push(data);
      return 'job';
    },
  };
  const userId = '0192f000-0000-7000-8000-000000000001';
  const id = await scene.test.database.forClient(scene.clientId, (db) =>
    enqueueUndo(db, jobs, { clientId: scene.clientId, scanId, userId }),
  );
  expect(queued).toEqual([{ clientId: scene.clientId, scanId: id }]);
  return scene.run(id);
};

test('an undone import leaves everything as it was before', async () => {
  await importScan([line('A'), line('B'), line('C'), line('D')].join('\n'));
  await scene.rows(`update findings f set status = 'ready', tags = '{mine}' from finding_definitions u
    where u.id = f.definition_id and u.rule_id = 'B'`);
  const before = { state: await state(), counts: await counts() };
  const second = await importScan(
    [
      line('A', { severity: 'low' }),
      line('C', { locations: [{ path: 'C.ts', startLine: 90, snippet: 'C' }] }),
      line('E'),
    ].join('\n'),
  );
  expect(await state()).not.toEqual(before.state);
  expect(await undo(second)).toMatchObject({ outcome: 'done' });
  expect({ state: await state(), counts: await counts() }).toEqual(before);
  expect(await scene.rows('select status, detail from scans where id = $1', [second])).toEqual([
    { status: 'cancelled', detail: 'Undone.' },
  ]);
  expect(await scene.rows('select finding_id from finding_details except select id from findings')).toEqual([]);
});

test('undoing the first import leaves nothing, and the same report can come again', async () => {
  const text = report('A', 'B');
  const first = await importScan(text);
  expect(await undo(first)).toMatchObject({ outcome: 'done' });
  expect(await state()).toEqual([]);
  expect(await counts()).toEqual([]);
  await importScan(text);
  expect(await state()).toHaveLength(2);
});

test('what another tool reported stays, and is no duplicate of what is gone', async () => {
  const shared = { cwe: [79], locations: [{ path: 'a.ts', startLine: 3, snippet: 'x' }] };
  await importScan(line('A', shared));
  const alone = await state();
  const second = await importScan(line('Z', { ...shared, severity: 'critical' }), 'other');
  expect((await state()).some((row) => 'is_duplicate' in row && row.is_duplicate === true)).toBe(true);
  await undo(second);
  expect(await state()).toEqual(alone);
});

test('an older import waits for the newer ones; one is not undone twice', async () => {
  const first = await importScan(report('A'));
  const second = await importScan(report('A', 'B'));
  const other = await importScan(report('Z'), 'other');
  expect(await undoable()).toEqual([other, second]);
  await expect(undo(first)).rejects.toMatchObject({ code: 'conflict' });
  await undo(second);
  await expect(undo(second)).rejects.toMatchObject({ code: 'conflict' });
  expect(await undoable()).toEqual([other, first]);
  await undo(first);
  await undo(other);
  expect(await undoable()).toEqual([]);
  expect(await state()).toEqual([]);
});

test('a scan that is not there, or failed, cannot be undone', async () => {
  await expect(undo('0192f000-0000-7000-8000-000000000009')).rejects.toMatchObject({ code: 'scan_not_found' });
  const broken = await scene.store('scanner', 'BROKEN');
  await scene.run(broken);
  await expect(undo(broken)).rejects.toMatchObject({ code: 'conflict' });
});
