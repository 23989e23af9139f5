import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { writeDiff } from '../../model/unified-diff.ts';
import { ComposedFiles } from './compose.ts';

const TEXT = 'a==1\nb==1\nc==1\nd==1\ne==1\nf==1\ng==1\nh==1\ni==1\n';
const sha256 = (text: string | null) => (text === null ? null : createHash('sha256').update(text).digest('hex'));
const file = (path: string, content: string | null) => ({ path, content, sha256: sha256(content) });
/** A fix of files as they were when it was made. */
const fix = (...changes: [path: string, before: string | null, after: string | null][]) => ({
  code_diff: writeDiff(changes.map(([path, before, after]) => ({ path, before, after }))),
  files: changes.map(([path, before]) => ({ path, sha256: sha256(before) })),
});
const bump = (name: string, to = 2) => fix(['req.txt', TEXT, TEXT.replace(`${name}==1`, `${name}==${to}`)]);

test('fixes of one file are put together one after the other; one whose lines another changed is refused as a whole', () => {
  const files = new ComposedFiles([file('req.txt', TEXT), file('other.txt', 'x\n')]);
  expect(files.add(bump('a'))).toBe('added');
  expect(files.add(bump('i'))).toBe('added');
  // the same change of another finding
  expect(files.add(bump('a'))).toBe('added');
  const both = fix(['other.txt', 'x\n', 'y\n'], ['req.txt', TEXT, TEXT.replace('a==1', 'a==3')]);
  expect(files.add(both)).toBe('conflict');
  expect(files.changes).toEqual([{ path: 'req.txt', content: TEXT.replace('a==1', 'a==2').replace('i==1', 'i==2') }]);
});

test('what somebody changed at the provider is told from what another fix changed; files come and go', () => {
  const files = new ComposedFiles([
    file('req.txt', TEXT.replace('a==1', 'a==9')),
    file('old', 'o\n'),
    file('new', null),
  ]);
  expect(files.add(bump('a'))).toBe('moved');
  expect(files.add(bump('i'))).toBe('added');
  expect(files.add(fix(['old', 'o\n', null], ['new', null, 'n\n']))).toBe('added');
  expect(files.changes.map(({ path, content }) => [path, content?.slice(0, 5) ?? null])).toEqual([
    ['req.txt', 'a==9\n'],
    ['old', null],
    ['new', 'n\n'],
  ]);
});

test('a lock file that has changed is never put together by lines', () => {
  const lock = (version: number) => `{\n  "version": ${version}\n}\n`;
  const files = new ComposedFiles([file('package-lock.json', lock(1))]);
  const upgrade = (to: number) => fix(['package-lock.json', lock(1), lock(to)]);
  expect(files.add(upgrade(2))).toBe('added');
  expect(files.add(upgrade(2))).toBe('added');
  expect(files.add(upgrade(3))).toBe('plan-anew');
  files.put([{ path: 'package-lock.json', content: lock(4) }]);
  expect([...files.overlay]).toEqual([['package-lock.json', lock(4)]]);
});
