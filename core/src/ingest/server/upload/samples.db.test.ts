import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createImportScene, type ImportScene } from '../../../testing/import-scene.ts';
import { findRollupDifferences } from '../../../testing/snapshot.ts';

const FOLDER = new URL('../../../../../plugins/scanners/src/server/__fixtures__/reports/', import.meta.url);

interface Sample {
  file: string;
  tool: string;
  expect: 'findings' | 'empty' | 'components_only' | 'error';
  expected_count: number;
  components_count?: number;
}
const { files: all }: { files: Sample[] } = JSON.parse(readFileSync(new URL('expected.json', FOLDER), 'utf8'));

/** The two of a tool with the fewest and the most results, for each kind of outcome. */
const extremes = (samples: readonly Sample[]): Sample[] =>
  Object.values(Object.groupBy(samples, ({ tool, expect: kind }) => `${tool} ${kind}`)).flatMap((group = []) => {
    const sorted = group.toSorted((one, other) => one.expected_count - other.expected_count);
    return [...new Set([sorted.at(0), sorted.at(-1)])].filter((sample) => sample !== undefined);
  });

/** What is read of each is compared in plugins/scanners; here they are imported, twice each. All of them in `npm run soak -- samples`. */
const files = inject('importsAllSamples') ? all : extremes(all);

/** The larger ones are kept packed. */
const readSample = (file: string): Promise<Buffer> =>
  readFile(new URL(file, FOLDER)).catch(async () => gunzipSync(await readFile(new URL(`${file}.gz`, FOLDER))));

let scene: ImportScene;
beforeAll(async () => {
  scene = await createImportScene();
});
afterAll(() => scene.test.drop());

describe('real reports of every tool', () => {
  test.each(files.filter((sample) => sample.expect !== 'error').map((sample) => [sample.file, sample] as const))(
    '%s is imported whole, and once',
    async (file, sample) => {
      const repositoryId = await scene.addRepository(file);
      const bytes = await readSample(file);
      const first = await scene.import(sample.tool, bytes, repositoryId);
      // what dependency-check lists apart as suppressed comes on top
      expect(first.total - (sample.tool === 'owasp-dependency-check' ? first.suppressed : 0)).toBe(
        sample.expected_count,
      );
      expect(first).toMatchObject({ new: first.total, unchanged: 0, closed: 0 });
      if (sample.components_count !== undefined) expect(first.components).toBe(sample.components_count);
      const second = await scene.import(sample.tool, bytes, repositoryId);
      expect(second).toEqual({ ...first, new: 0, unchanged: first.total });
      const written = await scene.rows(
        'select 1 from finding_events e join findings f on f.id = e.finding_id where f.repository_id = $1',
        [repositoryId],
      );
      expect(written).toEqual([]);
    },
  );

  test.each(files.filter((sample) => sample.expect === 'error').map((sample) => [sample.file, sample] as const))(
    '%s is refused with a reason',
    async (file, sample) => {
      const repositoryId = await scene.addRepository(file);
      const outcome = await scene.run(await scene.store(sample.tool, await readSample(file), repositoryId));
      expect(outcome).toMatchObject({
        outcome: 'failed',
        failure: { code: expect.stringMatching(/^report_/), detail: expect.stringMatching(/\w/) },
      });
      expect(await scene.rows('select 1 from findings where repository_id = $1', [repositoryId])).toEqual([]);
    },
  );

  test('no CVE is hidden behind a row that does not show it, nor one place of a package behind another', async () => {
    const hidden = await scene.rows(
      `select r.nickname, s.cve, os.cve as shown, p.path, op.path as shown_path, d.resource, od.resource as shown_resource
       from findings f join repositories r on r.id = f.repository_id join finding_definitions s on s.id = f.definition_id
       join findings o on o.id = f.duplicate_of join finding_definitions os on os.id = o.definition_id
       left join finding_files p on p.id = f.file_id left join finding_files op on op.id = o.file_id
       left join finding_details d on d.finding_id = f.id left join finding_details od on od.finding_id = o.id
       where s.cve is not null and os.cve is distinct from s.cve or o.is_duplicate
         or s.package_key is not null and (p.id is distinct from op.id or d.resource is distinct from od.resource)`,
    );
    expect(hidden).toEqual([]);
    expect((await scene.rows('select 1 from findings where is_duplicate')).length).toBeGreaterThan(5);
  });

  test('the rollups agree with all of them', async () => {
    expect(await findRollupDifferences(scene)).toEqual([]);
  });
});
