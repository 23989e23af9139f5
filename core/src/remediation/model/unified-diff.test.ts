import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { propertyRuns } from '../../testing/property-runs.ts';
import { applyPatch, effectOf, readDiff, snippetsOf, writeDiff } from './unified-diff.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'breakwater-diff-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
/** What the real git makes of a file and a diff. */
const applyByGit = (before: string | null, diff: string, name: string): string | null => {
  count += 1;
  const place = path.join(folder, String(count));
  mkdirSync(path.dirname(path.join(place, name)), { recursive: true });
  if (before !== null) writeFileSync(path.join(place, name), before);
  const env = { PATH: process.env['PATH'] ?? '', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CEILING_DIRECTORIES: folder };
  execFileSync('git', ['apply', '--whitespace=nowarn', '-'], { cwd: place, input: diff, env });
  try {
    return readFileSync(path.join(place, name), 'utf8');
  } catch {
    return null;
  }
};

const line = fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n', '-x\n', '+y\n', '\\ z\n', '@@ -1 +1 @@\n', '\ufeffd\n');
const text = fc
  .tuple(fc.array(line, { maxLength: 40 }), fc.constantFrom('', 'end', ' '))
  .map(([lines, end]) => lines.join('') + end);

test('what is written is read and applied to the very text, as git does it', () => {
  fc.assert(
    fc.property(fc.option(text), fc.option(text), (before, after) => {
      fc.pre(before !== after);
      const diff = writeDiff([{ path: 'some dir/a b.txt', before, after }]);
      const [patch] = readDiff(diff);
      if (patch === undefined) throw new Error('no file');
      expect(applyPatch(before, patch)).toBe(after);
      expect(applyByGit(before, diff, 'some dir/a b.txt')).toBe(after);
    }),
    { numRuns: propertyRuns(40) },
  );
});

const numbered = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index}\n`).join('');
const change = { path: 'a.txt', before: numbered(1, 40), after: numbered(1, 40).replace('20\n', 'twenty\n') };
const only = (diff: string) => {
  const [patch] = readDiff(diff);
  if (patch === undefined) throw new Error('no file');
  return patch;
};

test('only what changes stands in the diff, with three lines around it', () => {
  expect(writeDiff([change, { path: 'same', before: 'x', after: 'x' }])).toBe(
    'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -17,7 +17,7 @@\n 17\n 18\n 19\n-20\n+twenty\n 21\n 22\n 23\n',
  );
  expect(snippetsOf(readDiff(writeDiff([change])))).toEqual({
    before: '17\n18\n19\n20\n21\n22\n23\n',
    after: '17\n18\n19\ntwenty\n21\n22\n23\n',
  });
});

test('a moved place is found where it is asked for and stands once', () => {
  const patch = only(writeDiff([change]));
  const moved = `0\n${change.before}`;
  expect(() => applyPatch(moved, patch)).toThrow('line 17 of “a.txt” does not fit');
  expect(applyPatch(moved, patch, { mayMove: true })).toBe(`0\n${change.after}`);
  expect(() => applyPatch(moved + moved, patch, { mayMove: true })).toThrow('does not fit');
  expect(() => applyPatch(moved.replace('19\n', ''), patch, { mayMove: true })).toThrow('does not fit');
  const there = only(writeDiff([{ path: 'a.txt', before: moved, after: `0\n${change.after}` }]));
  expect(effectOf([there])).toBe(effectOf([patch]));
});

test('a rewritten file of many lines is one replacement within a moment', () => {
  const before = Array.from({ length: 9000 }, (_, index) => `old ${index}\n`).join('');
  const after = Array.from({ length: 9000 }, (_, index) => `new ${index}\n`).join('');
  expect(applyPatch(before, only(writeDiff([{ path: 'a', before, after }])))).toBe(after);
});

describe('refused is', () => {
  const head = 'diff --git a/a b/a\n--- a/a\n+++ b/a\n';
  test.each([
    ['what is no diff', 'hello', 'Line 1'],
    ['a rename', 'diff --git a/a b/a\nrename from a\nrename to b\n', 'no renames'],
    ['two names', '--- a/a\n+++ b/b\n@@ -1 +1 @@\n-x\n+y\n', 'several files'],
    ['another name in the head', 'diff --git a/a b/a\n--- a/b\n+++ b/b\n@@ -1 +1 @@\n-x\n+y\n', 'several files'],
    ['a mode', 'diff --git a/a b/a\nold mode 100644\nnew mode 100755\n', 'modes'],
    [
      'a link that is made',
      'diff --git a/a b/a\nnew file mode 120000\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+/etc/passwd\n',
      'no part',
    ],
    ['a binary file', 'diff --git a/a b/a\nGIT binary patch\nliteral 1\n', 'binary'],
    ['no hunk', head, 'hunk must follow'],
    ['a hunk that is cut off', `${head}@@ -1,2 +1,2 @@\n-x\n+y\n`, 'in the middle'],
    ['a hunk of other figures', `${head}@@ -1,1 +1,2 @@\n-x\n-z\n`, 'other lines'],
    ['figures beyond all files', `${head}@@ -999999999 +1 @@\n-x\n`, 'too large'],
    ['one file twice', `${head}@@ -1 +1 @@\n-x\n+y\n`.repeat(2), 'twice'],
    ['an absolute name', '--- /etc/passwd\n+++ /etc/passwd\n@@ -1 +1 @@\n-x\n+y\n', 'begin with “a/”'],
  ])('%s', (_name, diff, why) => {
    expect(() => readDiff(diff)).toThrow(why);
  });

  test('a name that needs quoting', () => {
    expect(() => writeDiff([{ path: 'a\nb', before: '', after: 'x' }])).toThrow('no path');
  });

  test('a file that is not there, or is there already', () => {
    expect(() => applyPatch(null, only(writeDiff([change])))).toThrow('not in the repository');
    expect(() => applyPatch('x', only(writeDiff([{ path: 'a', before: null, after: 'y' }])))).toThrow('there already');
  });
});
