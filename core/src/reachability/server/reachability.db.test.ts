import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { importRemovals } from '../../ingest/server/index.ts';
import { applyRepository, lockScoring } from '../../prioritisation/server/index.ts';
import { removeRepository } from '../../repositories/server/index.ts';
import { createImportScene, type ImportScene, readDemo } from '../../testing/import-scene.ts';
import { code, dependency, openReportTools, report } from '../../testing/line-report.ts';
import { findRollupDifferences } from '../../testing/snapshot.ts';
import { computePackageUses, recordImports } from './index.ts';

const REPORTS = new URL('../../../../plugins/scanners/src/server/__fixtures__/reports/', import.meta.url);

const scenes: ImportScene[] = [];
const open = async (tools?: Awaited<ReturnType<typeof openReportTools>>): Promise<ImportScene> => {
  const scene = await createImportScene(tools);
  scenes.push(scene);
  return scene;
};
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.test.drop();
});

type Files = Readonly<Record<string, string>>;
const folderWith = async (files: Files): Promise<string> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'breakwater-reach-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  return folder;
};

const { signal } = new AbortController();
const jobs = { enqueue: async () => 'id' };

const analyse = async (scene: ImportScene, files: Files, repositoryId = scene.repositoryId, more = {}) =>
  recordImports(
    { database: scene.test.database, jobs },
    { clientId: scene.clientId, repositoryId, commit: 'c0ffee', folder: await folderWith(files), signal, ...more },
  );

/** Runs what is asked for in `job_state`, until nothing is. @returns how many jobs that were. */
const settle = async (scene: ImportScene): Promise<number> => {
  const due = await scene.rows<{ job: string; key: string }>(
    'select job, key from job_state where job = any($1) and due_at is not null order by job',
    [[computePackageUses.name, applyRepository.name]],
  );
  for (const { job, key } of due) {
    const run = { id: 'x', data: { clientId: scene.clientId, repositoryId: key }, attempt: 1, signal };
    const deps = { database: scene.test.database, jobs };
    await (job === applyRepository.name ? applyRepository.run(deps, run) : computePackageUses.run(deps, run));
  }
  return due.length === 0 ? 0 : due.length + (await settle(scene));
};

/** Names of the jobs that are asked for. */
const dueJobs = async (scene: ImportScene) =>
  (await scene.rows<{ job: string }>('select job from job_state where due_at is not null order by job'))
    .map(({ job }) => job)
    .filter((job) => [computePackageUses.name, applyRepository.name].includes(job));
/** What waits for the lock of scoring. */
const WAITING = `select pid from pg_locks where locktype = 'advisory' and not granted
  and database = (select oid from pg_database where datname = current_database())`;

const uses = (scene: ImportScene, repositoryId = scene.repositoryId) =>
  scene.rows<{ component: string; use: string; path: string | null; line: number | null; files: number | null }>(
    `select distinct x.component, u.use, u.path, u.line, u.files from package_uses u
     join finding_definitions x on x.client_id = u.client_id and x.id = u.definition_id
     where u.repository_id = $1 order by x.component`,
    [repositoryId],
  );
const usesByName = async (scene: ImportScene, repositoryId = scene.repositoryId) =>
  Object.fromEntries((await uses(scene, repositoryId)).map(({ component, use }) => [component, use]));

interface Scored {
  component: string | null;
  branch: string | null;
  priority: number;
  points: number;
  reason: string;
}
const scored = (scene: ImportScene, repositoryId = scene.repositoryId) =>
  scene.rows<Scored>(
    `select x.component, b.name as branch, floor(f.priority)::integer as priority, (p->>'points')::integer as points, p->>'reason' as reason
     from findings f join finding_definitions x on x.client_id = f.client_id and x.id = f.definition_id
     join finding_details d on d.client_id = f.client_id and d.finding_id = f.id
     cross join lateral jsonb_array_elements(d.priority_parts) p
     left join repository_branches b on b.client_id = f.client_id and b.id = f.repository_id
     where p->>'key' = 'exploitability' and coalesce(b.repository_id, f.repository_id) = $1
     order by x.component, x.rule_id, b.name nulls first`,
    [repositoryId],
  );

const VECTOR = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
const REPORT = report(
  ...['express', 'qs', 'lodash', 'serve'].map((name, index) =>
    dependency(`CVE-2026-000${index}`, name, '1', { severity: 'medium', cvssVector: VECTOR }),
  ),
  dependency('CVE-2026-0009', 'bash', '1', { component: { name: 'bash', version: '1', ecosystem: 'deb' } }),
  code('r', 'a.js', 1, 'x'),
);
const FILES: Files = {
  'package.json': '{"dependencies":{"express":"4","lodash":"4","serve":"1"}}',
  'src/a.ts': "import express from 'express';\n",
  'src/b.ts': "\nimport serve from 'serve';\nimport e from 'express/lib/x';\nimport f from 'express';",
};

test('scores say how the code uses a package, in the repository and its branches; others stay', async () => {
  const scene = await open(await openReportTools());
  const other = await scene.addRepository('other');
  for (const id of [scene.repositoryId, other]) {
    await scene.import('scanner', REPORT, id);
    await scene.import('scanner', REPORT, id, 'feature');
  }
  const before = await scored(scene);
  expect(await analyse(scene, FILES)).toBe('recorded');
  expect(await uses(scene)).toEqual([
    { component: 'express', use: 'imported', path: 'src/a.ts', line: 1, files: 2 },
    { component: 'lodash', use: 'not_imported', path: null, line: null, files: null },
    { component: 'qs', use: 'transitive', path: null, line: null, files: null },
    { component: 'serve', use: 'imported', path: 'src/b.ts', line: 2, files: 1 },
  ]);
  expect(await settle(scene)).toBe(1);
  const reach = 'Reached from the network, without sign-in or a victim';
  const said: Readonly<Record<string, [number, string]>> = {
    lodash: [5, `${reach}; no source file imports lodash`],
    qs: [8, `${reach}; qs comes only with another package`],
  };
  expect(await scored(scene)).toEqual(
    before.map((row) => {
      const [points, reason] = said[row.component ?? ''] ?? [row.points, row.reason];
      return { ...row, points, reason, priority: row.priority - row.points + points };
    }),
  );
  expect(await scored(scene, other)).toEqual(before);
  const events = await scene.rows("select distinct reason from finding_events where kind = 'priority'");
  expect(events).toEqual([{ reason: 'Imports of the application read' }]);
  expect(await findRollupDifferences(scene)).toEqual([]);
});

test('a newer analysis replaces an older one, and one that finds the same asks for no scores', async () => {
  const scene = await open(await openReportTools());
  await scene.import('scanner', REPORT);
  const before = await scored(scene);
  await analyse(scene, FILES);
  await settle(scene);
  expect(await scored(scene)).not.toEqual(before);
  await analyse(scene, FILES);
  expect(await settle(scene)).toBe(0);
  // what is read under a computed name may be anything
  await analyse(scene, { ...FILES, 'src/c.js': 'require(process.argv[2])' });
  await settle(scene);
  expect(await usesByName(scene)).toMatchObject({ express: 'imported', lodash: 'unknown', qs: 'unknown' });
  expect(await scored(scene)).toEqual(before);
  await analyse(scene, FILES);
  await analyse(scene, { 'README.md': 'nothing' });
  await settle(scene);
  expect(await uses(scene)).toEqual([]);
  expect(await scored(scene)).toEqual(before);
});

test('an import after the analysis is scored with it, once; one without an analysis asks for nothing', async () => {
  const scene = await open(await openReportTools());
  const fresh = await scene.addRepository('fresh');
  await analyse(scene, FILES);
  await scene.import('scanner', REPORT, fresh);
  expect(await settle(scene)).toBe(0);
  await scene.import('scanner', REPORT);
  const scores = await scored(scene);
  expect(scores.find(({ component }) => component === 'lodash')?.points).toBe(5);
  // the uses are kept; no finding is scored again
  expect(await dueJobs(scene)).toEqual([computePackageUses.name]);
  expect(await settle(scene)).toBe(1);
  expect(await usesByName(scene)).toMatchObject({ lodash: 'not_imported', qs: 'transitive' });
  expect(await scored(scene)).toEqual(scores);
  await analyse(scene, FILES, fresh);
  await settle(scene);
  expect(await scored(scene, fresh)).toEqual(scores);
  // another report that says the same
  await scene.import('scanner', `${REPORT}\n`);
  expect(await settle(scene)).toBe(0);
  // more of the same package, and a score that the report changes
  for (const id of [scene.repositoryId, fresh]) {
    await scene.import('scanner', REPORT.replaceAll('"medium"', '"high"'), id);
    await scene.import('scanner', REPORT.replaceAll('"medium"', '"high"'), id, 'feature');
  }
  expect(await settle(scene)).toBe(2);
  expect((await scored(scene)).find(({ component }) => component === 'lodash')?.points).toBe(5);
  expect(await scored(scene)).toEqual(await scored(scene, fresh));
  // only the one that was imported before it was analysed has been scored a second time
  const again = await scene.rows(
    `select distinct f.repository_id from finding_events e join findings f on f.client_id = e.client_id and f.id = e.finding_id
     where e.kind = 'priority' and e.reason is not null`,
  );
  expect(again).toEqual([{ repository_id: fresh }]);
  expect(await findRollupDifferences(scene)).toEqual([]);
});

test('findings that were scored with an older analysis than the newest are scored again', async () => {
  const scene = await open(await openReportTools());
  await analyse(scene, FILES);
  const scan = await scene.store('scanner', REPORT);
  // an analysis is stored after the report was read, before the import ends
  let importing: Promise<unknown> = Promise.resolve();
  await scene.test.database.forClient(scene.clientId, async (db) => {
    await lockScoring(db, scene.clientId);
    importing = scene.run(scan);
    await expect.poll(() => scene.rows(WAITING)).toHaveLength(1);
    await sql`update package_imports set is_dynamic = true, analysed_at = clock_timestamp()`.execute(db);
  });
  await importing;
  const lodash = async () => (await scored(scene)).find(({ component }) => component === 'lodash')?.points;
  expect(await lodash()).toBe(5);
  expect(await settle(scene)).toBe(2);
  expect(await usesByName(scene)).toMatchObject({ lodash: 'unknown', qs: 'unknown' });
  expect(await lodash()).toBeGreaterThan(5);
});

test('an analysis and an import at the same time: whichever is first, the findings get their uses', async () => {
  const scene = await open(await openReportTools());
  const ids = [scene.repositoryId, ...(await Promise.all(['a', 'b', 'c'].map(scene.addRepository)))];
  const scans: string[] = [];
  for (const id of ids) scans.push(await scene.store('scanner', REPORT, id));
  await Promise.all([...ids.map((id) => analyse(scene, FILES, id)), ...scans.map((scan) => scene.run(scan))]);
  await settle(scene);
  for (const id of ids) {
    expect(await usesByName(scene, id)).toMatchObject({ lodash: 'not_imported', qs: 'transitive' });
    expect((await scored(scene, id)).find(({ component }) => component === 'lodash')?.points).toBe(5);
  }
});

test('a finding that is known to be exploited keeps its floor', async () => {
  const scene = await open(await openReportTools());
  await scene.import('scanner', report(dependency('CVE-2021-44228', 'lodash', '1', { cvssVector: VECTOR })));
  await analyse(scene, FILES);
  await settle(scene);
  expect((await scored(scene))[0]).toMatchObject({ points: 5, priority: 90 });
});

test('an analysis that takes too long is given up, and nothing old is believed', async () => {
  const scene = await open(await openReportTools());
  await scene.import('scanner', REPORT);
  await analyse(scene, FILES);
  const limits = { deadlineMs: 1, heapMb: 512 };
  expect(await analyse(scene, FILES, scene.repositoryId, { limits })).toBe('gave_up');
  expect(await uses(scene)).toEqual([]);
  await expect(analyse(scene, FILES, scene.repositoryId, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
});

test('imports and uses go with their repository; of one that is gone nothing is stored', async () => {
  const scene = await open(await openReportTools());
  await scene.import('scanner', REPORT);
  await analyse(scene, FILES);
  const { clientId, repositoryId } = scene;
  await scene.test.database.forClient(clientId, (db) =>
    removeRepository(db, { clientId, id: repositoryId, removals: importRemovals }),
  );
  expect(await analyse(scene, FILES)).toBe('removed');
  await settle(scene);
  const counts = 'select (select count(*) from package_uses) + (select count(*) from package_imports) as n';
  expect(await scene.rows(counts)).toEqual([{ n: 0 }]);
});

test('another client sees none of it', async () => {
  const scene = await open(await openReportTools());
  await scene.import('scanner', REPORT);
  await analyse(scene, FILES);
  const [other] = await scene.rows<{ id: string }>(`insert into clients (organization_name) values ('B') returning id`);
  const seen = await scene.test.database.forClient(other?.id ?? '', async (db) => [
    await db.selectFrom('package_uses').select('use').execute(),
    await db.selectFrom('package_imports').select('ecosystem').execute(),
  ]);
  expect(seen).toEqual([[], []]);
  const { repositoryId } = scene;
  const request = { clientId: other?.id ?? '', repositoryId, commit: '', folder: await folderWith(FILES), signal };
  expect(await recordImports({ database: scene.test.database, jobs }, request)).toBe('removed');
  expect(await usesByName(scene)).toMatchObject({ lodash: 'not_imported' });
});

test('reports of Trivy, Grype and Dependency-Check: names are those of their package URLs', async () => {
  const scene = await open();
  const trivy = new URL('trivy/golden_npm.json', REPORTS);
  await scene.import('trivy', await readFile(trivy));
  await scene.import('grype', await readDemo('grype.json'));
  await scene.import('owasp-dependency-check', await readDemo('owasp-dependency-check.json'));
  await analyse(scene, {
    'package.json': '{"dependencies":{"express-jwt":"0.1.3","sanitize-html":"1.4.2","jsonwebtoken":"0.4.0"}}',
    'server.ts': "import jwt from 'express-jwt';\nconst { verify } = require('jsonwebtoken');",
    'pom.xml': '<project><dependencies/></project>',
    'go.mod': 'module a.b/c',
    'A.java': 'import org.apache.commons.io.IOUtils;\nclass A {}',
    'a.go': 'package a\nimport "os"',
  });
  expect(await usesByName(scene)).toEqual({
    ...{ 'commons-io': 'imported', dottie: 'transitive', 'express-jwt': 'imported' },
    ...{ 'file-type': 'transitive', jquery: 'transitive', jsonwebtoken: 'imported', notevil: 'transitive' },
    'sanitize-html': 'not_imported',
  });
});
