import type { Component } from '@breakwater/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createImportScene, type ImportScene } from '../../../testing/import-scene.ts';
import { openReportTools, report } from '../../../testing/line-report.ts';

let scene: ImportScene;
beforeAll(async () => {
  scene = await createImportScene(await openReportTools());
});
afterAll(() => scene.test.drop());

const component = (name: string, version: string, more: Partial<Component> = {}): Component => ({
  kind: 'component',
  ref: `${name}@${version}`,
  name,
  version,
  purl: `pkg:npm/${name}@${version}`,
  ...more,
});
const state = () =>
  scene.rows<{ name: string; removed: boolean; needs: string | null; id: string }>(
    `select c.id, c.name || ' ' || c.version as name, c.removed_at is not null as removed,
       (select string_agg(t.name, ',' order by t.name) from component_edges e join components t on t.id = e.to_id where e.from_id = c.id) as needs
     from components c order by c.name, c.version`,
  );

test('the inventory follows the newest report of its scope and keeps what is gone, marked', async () => {
  const app = component('app', '1', { dependsOn: ['left@1', 'right@1', 'nowhere@1'] });
  const first = report(app, component('left', '1'), component('right', '1'), component('right', '1', { ref: 'again' }));
  expect(await scene.import('scanner', first)).toMatchObject({ total: 0, components: 4 });
  const before = await state();
  expect(before.map(({ name, removed, needs }) => [name, removed, needs])).toEqual([
    ['app 1', false, 'left,right'],
    ['left 1', false, null],
    ['right 1', false, null],
  ]);
  await scene.import(
    'scanner',
    report(component('app', '1', { dependsOn: ['left@2'] }), component('left', '2'), component('right', '1')),
  );
  expect((await state()).map(({ name, removed, needs }) => [name, removed, needs])).toEqual([
    ['app 1', false, 'left'],
    ['left 1', true, null],
    ['left 2', false, null],
    ['right 1', false, null],
  ]);
  // one import is one moment of the inventory: its changes are read by these times (sbom)
  expect(
    await scene.rows(
      `select distinct 1 as moment from components a join components b on b.first_seen = a.removed_at
       where a.name = 'left' and a.version = '1' and b.name = 'left' and b.version = '2'`,
    ),
  ).toHaveLength(1);
  await scene.import('other', report(component('mine', '1')));
  await scene.import('scanner', first);
  const after = await state();
  expect(after.filter((row) => !row.removed).map((row) => row.name)).toEqual(['app 1', 'left 1', 'mine 1', 'right 1']);
  expect(after.find((row) => row.name === 'left 1')?.id).toBe(before[1]?.id);
});

test('the licences of a component are judged, and judged again', async () => {
  const classes = async () =>
    (await scene.rows<{ license_class: string }>(`select license_class from components where name = 'licensed'`)).map(
      (row) => row.license_class,
    );
  const licensed = (licenses: string[]) => scene.import('sarif', report(component('licensed', '1', { licenses })));
  await licensed(['MIT', '(GPL-3.0-only OR Apache-2.0)']);
  expect(await classes()).toEqual(['permissive']);
  await licensed(['MIT', 'AGPL-3.0-only']);
  expect(await classes()).toEqual(['network_copyleft']);
  await licensed([]);
  expect(await classes()).toEqual(['unknown']);
});

test('an inventory with unreadable parts removes nothing', async () => {
  await scene.import('other', report('?', component('new', '1')));
  expect((await state()).find((row) => row.name === 'mine 1')?.removed).toBe(false);
});
