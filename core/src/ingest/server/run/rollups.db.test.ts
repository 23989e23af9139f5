import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeRepository } from '../../../repositories/server/index.ts';
import { createImportScene, type ImportScene } from '../../../testing/import-scene.ts';
import { code, dependency, openReportTools, report, secret } from '../../../testing/line-report.ts';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { findRollupDifferences } from '../../../testing/snapshot.ts';
import { importRemovals } from '../scans/remove-repository.ts';

let scene: ImportScene;
beforeAll(async () => {
  scene = await createImportScene(await openReportTools());
});
afterAll(() => scene.test.drop());

const record = fc.oneof(
  fc
    .record({
      rule: fc.constantFrom('r1', 'r2'),
      path: fc.constantFrom('a.js', 'b.py'),
      line: fc.integer({ min: 1, max: 6 }),
      text: fc.constantFrom('x', 'y'),
    })
    .map(({ rule, path, line, text }) => code(rule, path, line, text)),
  fc
    .record({ cve: fc.constantFrom('CVE-2023-44487', 'CVE-2024-1'), version: fc.constantFrom('1', '2') })
    .map(({ cve, version }) => dependency(cve, 'lib', version)),
  fc
    .record({ line: fc.integer({ min: 1, max: 4 }), hash: fc.constantFrom(undefined, 'h') })
    .map(({ line, hash }) => secret('a.js', line, hash)),
);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('import' as const),
      tool: fc.constantFrom('scanner', 'other'),
      repository: fc.integer({ min: 0, max: 1 }),
      records: fc.array(record, { maxLength: 12 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('verdict' as const),
      verdict: fc.constantFrom('none', 'false_positive', 'accepted_risk', 'valid'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('remove' as const), repository: fc.integer({ min: 0, max: 1 }) }),
  },
);

test('counts equal a full recount after any history of imports, verdicts and removals', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      run += 1;
      const repositories = [await scene.addRepository(`${run} a`), await scene.addRepository(`${run} b`)];
      for (const { kind, ...action } of steps) {
        if ('records' in action) {
          await scene.import(action.tool, report(...action.records), repositories[action.repository]);
        } else if ('verdict' in action) {
          await scene.rows(
            'update findings set verdict = $1 where id in (select id from findings order by id desc limit 3)',
            [action.verdict],
          );
        } else {
          const id = repositories[action.repository] ?? '';
          await scene.test.database.forClient(scene.clientId, (db) =>
            removeRepository(db, { clientId: scene.clientId, id, removals: importRemovals }),
          );
          repositories[action.repository] = await scene.addRepository(`${run} ${kind} ${crypto.randomUUID()}`);
        }
        expect(await findRollupDifferences(scene)).toEqual([]);
      }
    }),
    { numRuns: propertyRuns(6) },
  );
});
