import { expect, test } from 'vitest';
import { branchNameOf, isBranchName } from './branch.ts';

test.each([
  ['refs/heads/feature/x', 'feature/x'],
  ['  main ', 'main'],
  ['refs/pull/7/merge', 'refs/pull/7/merge'],
  ['refs/heads/', undefined],
  ['', undefined],
  [undefined, undefined],
])('%j names the branch %j', (text, name) => {
  expect(branchNameOf(text)).toBe(name);
});

test('a name is text of at most 255 characters without control characters', () => {
  expect(isBranchName('топик/ä b')).toBe(true);
  expect(isBranchName('a'.repeat(255))).toBe(true);
  expect(isBranchName('a'.repeat(256))).toBe(false);
  expect(isBranchName('a\0b')).toBe(false);
  expect(isBranchName('a\nb')).toBe(false);
});
