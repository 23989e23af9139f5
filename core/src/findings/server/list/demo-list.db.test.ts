import { afterAll, beforeAll, expect, test } from 'vitest';
import { createImportScene, DEMO_REPORTS, type ImportScene, readDemo } from '../../../testing/import-scene.ts';
import type { FindingFilters } from '../../model/filter-catalogue.ts';
import { readFacets } from '../counts/read-facets.ts';
import { readFinding } from '../detail/read-finding.ts';
import { findPage } from './find-page.ts';
import { readPlaceInList } from './place-in-list.ts';
import { readFindingRows } from './read-finding-rows.ts';

let scene: ImportScene;
beforeAll(async () => {
  scene = await createImportScene();
  for (const [tool, file] of DEMO_REPORTS) await scene.import(tool, await readDemo(file));
});
afterAll(() => scene.test.drop());

const viewer = () => ({ clientId: scene.clientId, userId: scene.clientId, seesAll: true });

const list = (filters: FindingFilters, search = '') =>
  scene.test.database.forClient(scene.clientId, async (db) => {
    const page = await findPage(db, {
      viewer: viewer(),
      filters,
      search,
      sortField: 'priority',
      direction: 'desc',
      offset: 0,
      limit: 200,
    });
    return { total: page.total, rows: await readFindingRows(db, { clientId: scene.clientId, ids: page.ids }) };
  });

test('the sample application lists 163 findings, 151 without duplicates', async () => {
  expect((await list({})).total).toBe(163);
  expect((await list({ is_duplicate: 'hide' })).total).toBe(151);
  expect((await list({ is_duplicate: 'only' })).total).toBe(12);
});

test('each hidden duplicate says what it duplicates and why, and so does the finding that stands for it', async () => {
  const { rows } = await list({ is_duplicate: 'only' });
  const detail = (id: string) =>
    scene.test.database.forClient(scene.clientId, (db) => readFinding(db, { viewer: viewer(), id }));
  for (const { _id } of rows) {
    const [original] = (await detail(_id)).attributes.occurrences;
    if (original === undefined) throw new Error(`${_id} says nothing`);
    expect(original.relation).toBe('original');
    expect(original.reason).toMatch(/^Same (CVE, same component and version|weakness, same file and line|secret, )/);
    const { occurrences } = (await detail(original._id)).attributes;
    const { reasons, reason } = original;
    expect(occurrences.find((one) => one._id === _id)).toMatchObject({ relation: 'duplicate', reasons, reason });
  }
});

test('the exploited vulnerability is among the first three', async () => {
  const { rows } = await list({ is_duplicate: 'hide' });
  expect(rows.slice(0, 3).map((row) => row.attributes.cve)).toContain('CVE-2023-44487');
  expect((await list({ cve: ['CVE-2023-44487'], is_duplicate: 'hide' })).rows.every((row) => row.attributes.kev)).toBe(
    true,
  );
});

test('the place of a finding is the one that the list by priority gives it, with its neighbours', async () => {
  const filters: FindingFilters = { is_duplicate: 'hide' };
  const ids = (await list(filters)).rows.map(({ _id }) => _id);
  const place = (id: string, of = viewer()) =>
    scene.test.database.forClient(scene.clientId, (db) => readPlaceInList(db, { viewer: of, filters, search: '', id }));
  for (const index of [0, 1, 70, 149, 150]) {
    expect(await place(ids[index] ?? '')).toEqual({
      ...{ place: index + 1, total: 151, previous: ids[index - 1] ?? null, next: ids[index + 1] ?? null },
    });
  }
  const [hidden] = (await list({ is_duplicate: 'only' })).rows;
  expect(await place(hidden?._id ?? '')).toMatchObject({ place: null, total: 151 });
  const stranger = { ...viewer(), seesAll: false };
  await expect(place(ids[0] ?? '', stranger)).rejects.toMatchObject({ code: 'finding_not_found' });
});

test('free text finds by package, path and vulnerability', async () => {
  expect((await list({}, 'CVE-2023-44487')).total).toBeGreaterThan(0);
  expect((await list({}, 'express-jwt')).total).toBeGreaterThan(0);
  expect((await list({}, 'app.guard.spec.ts')).total).toBe(2);
});

test('facets of the sample application', async () => {
  const facets = await scene.test.database.forClient(scene.clientId, (db) =>
    readFacets(db, { viewer: viewer(), filters: { is_duplicate: 'hide' }, search: '' }, ['tool', 'repository']),
  );
  expect(facets['tool']).toEqual([
    { value: 'grype', label: 'Grype', count: 84 },
    { value: 'opengrep', label: 'OpenGrep', count: 56 },
    { value: 'owasp-dependency-check', label: 'Dependency-Check', count: 10 },
    { value: 'trivy', label: 'Trivy', count: 1 },
  ]);
  expect(facets['repository']).toEqual([{ value: scene.repositoryId, label: 'shop', count: 151 }]);
});
