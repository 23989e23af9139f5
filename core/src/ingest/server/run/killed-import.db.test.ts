import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateOpengrep } from '../../../../../benchmarks/generate-opengrep.ts';
import type { JobQueue } from '../../../platform/server/jobs/define-job.ts';
import { createImportScene, type ImportScene } from '../../../testing/import-scene.ts';
import { findRollupDifferences, snapshot } from '../../../testing/snapshot.ts';
import { requeueInterruptedImports } from './requeue-imports.ts';

let scene: ImportScene;
beforeAll(async () => {
  scene = await createImportScene();
});
afterAll(() => scene.test.drop());

const CHILD = path.join(import.meta.dirname, '../../../testing/processes/import-child.ts');
const reportOf = (shift: number): string =>
  [...generateOpengrep({ results: 3_000, rules: 40, files: 200, shift })].join('');

/** Starts the import of a scan in a process of its own, and kills that once the scan has come to `status`. */
const killAt = async (scanId: string, status: 'parsing' | 'merging', afterMs: number): Promise<void> => {
  const child = spawn(process.execPath, [CHILD, scene.test.url, scene.clientId, scanId], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  for (;;) {
    const [row] = await scene.rows<{ status: string }>('select status from scans where id = $1', [scanId]);
    if (row?.status === status || row?.status === 'done') break;
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  child.kill('SIGKILL');
  await gone;
};

const untilDone = async (scanId: string): Promise<void> => {
  await expect
    .poll(async () => (await scene.run(scanId)).outcome, { timeout: 120_000, interval: 100 })
    .toSatisfy((outcome) => outcome === 'done' || outcome === 'over');
};

const cleanRun = async (): Promise<object> => {
  const repositoryId = await scene.addRepository('clean');
  for (const shift of [0, 4]) await scene.import('opengrep', reportOf(shift), repositoryId);
  return snapshot(scene, repositoryId);
};

test('an import that is killed and started again equals one clean run', async () => {
  const expected = await cleanRun();
  for (const [status, afterMs] of [
    ['parsing', 0],
    ['merging', 0],
    ['merging', 60],
  ] as const) {
    const repositoryId = await scene.addRepository(`killed while ${status} ${afterMs}`);
    for (const shift of [0, 4]) {
      const scanId = await scene.store('opengrep', reportOf(shift), repositoryId);
      await killAt(scanId, status, afterMs);
      await untilDone(scanId);
    }
    expect(await snapshot(scene, repositoryId)).toEqual(expected);
  }
  expect(await findRollupDifferences(scene)).toEqual([]);
  // else no process was killed in time, and this test shows nothing
  expect(await scene.rows('select 1 from scans where attempts > 1')).not.toEqual([]);
});

test('what a killed process left is enqueued again, and what runs is left alone', async () => {
  const repositoryId = await scene.addRepository('swept');
  const left = await scene.store('opengrep', reportOf(0), repositoryId);
  const running = await scene.store('opengrep', reportOf(4), repositoryId);
  await scene.rows(`update scans set status = 'merging', attempts = 1 where id = any($1)`, [[left, running]]);
  const holder = await scene.test.owner.connect();
  await holder.query('select pg_advisory_lock(hashtextextended($1, 0))', [running]);
  const enqueued: unknown[] = [];
  const jobs: Pick<JobQueue, 'enqueue'> = {
    enqueue: async (_db, _job, data) => {
      enqueued.push(data);
      return 'job';
    },
  };
  await expect.poll(() => requeueInterruptedImports(scene.test.database, jobs), { timeout: 120_000 }).toBe(1);
  expect(enqueued).toEqual([{ clientId: scene.clientId, scanId: left }]);
  expect(await scene.rows('select status from scans where id = any($1) order by id', [[left, running]])).toEqual([
    { status: 'queued' },
    { status: 'merging' },
  ]);
  await holder.query('select pg_advisory_unlock_all()');
  holder.release();
});

test('an import that was interrupted three times is given up', async () => {
  const scanId = await scene.store('opengrep', reportOf(0));
  await scene.rows('update scans set attempts = 3 where id = $1', [scanId]);
  expect(await scene.run(scanId)).toMatchObject({ outcome: 'failed', failure: { code: 'internal' } });
});
