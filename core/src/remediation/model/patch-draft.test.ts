import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../testing/property-runs.ts';
import {
  countLines,
  type DraftFile,
  type DraftHunk,
  editorText,
  isWhitespaceOnly,
  readDraft,
  withEditorText,
  writeDraft,
} from './patch-draft.ts';
import { applyPatch, readDiff, writeDiff } from './unified-diff.ts';

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `${index + 1}\n`);
const BEFORE = numbered(40).join('');
const diffOf = (after: string, before = BEFORE): string => writeDiff([{ path: 'a.txt', before, after }]);
const applied = (diff: string, before = BEFORE): string | null => {
  const [patch] = readDiff(diff);
  return patch === undefined ? before : applyPatch(before, patch);
};
const changed = (draft: readonly DraftFile[], at: number, change: (hunk: DraftHunk) => DraftHunk): DraftFile[] =>
  draft.map((file) => ({ ...file, hunks: file.hunks.map((hunk, index) => (index === at ? change(hunk) : hunk)) }));

const line = fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n', '-x\n', '+y\n', '\\ z\n', '@@ -1 +1 @@\n');
const text = fc
  .tuple(fc.array(line, { maxLength: 60 }), fc.constantFrom('', 'end', ' '))
  .map(([lines, end]) => lines.join('') + end);

test('a diff that nobody touched comes back as it was', () => {
  fc.assert(
    fc.property(fc.option(text), fc.option(text), (before, after) => {
      fc.pre(before !== after);
      const diff = writeDiff([{ path: 'a b.txt', before, after }]);
      expect(writeDraft(readDraft(diff))).toBe(diff);
    }),
    { numRuns: propertyRuns(200) },
  );
});

test('whatever hunks are left, the others apply', () => {
  fc.assert(
    fc.property(text, text, fc.array(fc.boolean(), { maxLength: 20 }), (before, after, taken) => {
      fc.pre(before !== after);
      const [file] = readDraft(diffOf(after, before));
      const hunks = (file?.hunks ?? []).map((hunk, index) => ({ ...hunk, isTaken: taken[index] ?? true }));
      const diff = writeDraft(file === undefined ? [] : [{ ...file, hunks }]);
      const result = applied(diff, before);
      if (hunks.every(({ isTaken }) => isTaken)) expect(result).toBe(after);
      if (hunks.every(({ isTaken }) => !isTaken)) expect(result).toBe(before);
    }),
    { numRuns: propertyRuns(200) },
  );
});

test('one of two hunks is left, the other is edited', () => {
  const draft = readDraft(diffOf(BEFORE.replace('\n3\n', '\nthree\n').replace('\n30\n', '\nthirty\n')));
  const left = changed(draft, 0, (hunk) => ({ ...hunk, isTaken: false }));
  const edited = changed(left, 1, (hunk) => withEditorText(hunk, editorText(hunk).after.replace('thirty', 'dreißig')));
  expect(applied(writeDraft(edited))).toBe(BEFORE.replace('\n30\n', '\ndreißig\n'));
  expect(countLines(edited[0]?.hunks ?? [])).toEqual({ added: 1, removed: 1 });
  // what is edited back to what it was is no change
  const back = changed(left, 1, (hunk) => withEditorText(hunk, editorText(hunk).before));
  expect(writeDraft(back)).toBe('');
});

test('ends of lines stay those of the file', () => {
  const windows = 'one\r\ntwo\r\nthree\r\n';
  const [file] = readDraft(diffOf(windows.replace('two', 'zwei'), windows));
  const hunk = file?.hunks[0];
  if (file === undefined || hunk === undefined) throw new Error('no hunk');
  expect(editorText(hunk)).toEqual({ before: 'one\ntwo\nthree', after: 'one\nzwei\nthree' });
  const edited = { ...file, hunks: [withEditorText(hunk, 'one\nzwei\nmore\nthree')] };
  expect(applied(writeDraft([edited]), windows)).toBe('one\r\nzwei\r\nmore\r\nthree\r\n');
});

test('the last line of a file keeps that it has no end', () => {
  const [file] = readDraft(diffOf('one\nzwei', 'one\ntwo'));
  const hunk = file?.hunks[0];
  if (file === undefined || hunk === undefined) throw new Error('no hunk');
  const edited = { ...file, hunks: [withEditorText(hunk, 'one\nzwei\nthree')] };
  expect(applied(writeDraft([edited]), 'one\ntwo')).toBe('one\nzwei\nthree');
});

test('a deleted file of which a line is kept is no deleted file', () => {
  const [file] = readDraft(writeDiff([{ path: 'a.txt', before: 'one\ntwo\n', after: null }]));
  const hunk = file?.hunks[0];
  if (file === undefined || hunk === undefined) throw new Error('no hunk');
  expect(applied(writeDraft([file]), 'one\ntwo\n')).toBeNull();
  expect(applied(writeDraft([{ ...file, hunks: [withEditorText(hunk, 'one')] }]), 'one\ntwo\n')).toBe('one\n');
});

test('changes of blanks alone are told apart', () => {
  const hunk = (before: string, after: string): DraftHunk => ({ start: 0, before, after, isTaken: true });
  expect(isWhitespaceOnly(hunk('a b\n', 'a  b\r\n'))).toBe(true);
  expect(isWhitespaceOnly(hunk('a b\n', 'a c\n'))).toBe(false);
  expect(isWhitespaceOnly(hunk('a b\n', 'a b\n'))).toBe(false);
});
