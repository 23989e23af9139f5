import { expect, it } from 'vitest';
import { measure } from './mutate.ts';
import { pierWatch } from './pier-watch.ts';

const SOME = [
  'a field without which nothing works is not required',
  'projects after the first page are left out',
  'the worst level is a high one',
  'records of an uploaded report have the wrong rule',
];

it('the kit alone catches what is planted into a connector that passes, and misses what changes nothing', {
  timeout: 120_000,
}, async () => {
  const planted = pierWatch.faults.filter(({ name }) => SOME.includes(name));
  const harmless = { name: 'other words', file: 'connector.json', find: 'every project', replace: 'all projects' };
  const { outcomes } = await measure({ ...pierWatch, faults: [...planted, harmless] });
  expect(outcomes.map(({ name }) => name)).toEqual([...SOME, 'other words']);
  expect(outcomes.filter(({ issue }) => issue === null)).toEqual([{ name: 'other words', issue: null }]);
});

it.each([
  ['nowhere in the file', 0],
  ['"map": {', 3],
])('a fault whose text does not stand there exactly once stops the run: %s', async (find, times) => {
  const fault = { name: 'one', file: 'connector.json', find, replace: '' };
  await expect(measure({ ...pierWatch, faults: [fault] })).rejects.toThrow(
    `stands in connector.json ${times} times, not once`,
  );
});
