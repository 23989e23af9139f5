import { expect, test } from 'vitest';
import { pauseSeconds } from './lookup-answer.ts';
import { readPublished, releaseOf } from './newest-published.ts';

const at = (ecosystem: string | null, version: string | null, versions: Record<string, string | null>) =>
  releaseOf({ ecosystem, version }, versions);

test('the newest is the highest by the order of the ecosystem, without pre-releases', () => {
  const versions = {
    '1.9.0': '2020-01-01',
    '1.10.0': '2021-01-01',
    '2.0.0-rc.1': '2022-01-01',
    nonsense: '2023-01-01',
  };
  expect(at('npm', '1.9.0', versions)).toEqual({
    released_on: '2020-01-01',
    newest_version: '1.10.0',
    newest_released_on: '2021-01-01',
  });
  expect(at('npm', '1.10.0', versions)).toMatchObject({ newest_version: '1.10.0', newest_released_on: '2021-01-01' });
  // who uses a pre-release is told of later ones
  expect(at('npm', '2.0.0-beta.1', versions)).toMatchObject({ released_on: null, newest_version: '2.0.0-rc.1' });
  // above all that is published: nothing newer
  expect(at('npm', '3.0.0', versions)).toMatchObject({ newest_version: '3.0.0', newest_released_on: null });
});

test.each([
  ['pypi', '1.0', { '1.0': null, '1.1rc1': null, '1.0.post1': null, '1.1.dev0': null }, '1.0.post1'],
  ['maven', '1.0', { '1.0': null, '1.1-SNAPSHOT': null, '31.1-jre': null, '20040616': null }, '31.1-jre'],
  ['maven', '20030203', { '1.0': null, '20040616': null }, '20040616'],
  ['gem', '1.0.0', { '1.0.0': null, '1.1.0.rc1': null, '1.0.10': null }, '1.0.10'],
  ['golang', 'v1.2.0', { 'v1.2.0': null, 'v1.3.0': null, 'v0.0.0-20230101000000-abcdefabcdef': null }, 'v1.3.0'],
  ['cargo', '0.9.0', { '0.9.0': null, '0.10.0': null, '1.0.0-alpha.1': null }, '0.10.0'],
])('%s %s: %j', (ecosystem, version, versions, newest) => {
  expect(at(ecosystem, version, versions).newest_version).toBe(newest);
});

test('a version is found however it is written, and without an order only its day is known', () => {
  expect(at('npm', 'v1.2', { '1.2.0': '2020-01-01' }).released_on).toBe('2020-01-01');
  expect(at('nuget', '1.2.3.4', { '1.2.3.4': '2020-01-01', '2.0.0': null })).toEqual({
    released_on: '2020-01-01',
    newest_version: null,
    newest_released_on: null,
  });
  expect(at(null, '1', { 1: '2020-01-01' })).toMatchObject({ released_on: '2020-01-01', newest_version: null });
  expect(at('npm', null, { '1.0.0': '2020-01-01' }).newest_version).toBeNull();
  expect(at('npm', 'constructor', { '1.0.0': '2020-01-01' }).released_on).toBeNull();
});

test('an answer is read tolerantly, and what is none is refused', () => {
  const now = new Date('2026-11-26T12:00:00Z');
  const one = (version: unknown, publishedAt?: unknown) => ({ versionKey: { version }, publishedAt });
  const read = (...versions: unknown[]) => readPublished({ packageKey: {}, versions }, now);
  expect(read(one('1.0.0', '2020-05-01T23:00:00Z'), one('1.1.0'), one('2.0.0', 'soon'), one('3.0.0', 7))).toEqual({
    '1.0.0': '2020-05-01',
    '1.1.0': null,
    '2.0.0': null,
    '3.0.0': null,
  });
  expect(read(one('1', '1815-01-01T00:00:00Z'), one('2', '2031-01-01T00:00:00Z'))).toEqual({ 1: null, 2: null });
  expect(read(one('<b>1</b>'), one('a b'), one('9'.repeat(200)), one('__proto__'))).toEqual(
    Object.fromEntries([['__proto__', null]]),
  );
  expect(read()).toBeUndefined();
  expect(read(one(7))).toBeUndefined();
  for (const wrong of [null, 'text', [], {}, { versions: {} }, { versions: [null] }]) {
    expect(readPublished(wrong, now)).toBeUndefined();
  }
  expect(read(...Array.from({ length: 100_000 }, (_, index) => one(`1.0.${index}`)))).toBeUndefined();
});

test('a service that refuses is left alone as long as it asks for, within bounds', () => {
  const now = new Date('2026-11-26T12:00:00Z');
  expect(pauseSeconds('120', 0, now)).toBe(120);
  expect(pauseSeconds('0', 0, now)).toBe(60);
  expect(pauseSeconds('99999999', 0, now)).toBe(86_400);
  expect(pauseSeconds('Thu, 26 Nov 2026 12:30:00 GMT', 0, now)).toBe(1800);
  expect(pauseSeconds('whenever', 0, now)).toBe(300);
  expect([0, 1, 2, 50].map((failures) => pauseSeconds(null, failures, now))).toEqual([300, 600, 1200, 21_600]);
});
