import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import type { NormalizedFinding } from '@breakwater/sdk';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createImportScene, type ImportScene, readDemo } from '../../../testing/import-scene.ts';
import { code, dependency, openReportTools, report, secret } from '../../../testing/line-report.ts';
import { propertyRuns } from '../../../testing/property-runs.ts';

let generated: ImportScene;
let real: ImportScene;
beforeAll(async () => {
  generated = await createImportScene(await openReportTools());
  real = await createImportScene();
});
afterAll(async () => {
  await generated.test.drop();
  await real.test.drop();
});

/** One result of a made-up project. `uid` says which it truly is; no part of the matching sees it before it is stored. */
interface Truth {
  uid: string;
  kind: 'code' | 'secret';
  rule: string;
  path: string;
  line: number;
  text: string;
}

/** Few rules, files and texts, so that many results are equal but for their line. */
const project = fc
  .uniqueArray(
    fc.record({
      kind: fc.constantFrom('code' as const, 'code' as const, 'secret' as const),
      rule: fc.constantFrom('sql', 'xss'),
      path: fc.constantFrom('src/a.js', 'src/b.js', 'src/c.py'),
      line: fc.integer({ min: 1, max: 900 }),
      text: fc.constantFrom('query(x)', 'query(y)', 'send(z)', 'send(q)', 'open(f)', 'call(g)'),
    }),
    { minLength: 20, maxLength: 60, selector: (item) => `${item.kind} ${item.rule} ${item.path} ${item.line}` },
  )
  .map((items): Truth[] => items.map((item, index) => ({ ...item, uid: `u${index}` })));

/** Tags are written at the first import alone, descriptions at every one: together they say what became of whom. */
const written = (truth: Truth, version: number, more: Partial<NormalizedFinding> = {}): NormalizedFinding => {
  const words = { description: `${truth.uid} as of ${version}`, tags: [truth.uid], ...more };
  return truth.kind === 'secret'
    ? secret(truth.path, truth.line, `hash of ${truth.text}`, words)
    : code(truth.rule, truth.path, truth.line, truth.text, words);
};

/** Share of results that continue the very finding they were before. */
const rightShare = async (repositoryId: string): Promise<{ all: number; right: number }> => {
  const [row] = await generated.rows<{ all: number; right: number }>(
    `select count(*)::integer as all, count(*) filter (where split_part(d.description, ' ', 1) = f.tags[1])::integer as right
     from findings f join finding_details d on d.client_id = f.client_id and d.finding_id = f.id
     where f.repository_id = $1 and f.status <> 'mitigated'`,
    [repositoryId],
  );
  return row ?? { all: 0, right: 0 };
};

const say = (what: string, right: number, all: number): void => {
  process.stdout.write(`identity: ${what}: ${right} of ${all} matched (${((100 * right) / all).toFixed(2)} %)\n`);
};

let repositories = 0;
const addRepository = (scene: ImportScene): Promise<string> => {
  repositories += 1;
  return scene.addRepository(`generated ${repositories}`);
};
const RUNS = { numRuns: propertyRuns(6), seed: 20_261_121 };

/** Two reports of one project, before and after. @returns counts of the second import, and who continues whom. */
const reimport = async (before: readonly NormalizedFinding[], after: readonly NormalizedFinding[]) => {
  const repositoryId = await addRepository(generated);
  await generated.import('scanner', report(...before), repositoryId);
  const counts = await generated.import('scanner', report(...after), repositoryId);
  return { repositoryId, counts, share: await rightShare(repositoryId) };
};

describe('generated pairs of reports', () => {
  test('a file that moved by 1 to 200 lines as a whole: nothing is new, nothing closes, each keeps its own row', async () => {
    const total = { all: 0, right: 0 };
    await fc.assert(
      fc.asyncProperty(project, fc.integer({ min: 1, max: 200 }), async (truths, by) => {
        const { counts, share } = await reimport(
          truths.map((truth) => written(truth, 1)),
          truths.map((truth) => written({ ...truth, line: truth.line + by }, 2)),
        );
        expect(counts).toMatchObject({ new: 0, closed: 0, unchanged: truths.length });
        total.all += share.all;
        total.right += share.right;
      }),
      RUNS,
    );
    say('files moved by 1-200 lines', total.right, total.all);
    expect(total.right / total.all).toBeGreaterThanOrEqual(0.99);
  });

  test('1 to 200 lines inserted somewhere, some of the results fixed: only those close', async () => {
    const total = { all: 0, right: 0 };
    await fc.assert(
      fc.asyncProperty(
        project,
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 900 }),
        async (truths, by, from) => {
          const kept = truths.filter((_, index) => index % 10 !== 3);
          const { counts, share } = await reimport(
            truths.map((truth) => written(truth, 1)),
            kept.map((truth) => written({ ...truth, line: truth.line + (truth.line >= from ? by : 0) }, 2)),
          );
          expect(counts).toMatchObject({ new: 0, closed: truths.length - kept.length, unchanged: kept.length });
          total.all += share.all;
          total.right += share.right;
        },
      ),
      RUNS,
    );
    say('lines inserted, one result in ten fixed', total.right, total.all);
    expect(total.right / total.all).toBeGreaterThanOrEqual(0.97);
  });

  test('other words, severity, weakness and score, as of an upgraded scanner: every result keeps its row', async () => {
    await fc.assert(
      fc.asyncProperty(project, async (truths) => {
        const { counts, share } = await reimport(
          truths.map((truth) => written(truth, 1)),
          truths.map((truth) =>
            written(truth, 2, { title: 'Said better', severity: 'low', cwe: [79, 89], cvssScore: 4.2 }),
          ),
        );
        expect(counts).toMatchObject({ new: 0, closed: 0, unchanged: truths.length });
        expect(share).toEqual({ all: truths.length, right: truths.length });
      }),
      RUNS,
    );
  });

  test('results in another order change no row', async () => {
    await fc.assert(
      fc.asyncProperty(
        project.chain((truths) =>
          fc.tuple(fc.constant(truths), fc.shuffledSubarray(truths, { minLength: truths.length })),
        ),
        async ([truths, shuffled]) => {
          const repositoryId = await addRepository(generated);
          const dump = () =>
            generated.rows('select xmin::text, * from findings where repository_id = $1 order by id', [repositoryId]);
          await generated.import('scanner', report(...truths.map((truth) => written(truth, 1))), repositoryId);
          const before = await dump();
          const counts = await generated.import(
            'scanner',
            report(...shuffled.map((truth) => written(truth, 1))),
            repositoryId,
          );
          expect(counts).toMatchObject({ new: 0, closed: 0, unchanged: truths.length });
          expect(await dump()).toEqual(before);
        },
      ),
      RUNS,
    );
  });

  test('of equal results in a file that moved, the one that was fixed closes', async () => {
    const truths: Truth[] = [10, 30, 50, 70].map((line, index) => ({
      ...{ uid: `u${index}`, kind: 'code', rule: 'sql', path: 'a.js', line, text: 'query(x)' },
    }));
    const alone: Truth = { uid: 'u9', kind: 'code', rule: 'xss', path: 'a.js', line: 40, text: 'send(z)' };
    for (const fixed of truths) {
      const kept = [...truths.filter((truth) => truth !== fixed), alone];
      const { repositoryId, counts, share } = await reimport(
        [...truths, alone].map((truth) => written(truth, 1)),
        kept.map((truth) => written({ ...truth, line: truth.line + 20 }, 2)),
      );
      expect(counts).toMatchObject({ new: 0, closed: 1 });
      expect(share).toEqual({ all: 4, right: 4 });
      expect(
        await generated.rows(`select tags[1] as uid from findings where repository_id = $1 and status = 'mitigated'`, [
          repositoryId,
        ]),
      ).toEqual([{ uid: fixed.uid }]);
    }
  });

  test('a folder or a file that was renamed keeps its rows, also where its lines moved; a copy is new', async () => {
    const total = { all: 0, right: 0 };
    await fc.assert(
      fc.asyncProperty(project, fc.integer({ min: 0, max: 60 }), async (truths, by) => {
        const moved = (truth: Truth): Truth => ({ ...truth, path: truth.path.replace(/^src\//, 'app/src/') });
        const { counts, share } = await reimport(
          truths.map((truth) => written(truth, 1)),
          truths.map((truth) => written({ ...moved(truth), line: truth.line + by }, 2)),
        );
        expect(counts).toMatchObject({ new: 0, closed: 0, unchanged: truths.length });
        total.all += share.all;
        total.right += share.right;
      }),
      { ...RUNS, numRuns: propertyRuns(4) },
    );
    say('folder renamed, lines moved', total.right, total.all);
    expect(total.right / total.all).toBeGreaterThanOrEqual(0.99);
  });

  test('a renamed file keeps code, secrets and packages, and its verdicts; a copy is new; a new image tag keeps them', async () => {
    const at = (path: string) => [
      code('sql', path, 4, 'query(x)'),
      secret(path, 9, 'aa'),
      dependency('CVE-2024-1', 'lib', '1', { locations: [{ path }] }),
    ];
    const renamed = await reimport(at('src/old.js'), at('src/new.js'));
    expect(renamed.counts).toMatchObject({ total: 3, new: 0, closed: 0, unchanged: 3 });
    const events = await generated.rows(
      `select distinct e.kind, e.from_value, e.to_value from finding_events e join findings f on f.id = e.finding_id where f.repository_id = $1`,
      [renamed.repositoryId],
    );
    expect(events).toEqual([{ kind: 'moved', from_value: 'src/old.js', to_value: 'src/new.js' }]);
    const copied = await reimport(at('src/old.js'), [...at('src/old.js'), ...at('src/new.js')]);
    expect(copied.counts).toMatchObject({ total: 6, new: 3, closed: 0, unchanged: 3 });
    const masked = await reimport([secret('src/old.js', 9)], [secret('src/new.js', 9)]);
    expect(masked.counts, 'nobody knows whether it is the same secret').toMatchObject({ new: 1, closed: 1 });
    const spelled = await reimport(at('src/old.js'), at('.\\src\\old.js'));
    expect(spelled.counts).toMatchObject({ total: 3, new: 0, closed: 0, unchanged: 3 });
    const system = (path: string) => dependency('CVE-2024-1', 'curl', '8.1', { locations: [{ path }] });
    const tagged = await reimport([system('team/app:1.2 (debian 12.4)')], [system('team/app:1.3 (debian 12.5)')]);
    expect(tagged.counts).toMatchObject({ total: 1, new: 0, closed: 0, unchanged: 1 });
  });
});

const FIXTURES = new URL('../../../../../plugins/scanners/src/server/__fixtures__/reports/', import.meta.url);
const readReport = (file: string): Promise<Buffer> =>
  readFile(new URL(file, FIXTURES)).catch(async () => gunzipSync(await readFile(new URL(`${file}.gz`, FIXTURES))));

const BRUTE = 'opengrep/close_old_findings_report';

describe('real pairs of reports', () => {
  test.each([
    ['opengrep', `${BRUTE}_line31.json`, `${BRUTE}_second_run_line24.json`],
    ['opengrep', `${BRUTE}_second_run_line24.json`, `${BRUTE}_third_run_different_unique_id.json`],
    [
      'checkmarx',
      'checkmarx/checkmarx__multiple_findings.xml',
      'checkmarx/checkmarx__multiple_findings_line_changed.xml',
    ],
    [
      'gitlab',
      'gitlab/gitlab_sast__gl-sast-report-many-vuln_v14.json',
      'gitlab/gitlab_sast__gl-sast-report-many-vuln_v15.json',
    ],
    [
      'gitlab',
      'gitlab/gitlab_sast__gl-sast-report-confidence_v14.json',
      'gitlab/gitlab_sast__gl-sast-report-confidence_v15.json',
    ],
    [
      'gitlab',
      'gitlab/gitlab_container_scan__gl-container-scanning-report-5-vuln_v14.json',
      'gitlab/gitlab_container_scan__gl-container-scanning-report-5-vuln_v15.json',
    ],
    [
      'gitlab',
      'gitlab/gitlab_secret_detection_report__gitlab_secret_detection_report_3_vuln_v14.json',
      'gitlab/gitlab_secret_detection_report__gitlab_secret_detection_report_3_vuln_v15.json',
    ],
  ])('%s: %s, then %s', async (tool, before, after) => {
    const repositoryId = await addRepository(real);
    const first = await real.import(tool, await readReport(before), repositoryId);
    const again = await real.import(tool, await readReport(before), repositoryId);
    expect(again).toMatchObject({ new: 0, closed: 0, unchanged: first.total });
    const second = await real.import(tool, await readReport(after), repositoryId);
    say(`${before} → ${after}`, second.unchanged, second.total);
    expect(second).toMatchObject({ total: first.total, new: 0, closed: 0 });
  });

  test.each([1, 20, 200])('the sample application with all code moved by %i lines', async (by) => {
    const repositoryId = await addRepository(real);
    const text = await readDemo('opengrep.semgrep-json.json');
    const first = await real.import('opengrep', text, repositoryId);
    const lines = async (): Promise<Map<string, number>> => {
      const rows = await real.rows<{ id: string; line: number }>(
        `select f.id, l.start_line as line from findings f join finding_locations l on l.client_id = f.client_id and l.finding_id = f.id
         where f.repository_id = $1`,
        [repositoryId],
      );
      return new Map(rows.map(({ id, line }) => [id, line]));
    };
    const before = await lines();
    const moved = await real.import(
      'opengrep',
      text.replace(/"line":\s*(\d+)/g, (_, line: string) => `"line": ${Number(line) + by}`),
      repositoryId,
    );
    say(`sample application moved by ${by} lines`, moved.unchanged, moved.total);
    expect(moved).toMatchObject({ total: first.total, new: 0, closed: 0, unchanged: first.total });
    expect(before.size).toBe(first.total);
    expect(await lines()).toEqual(new Map([...before].map(([id, line]) => [id, line + by])));
    // that a line moved is nothing that happened to the finding
    const events = await real.rows(
      'select 1 from finding_events e join findings f on f.id = e.finding_id where f.repository_id = $1',
      [repositoryId],
    );
    expect(events).toEqual([]);
  });
});
