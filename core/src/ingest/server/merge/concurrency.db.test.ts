import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NormalizedFinding } from '@breakwater/sdk';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { applyChange } from '../../../findings/model/apply-change.ts';
import type { FindingChange } from '../../../findings/model/change.ts';
import { decide } from '../../../findings/server/verdicts/decide.ts';
import { lockFindings } from '../../../findings/server/verdicts/stored-decisions.ts';
import { createImportScene, type ImportScene } from '../../../testing/import-scene.ts';
import { code, openReportTools, report } from '../../../testing/line-report.ts';
import { findRollupDifferences } from '../../../testing/snapshot.ts';
import { LOCK_REPOSITORY } from '../stage/merge-context.ts';

let scene: ImportScene;
let repositoryId: string;
/** Of the repository, in order of their ids and of the report. */
let ids: string[];

const NAMES = ['a', 'b', 'c', 'd'];
const at = (line: number, names = NAMES, more: Partial<NormalizedFinding> = {}) =>
  report(...names.map((name) => code(name, `${name}.js`, line, `${name}()`, more)));
const importInto = async (target: string, text: string): Promise<string> => {
  const outcome = await scene.run(await scene.store('scanner', text, target));
  return outcome.outcome;
};

beforeAll(async () => {
  scene = await createImportScene(await openReportTools());
});
afterAll(() => scene.test.drop());
beforeEach(async () => {
  repositoryId = await scene.addRepository(randomUUID());
  await scene.import('scanner', at(1), repositoryId);
  const rows = await scene.rows<{ id: string }>('select id from findings where repository_id = $1 order by id', [
    repositoryId,
  ]);
  ids = rows.map((row) => row.id);
});

const verdict = (of: readonly string[], value: 'false_positive' | 'valid', reason: string) => {
  const change: FindingChange = { verdict: { value, reason } };
  return scene.test.database.forClient(scene.clientId, (db) =>
    decide(db, {
      viewer: { clientId: scene.clientId, userId: randomUUID(), seesAll: true },
      ids: of,
      changeId: null,
      apply: (now) => applyChange(now, change),
    }),
  );
};
const stateOf = async (id: string | undefined) =>
  (
    await scene.rows<{ status: string; verdict: string; line: number; verdict_reason: string | null }>(
      `select f.status, f.verdict, l.start_line as line, d.verdict_reason
       from findings f join finding_details d on d.client_id = f.client_id and d.finding_id = f.id
       left join finding_locations l on l.client_id = f.client_id and l.finding_id = f.id where f.id = $1`,
      [id],
    )
  )[0];

/** Waits until some session waits for a lock while `holder` holds one. */
const untilBlocked = async (count = 1): Promise<void> => {
  for (;;) {
    const [row] = await scene.rows<{ waiting: number }>(
      `select count(*)::integer as waiting from pg_stat_activity
       where datname = current_database() and application_name = 'breakwater-import' and wait_event_type = 'Lock'`,
    );
    if ((row?.waiting ?? 0) >= count) return;
    await sleep(20);
  }
};

/** Holds a row in an open transaction while `work` runs, and lets it go. */
const holding = async (statement: string, values: unknown[], work: (holder: pg.PoolClient) => Promise<void>) => {
  const holder = await scene.test.owner.connect();
  try {
    await holder.query('begin');
    await holder.query(statement, values);
    await work(holder);
    await holder.query('commit');
  } finally {
    holder.release();
  }
};
/** An import writes it last: whoever waits for it has written and locked all else. */
const LOCK_LAST_ROW = 'select from repositories where id = $1 for no key update';

test('while one repository is merged into, another one of the organisation is imported to its end', async () => {
  const second = await scene.addRepository(randomUUID());
  let first: Promise<string> | undefined;
  await holding(LOCK_LAST_ROW, [repositoryId], async () => {
    first = importInto(repositoryId, at(7));
    await untilBlocked();
    // the same definitions and files, other findings
    expect(await importInto(second, at(3))).toBe('done');
    expect(await importInto(second, at(5))).toBe('done');
  });
  expect(await first).toBe('done');
  expect(await stateOf(ids[0])).toMatchObject({ line: 7 });
  expect(await findRollupDifferences(scene)).toEqual([]);
});

test('two imports into one repository take turns, and the second sees what the first one wrote', async () => {
  const runs: Promise<string>[] = [];
  await holding(LOCK_REPOSITORY, [repositoryId], async () => {
    runs.push(importInto(repositoryId, at(7)), importInto(repositoryId, at(7)));
    await untilBlocked(2);
  });
  expect(await Promise.all(runs)).toEqual(['done', 'done']);
  const rows = await scene.rows('select from findings where repository_id = $1', [repositoryId]);
  expect(rows.length).toBe(NAMES.length);
  expect(await findRollupDifferences(scene)).toEqual([]);
});

test('a verdict does not wait for the import that is merged into its repository, unless it changes that very finding', async () => {
  let running: Promise<string> | undefined;
  let late: Promise<unknown> | undefined;
  await holding(LOCK_LAST_ROW, [repositoryId], async () => {
    // b is as it was, a and d have moved, c is gone
    const text = report(code('a', 'a.js', 7, 'a()'), code('b', 'b.js', 1, 'b()'), code('d', 'd.js', 7, 'd()'));
    running = importInto(repositoryId, text);
    await untilBlocked();
    await verdict([ids[1] ?? ''], 'false_positive', 'not reachable');
    expect(await stateOf(ids[1])).toMatchObject({ verdict: 'false_positive' });
    late = verdict([ids[0] ?? '', ids[2] ?? ''], 'valid', 'seen');
    await sleep(400);
    expect(await stateOf(ids[0])).toMatchObject({ verdict: 'none', line: 1 });
  });
  expect(await running).toBe('done');
  await late;
  expect(await stateOf(ids[0])).toMatchObject({ verdict: 'valid', line: 7, verdict_reason: 'seen' });
  // closed by the import, judged after it
  expect(await stateOf(ids[2])).toMatchObject({ verdict: 'valid', status: 'mitigated' });
  expect(await findRollupDifferences(scene)).toEqual([]);
});

test('a false positive that is decided while its finding is about to be reopened stays closed to the queue', async () => {
  await scene.import('scanner', at(1, ['b', 'c', 'd']), repositoryId);
  expect(await stateOf(ids[0])).toMatchObject({ status: 'mitigated' });
  let running: Promise<string> | undefined;
  const decision = `with decided as (
      insert into finding_events (client_id, finding_id, kind, actor, from_value, to_value)
      select client_id, id, 'verdict', gen_random_uuid(), 'none', 'false_positive' from findings where id = $1
    ) update findings set verdict = 'false_positive' where id = $1`;
  await holding(decision, [ids[0]], async () => {
    running = importInto(repositoryId, at(1));
    await untilBlocked();
  });
  expect(await running).toBe('done');
  expect(await stateOf(ids[0])).toMatchObject({ status: 'enriched', verdict: 'false_positive' });
  expect(await findRollupDifferences(scene)).toEqual([]);
});

test('a verdict that is decided while the report reads its own is not written over', async () => {
  let running: Promise<string> | undefined;
  const decision = `with decided as (
      insert into finding_events (client_id, finding_id, kind, actor, from_value, to_value)
      select client_id, id, 'verdict', gen_random_uuid(), 'none', 'valid' from findings where id = $1
    ) update findings set verdict = 'valid' where id = $1`;
  const suppressed = report(
    code('a', 'a.js', 9, 'a()', { suppressed: { verdict: 'false_positive', reason: 'nosec' } }),
    ...NAMES.slice(1).map((name) => code(name, `${name}.js`, 1, `${name}()`)),
  );
  await holding(decision, [ids[0]], async () => {
    running = importInto(repositoryId, suppressed);
    await untilBlocked();
  });
  expect(await running).toBe('done');
  expect(await stateOf(ids[0])).toMatchObject({ verdict: 'valid', line: 9 });
});

test('a finding that is closed by hand while it moves stays closed, and counts are right', async () => {
  let running: Promise<string> | undefined;
  await holding(`update findings set status = 'mitigated', closed_at = now() where id = $1`, [ids[0]], async () => {
    running = importInto(repositoryId, at(1, ['b', 'c', 'd']));
    await untilBlocked();
  });
  expect(await running).toBe('done');
  const closings = await scene.rows(`select from finding_events where finding_id = $1 and kind = 'closed'`, [ids[0]]);
  expect(closings.length).toBe(0);
  expect(await findRollupDifferences(scene)).toEqual([]);
});

test('of an import and a decision that wait for each other the decision gives way, and is done after it', async () => {
  const [first = '', , , last = ''] = ids;
  let attempts = 0;
  let release: () => void = () => undefined;
  const isBlocked = new Promise<void>((resolve) => {
    release = resolve;
  });
  const decision = scene.test.database.forClient(scene.clientId, async (db) => {
    attempts += 1;
    // in another order than all code of ours locks: then each holds what the other one wants
    await lockFindings(db, { clientId: scene.clientId, ids: [last] });
    await isBlocked;
    await lockFindings(db, { clientId: scene.clientId, ids: [first] });
  });
  while (attempts === 0) await sleep(10);
  await sleep(100);
  // that a line moved alone would change no finding
  const running = importInto(repositoryId, at(7, NAMES, { severity: 'low' }));
  await untilBlocked();
  release();
  expect(await running).toBe('done');
  await decision;
  expect(attempts).toBeGreaterThan(1);
  const [scan] = await scene.rows<{ attempts: number }>(
    'select attempts from scans where repository_id = $1 order by id desc limit 1',
    [repositoryId],
  );
  expect(scan?.attempts).toBe(1);
  expect(await stateOf(first)).toMatchObject({ line: 7 });
});
