import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
// @ts-expect-error: a plain script without types, so that it runs on any Node
import { missingOptional } from './complete-lock.mjs';

const text = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8');
const lock = JSON.parse(text);

test('the lock has every optional package, so that npm ci works on each platform', () => {
  expect(missingOptional(lock)).toEqual([]);
});

test('a package left out of the lock is noticed', () => {
  const packages = { '': {}, 'node_modules/a': { optionalDependencies: { 'a-linux-x64': '1.0.0' } } };
  expect(missingOptional({ packages })).toHaveLength(1);
});

test('the lock holds no download address', () => {
  expect(text).not.toMatch(/"resolved": "https?:/);
});
