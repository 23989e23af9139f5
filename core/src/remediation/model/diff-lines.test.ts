import { expect, test } from 'vitest';
import { diffFiles, withoutLineNumbers } from './diff-lines.ts';
import { writeDiff } from './unified-diff.ts';

test('lines that look like heads of a diff are lines', () => {
  const files = diffFiles(writeDiff([{ path: 'a', before: '-- x\n', after: '++ y\n' }]));
  expect(files).toEqual([
    {
      path: 'a',
      lines: [
        { kind: 'head', text: '@@ -1,1 +1,1 @@' },
        { kind: 'del', text: '--- x' },
        { kind: 'add', text: '+++ y' },
      ],
    },
  ]);
});

const PLAIN = 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n';
const NUMBERED =
  'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n        1  same\n        2 -old\n        2:+new\n';

test('numbers before the lines are taken off, where every line has one', () => {
  expect(withoutLineNumbers(NUMBERED)).toBe(PLAIN);
  expect(diffFiles(NUMBERED)).toEqual(diffFiles(PLAIN));
});

test('code that begins with blanks and figures is no number of a line', () => {
  const code = '@@ -1,2 +1,2 @@\n         1 + 2\n-old\n+new\n';
  expect(withoutLineNumbers(code)).toBe(code);
  expect(withoutLineNumbers(PLAIN)).toBe(PLAIN);
});
