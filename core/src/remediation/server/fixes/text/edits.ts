/** A stretch of a text that is replaced, by UTF-16 offsets; `start` equals `end` where something is inserted. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits that do not overlap; all other characters stay. @throws Error for edits that overlap or lie outside. */
export const applyEdits = (text: string, edits: readonly TextEdit[]): string => {
  const parts: string[] = [];
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (edit.start < at || edit.end < edit.start || edit.end > text.length) throw new Error('edits overlap');
    parts.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  return parts.join('') + text.slice(at);
};

/** The line end that a file uses: that of its first line. */
export const lineEndOf = (text: string): '\r\n' | '\n' => (/^[^\n]*\r\n/.test(text) ? '\r\n' : '\n');

/** A line with its place in the text; `text` without its line end, which `end` lies before. */
export interface Line {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Lines of a text, split at CR LF, LF and CR alone. */
export const linesOf = (text: string): Line[] => {
  const lines: Line[] = [];
  let start = 0;
  for (const match of text.matchAll(/\r\n|\n|\r/g)) {
    lines.push({ text: text.slice(start, match.index), start, end: match.index });
    start = match.index + match[0].length;
  }
  lines.push({ text: text.slice(start), start, end: text.length });
  return lines;
};

/** The mark some editors put before a text. Offsets of a text without it are one lower. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** The blanks between the start of a line and an offset; undefined where something else stands there. */
export const indentBefore = (text: string, offset: number): string | undefined => {
  let start = offset;
  while (start > 0 && (text[start - 1] === ' ' || text[start - 1] === '\t')) start -= 1;
  return start === 0 || text[start - 1] === '\n' || text[start - 1] === '\r' ? text.slice(start, offset) : undefined;
};
