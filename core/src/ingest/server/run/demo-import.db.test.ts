import { afterAll, beforeAll, expect, test } from 'vitest';
import { sumOfPoints } from '../../../prioritisation/model/settings/priority-settings.ts';
import { createImportScene, DEMO_REPORTS, type ImportScene, readDemo } from '../../../testing/import-scene.ts';

let scene: ImportScene;
beforeAll(async () => {
  scene = await createImportScene();
});
afterAll(() => scene.test.drop());

const importAll = async () => {
  const counts = new Map<string, Awaited<ReturnType<ImportScene['import']>>>();
  for (const [tool, file] of DEMO_REPORTS) counts.set(tool, await scene.import(tool, await readDemo(file)));
  return counts;
};

test('the five reports of the sample application give 163 findings and 840 components', async () => {
  const counts = await importAll();
  expect([...counts].map(([tool, { total, new: added, components }]) => [tool, total, added, components])).toEqual([
    ['opengrep', 66, 66, 0],
    ['grype', 84, 84, 0],
    ['owasp-dependency-check', 10, 10, 0],
    ['trivy', 3, 3, 0],
    ['cyclonedx', 0, 0, 840],
  ]);
});

test('151 are left when duplicates are hidden', async () => {
  const rows = await scene.rows<{ tool: string; all: number; shown: number }>(
    `select tool, count(*)::integer as all, count(*) filter (where not is_duplicate)::integer as shown from findings group by 1 order by 1`,
  );
  expect(rows).toEqual([
    { tool: 'grype', all: 84, shown: 84 },
    { tool: 'opengrep', all: 66, shown: 56 },
    { tool: 'owasp-dependency-check', all: 10, shown: 10 },
    { tool: 'trivy', all: 3, shown: 1 },
  ]);
});

test('semgrep and trivy agree on exactly two places', async () => {
  const rows = await scene.rows(
    `select p.path, l.start_line as line, o.tool as original from findings f
     join findings o on o.id = f.duplicate_of join finding_files p on p.id = f.file_id
     left join finding_locations l on l.client_id = f.client_id and l.finding_id = f.id
     where f.tool <> o.tool order by 1`,
  );
  expect(rows).toEqual([
    { path: 'frontend/src/app/app.guard.spec.ts', line: 40, original: 'opengrep' },
    { path: 'frontend/src/app/last-login-ip/last-login-ip.component.spec.ts', line: 50, original: 'opengrep' },
  ]);
});

test('the known exploited CVE is at the top, with parts that add up', async () => {
  const rows = await scene.rows<{ cve: string; priority: number; parts: { points: number }[] }>(
    `select s.cve, f.priority, d.priority_parts as parts from findings f join finding_definitions s on s.id = f.definition_id
     join finding_details d on d.finding_id = f.id where not f.is_duplicate order by f.priority desc, f.id desc`,
  );
  expect(rows.slice(0, 3).map((row) => row.cve)).toContain('CVE-2023-44487');
  for (const row of rows) expect(sumOfPoints(row.parts.map((part) => part.points))).toBe(row.priority);
});

test('equal priorities are the exception: no more than 8 findings share one, duplicates among them', async () => {
  const rows = await scene.rows<{ priority: number; n: number }>(
    'select priority, count(*)::integer as n from findings group by 1 order by n desc, 1',
  );
  expect(rows.reduce((sum, { n }) => sum + n, 0)).toBe(163);
  expect(rows.filter(({ n }) => n > 8)).toEqual([]);
});

test('uploading all again writes nothing, closes nothing and keeps verdicts', async () => {
  const judged = await scene.rows<{ id: string }>(
    `update findings set verdict = 'false_positive' where id = (select id from findings where tool = 'opengrep' limit 1) returning id`,
  );
  const dump = () => scene.rows('select xmin::text, * from findings order by id');
  const before = await dump();
  const counts = await importAll();
  for (const [tool, count] of counts) {
    expect([tool, count.new, count.closed, count.reopened, count.unchanged]).toEqual([tool, 0, 0, 0, count.total]);
  }
  expect(await dump()).toEqual(before);
  expect(judged).toHaveLength(1);
  expect(await scene.rows('select 1 from components where removed_at is not null')).toEqual([]);
});
