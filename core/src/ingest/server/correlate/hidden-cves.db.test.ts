import { readdirSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createImportScene, DEMO_REPORTS, type ImportScene, readDemo } from '../../../testing/import-scene.ts';

let scene: ImportScene;
beforeAll(async () => {
  scene = await createImportScene();
});
afterAll(() => scene.test.drop());

const REPORTS = new URL('../../../../../plugins/scanners/src/server/__fixtures__/reports/', import.meta.url);

/** Tools with recorded reports, by the folder of each; what is broken on purpose lies in folders with a leading underscore. */
const TOOLS = readdirSync(REPORTS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !entry.name.startsWith('_'))
  .map(({ name }) => name)
  .sort();

/** The recorded reports of a tool that name a CVE. */
const readSamples = async (tool: string): Promise<{ name: string; text: Buffer }[]> => {
  const names = (await readdir(new URL(`${tool}/`, REPORTS))).sort();
  const samples = await Promise.all(
    names.map(async (name) => ({ name, text: await readFile(new URL(`${tool}/${name}`, REPORTS)) })),
  );
  return samples.filter(({ text }) => /CVE-\d{4}-\d+/.test(text.toString()));
};

/** CVEs that a finding of the repository is listed under and that no finding of the default view shows. */
const hidden = (repositoryId: string) =>
  scene.rows<{ cve: string }>(
    `select distinct u.cve from findings f join finding_definitions u on u.client_id = f.client_id and u.id = f.definition_id
     where f.repository_id = $1 and u.cve is not null and f.is_duplicate and not exists (
       select from findings s join finding_definitions x on x.client_id = s.client_id and x.id = s.definition_id
       where s.client_id = f.client_id and s.repository_id = f.repository_id and not s.is_duplicate and not s.is_subfinding
         and x.cve = u.cve and x.package_key is not distinct from u.package_key
     )`,
    [repositoryId],
  );
/** Findings that are marked as duplicates of what is no open original of the same repository. */
const astray = (repositoryId: string) =>
  scene.rows(
    `select f.id from findings f left join findings o on o.client_id = f.client_id and o.id = f.duplicate_of
     where f.repository_id = $1 and f.is_duplicate
       and (o.id is null or o.is_duplicate or o.status = 'mitigated' or o.repository_id <> f.repository_id)`,
    [repositoryId],
  );

test.each(TOOLS)('every CVE of every recorded report of %s is shown by a row of its package', async (tool) => {
  expect(scene.tools.resolveTool(tool)).not.toBeNull();
  for (const { name, text } of await readSamples(tool)) {
    const repositoryId = await scene.addRepository(`${tool} ${name}`);
    await scene.run(await scene.store(tool, text, repositoryId));
    expect(await hidden(repositoryId), name).toEqual([]);
    expect(await astray(repositoryId), name).toEqual([]);
  }
});

test('the recorded reports do name CVEs and hold duplicates', async () => {
  const [count] = await scene.rows<{ cves: number; duplicates: number }>(
    `select count(distinct u.cve)::integer as cves, count(*) filter (where f.is_duplicate)::integer as duplicates
     from findings f join finding_definitions u on u.client_id = f.client_id and u.id = f.definition_id`,
  );
  expect(count?.cves).toBeGreaterThan(100);
  expect(count?.duplicates).toBeGreaterThan(0);
});

test('the five reports of the sample application hide no CVE behind another', async () => {
  for (const [tool, name] of DEMO_REPORTS) await scene.import(tool, await readDemo(name));
  expect(await hidden(scene.repositoryId)).toEqual([]);
  expect(await astray(scene.repositoryId)).toEqual([]);
  const [count] = await scene.rows<{ count: number }>(
    'select count(*)::integer as count from findings where repository_id = $1 and is_duplicate',
    [scene.repositoryId],
  );
  expect(count?.count).toBeGreaterThan(5);
});
