import { expect, test } from 'vitest';
import { recordsAt } from './records.ts';

test('the list is found by its names, and an empty one is no missing one', () => {
  expect(recordsAt([1, 2], undefined)).toEqual([{ input: 1 }, { input: 2 }]);
  expect(recordsAt({ data: { nodes: [] } }, 'data.nodes')).toEqual([]);
  expect(recordsAt({ data: { nodes: [1] } }, 'data.nodes')).toEqual([{ input: 1, parent: { nodes: [1] } }]);
});

test('a list on the way is gone through, and each record knows whose it is', () => {
  const files = [
    { name: 'a', issues: [1, 2] },
    { name: 'b', issues: [] },
    { name: 'c', issues: [3] },
  ];
  const records = recordsAt({ files }, 'files.issues');
  expect(records.map(({ input }) => input)).toEqual([1, 2, 3]);
  expect(records.map(({ parent }) => parent)).toEqual([files[0], files[0], files[2]]);
});

test('an answer that is a list of lists is gone through where the document says so', () => {
  expect(recordsAt([{ issues: [1] }, { issues: [2] }], '$.issues').map(({ input }) => input)).toEqual([1, 2]);
});

test.each<[unknown, string | undefined, string]>([
  [{}, undefined, 'The answer is no list'],
  ['text', undefined, 'The answer is no list'],
  [{}, 'data.nodes', '"data" is missing'],
  [null, 'data', '"data" is missing'],
  [{ data: { nodes: {} } }, 'data.nodes', '"data.nodes" is no list'],
  [{ files: [{ issues: [] }, {}] }, 'files.issues', '"files.issues" is missing'],
  [{}, '__proto__', '"__proto__" is missing'],
  [[], 'data.nodes', '"data" is missing'],
])('%j at %s: %s', (answer, path, words) => {
  expect(() => recordsAt(answer, path)).toThrow(words);
});
