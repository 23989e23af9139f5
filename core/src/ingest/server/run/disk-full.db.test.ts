import os from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateOpengrep } from '../../../../../benchmarks/generate-opengrep.ts';
import { createImportScene, type ImportScene } from '../../../testing/import-scene.ts';
import { findRollupDifferences, snapshot } from '../../../testing/snapshot.ts';
import { DiskFull, requireSpace } from './disk-space.ts';

let scene: ImportScene;
beforeAll(async () => {
  scene = await createImportScene();
});
afterAll(() => scene.test.drop());

/** With a shift lines move and some results are gone. */
const reportOf = (shift: number): string =>
  [...generateOpengrep({ results: 300 - 5 * shift, rules: 10, files: 30, shift })].join('');

/** What PostgreSQL says when it cannot extend a file; `npm run soak -- disk` fills a real disk. */
const FULL = `
  create function disk_full() returns trigger language plpgsql as $$
  begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`;

test('an import on a full disk fails with the reason, changes nothing, and comes right once there is space', async () => {
  const clean = await scene.addRepository('clean');
  for (const shift of [0, 4]) await scene.import('opengrep', reportOf(shift), clean);
  const expected = await snapshot(scene, clean);
  await scene.rows(FULL);
  for (const table of ['findings', 'finding_locations', 'finding_events']) {
    const repositoryId = await scene.addRepository(`full at ${table}`);
    await scene.import('opengrep', reportOf(0), repositoryId);
    const before = await snapshot(scene, repositoryId);
    await scene.rows(
      `create trigger full_now before insert or update on ${table} for each statement execute function disk_full()`,
    );
    const scanId = await scene.store('opengrep', reportOf(4), repositoryId);
    expect(await scene.run(scanId)).toMatchObject({ outcome: 'failed', failure: { code: 'disk_full' } });
    const [scan] = await scene.rows('select status, code, detail from scans where id = $1', [scanId]);
    expect(scan).toMatchObject({
      status: 'failed',
      code: 'disk_full',
      detail: expect.stringMatching(/Nothing was changed/),
    });
    await scene.rows('delete from scans where id = $1', [scanId]);
    expect(await snapshot(scene, repositoryId)).toEqual(before);
    await scene.rows(`drop trigger full_now on ${table}`);
    await scene.import('opengrep', reportOf(4), repositoryId);
    expect(await snapshot(scene, repositoryId)).toEqual(expected);
  }
  expect(await findRollupDifferences(scene)).toEqual([]);
});

test('a report that the disk of the embedded database cannot take is refused before it is read', async () => {
  await expect(requireSpace(os.tmpdir(), 1e15)).rejects.toThrow(DiskFull);
  await expect(requireSpace(os.tmpdir(), 1e15)).rejects.toThrow(/[\d,]+ MB are free; this import needs [\d,]+ MB/);
  await requireSpace(undefined, 1e15);
});
