import { expect, test } from 'vitest';
import { packageChanges } from './inventory-changes.ts';

const of = (name: string, version: string | null, isAdded: boolean, ecosystem: string | null = 'npm') => ({
  ...{ name, version, isAdded, ecosystem },
});
const kinds = (...versions: ReturnType<typeof of>[]) =>
  packageChanges(versions).map(({ kind, name }) => `${name} ${kind}`);

test('versions of one package are one change, by the order of its ecosystem', () => {
  expect(kinds(of('qs', '6.9.0', false), of('qs', '6.10.0', true))).toEqual(['qs upgraded']);
  expect(kinds(of('qs', '6.10.0', false), of('qs', '6.9.0', true))).toEqual(['qs downgraded']);
  expect(kinds(of('qs', '6.9.0', true), of('debug', '2.0.0', false))).toEqual(['qs added', 'debug removed']);
});

test('what has no order, or several versions, is changed', () => {
  expect(kinds(of('qs', '6.9.0', false), of('qs', '6.10.0', true), of('qs', '5.0.0', true))).toEqual(['qs changed']);
  expect(kinds(of('a', '1', false, null), of('a', '2', true, null))).toEqual(['a changed']);
  expect(kinds(of('qs', null, false), of('qs', '1.0.0', true))).toEqual(['qs changed']);
});

test('the same name in two ecosystems is two packages', () => {
  expect(kinds(of('debug', '1.0.0', false, 'pypi'), of('debug', '2.0.0', true))).toEqual([
    'debug removed',
    'debug added',
  ]);
});
