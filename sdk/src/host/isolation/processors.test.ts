import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { halfOfProcessors, processorsOf } from './processors.ts';

it.each([
  ['0-3', [0, 1, 2, 3]],
  ['0-1,4,6-7', [0, 1, 4, 6, 7]],
  ['5', [5]],
  ['', []],
  ['a-b', []],
])('reads %s', (list, numbers) => {
  expect(processorsOf(list)).toEqual(numbers);
});

it.each([
  ['0-3', '2,3'],
  ['4-6', '6'],
  ['0,2', '2'],
  ['3', null],
])('leaves the server half of %s', async (list, half) => {
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-status-'));
  const file = join(folder, 'status');
  await writeFile(file, `Name:\tnode\nCpus_allowed:\tff\nCpus_allowed_list:\t${list}\nMems_allowed:\t1\n`);
  expect(halfOfProcessors(file)).toBe(half);
  await rm(folder, { recursive: true });
});

it('limits nothing where the system does not say', () => {
  expect(halfOfProcessors('/nowhere')).toBeNull();
});
