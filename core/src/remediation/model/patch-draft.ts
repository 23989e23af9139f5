import { editsBetween } from './line-edits.ts';
import { type Hunk, headOf, linesOf, rangeOf, readDiff, written } from './unified-diff.ts';

/** One hunk of a diff while a person works on it. */
export interface DraftHunk {
  /** 0-based line of the file at which it begins, before the change. */
  readonly start: number;
  /** Its lines before the change, with what stands around them. */
  readonly before: string;
  /** The same lines after it. */
  readonly after: string;
  /** False: the file stays there as it is. */
  readonly isTaken: boolean;
}

/** The hunks of one file. */
export interface DraftFile {
  readonly path: string;
  readonly isNew: boolean;
  readonly isDeleted: boolean;
  readonly hunks: readonly DraftHunk[];
}

const sideOf = ({ lines }: Hunk, left: '-' | '+'): string =>
  lines
    .filter(({ kind }) => kind === ' ' || kind === left)
    .map(({ text }) => text)
    .join('');

/** What a diff holds, hunk by hunk, all of them taken. @throws DiffError */
export const readDraft = (diff: string): DraftFile[] =>
  readDiff(diff).map(({ hunks, ...file }) => ({
    ...file,
    hunks: hunks.map((hunk) => ({
      start: hunk.start,
      before: sideOf(hunk, '-'),
      after: sideOf(hunk, '+'),
      isTaken: true,
    })),
  }));

/** What of a hunk is written: nothing of one that is left, or that changes nothing. */
const isWritten = ({ isTaken, before, after }: DraftHunk): boolean => isTaken && before !== after;

const hunkLines = ({ before, after }: DraftHunk): string => {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  let text = '';
  let at = 0;
  for (const { from, to, newFrom, newTo } of editsBetween(old, fresh)) {
    for (; at < from; at += 1) text += written(' ', old[at] ?? '');
    for (; at < to; at += 1) text += written('-', old[at] ?? '');
    for (const line of fresh.slice(newFrom, newTo)) text += written('+', line);
  }
  for (; at < old.length; at += 1) text += written(' ', old[at] ?? '');
  return text;
};

const isFileWritten = ({ isNew, isDeleted, hunks }: DraftFile): boolean =>
  hunks.some(isWritten) || ((isNew || isDeleted) && hunks.length === 0);

const fileText = (file: DraftFile): string => {
  const { path, isNew, isDeleted, hunks } = file;
  // a file of which only a part is taken away stays
  const isGone = isDeleted && hunks.every((hunk) => isWritten(hunk) && hunk.after === '');
  const isEmpty = hunks.length === 0;
  const content = isEmpty ? '' : 'x';
  let text = headOf({ path, before: isNew ? null : content, after: isGone ? null : content });
  let offset = 0;
  for (const hunk of hunks.filter(isWritten)) {
    const [old, fresh] = [linesOf(hunk.before).length, linesOf(hunk.after).length];
    text += `@@ -${rangeOf(hunk.start, old)} +${rangeOf(hunk.start + offset, fresh)} @@\n${hunkLines(hunk)}`;
    offset += fresh - old;
  }
  return text;
};

/** The diff of a draft; empty where nothing of it is taken. */
export const writeDraft = (files: readonly DraftFile[]): string => files.filter(isFileWritten).map(fileText).join('');

/** Added and removed lines of hunks. */
export const countLines = (hunks: readonly DraftHunk[]): { added: number; removed: number } => {
  let [added, removed] = [0, 0];
  for (const { before, after } of hunks.filter(isWritten)) {
    for (const { from, to, newFrom, newTo } of editsBetween(linesOf(before), linesOf(after))) {
      removed += to - from;
      added += newTo - newFrom;
    }
  }
  return { added, removed };
};

const withoutBlanks = (text: string): string => text.replaceAll(/\s+/g, '');

/** Whether the hunk changes nothing but blanks, tabs and ends of lines. */
export const isWhitespaceOnly = ({ before, after }: DraftHunk): boolean =>
  before !== after && withoutBlanks(before) === withoutBlanks(after);

/** How an editor shows the lines of a hunk: ends of lines are all `\n`, and the last line has none. */
export interface EditorText {
  readonly before: string;
  readonly after: string;
}

const WINDOWS_END = /\r\n/g;
/** Lines that all end as Windows ends them: an editor shows the ends as any others, and they are put back. */
const isWindows = ({ before, after }: DraftHunk): boolean => {
  const all = before + after;
  return all.includes('\r\n') && !/(?<!\r)\n/.test(all);
};

const withoutEnd = (text: string): string => (text.endsWith('\n') ? text.slice(0, -1) : text);

export const editorText = (hunk: DraftHunk): EditorText => {
  const shown = (text: string): string => withoutEnd(isWindows(hunk) ? text.replaceAll(WINDOWS_END, '\n') : text);
  return { before: shown(hunk.before), after: shown(hunk.after) };
};

/** The hunk with what somebody wrote in the editor. Text that was not touched comes back byte by byte. */
export const withEditorText = (hunk: DraftHunk, text: string): DraftHunk => {
  if (text === editorText(hunk).after) return hunk;
  // only the last line of a file may have no end, and then it had none before
  const isEndOfFile = hunk.before !== '' && !hunk.before.endsWith('\n');
  const whole = text === '' || isEndOfFile ? text : `${text}\n`;
  return { ...hunk, after: isWindows(hunk) ? whole.replaceAll('\n', '\r\n') : whole };
};
