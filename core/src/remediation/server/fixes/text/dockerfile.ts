import { type Line, linesOf } from './edits.ts';

/** One instruction with its offsets; continued lines and the texts of heredocs belong to it. */
export interface Instruction {
  /** Upper case: FROM, RUN, USER … */
  readonly keyword: string;
  readonly start: number;
  /** Behind its last character, before the line end. */
  readonly end: number;
  /** Where what follows the keyword begins. */
  readonly argumentsStart: number;
  readonly firstLine: number;
  readonly lastLine: number;
  /** Number of the build stage, from 0; -1 before the first FROM. */
  readonly stage: number;
}

/** The sign at the end of a line that goes on. */
const continuationOf = (lines: readonly Line[]): string => {
  for (const { text } of lines) {
    const directive = /^#[ \t]*(\w+)[ \t]*=[ \t]*(\S+)[ \t]*$/.exec(text);
    if (directive === null) return '\\';
    if (directive[1]?.toLowerCase() === 'escape' && directive[2] === '`') return '`';
  }
  return '\\';
};

/** Words that end the heredocs of an instruction: `RUN <<EOF`, `COPY <<-"a" <<b /x/`. */
const heredocsOf = (keyword: string, text: string): string[] =>
  ['RUN', 'COPY', 'ADD'].includes(keyword)
    ? [...text.matchAll(/<<-?(["']?)(\w+)\1/g)].map(([, , word = '']) => word)
    : [];

/** Index of the last line of the instruction that begins at `first`. */
const lastLineOf = (lines: readonly Line[], first: number, continuation: string, keyword: string): number => {
  let last = first;
  let isContinued = (lines[first]?.text ?? '').trimEnd().endsWith(continuation);
  while (isContinued && last + 1 < lines.length) {
    last += 1;
    const text = lines[last]?.text ?? '';
    // comments and empty lines between do not end it
    if (text.trim() !== '' && !text.trim().startsWith('#')) isContinued = text.trimEnd().endsWith(continuation);
  }
  const head = lines.slice(first, last + 1).map(({ text }) => text);
  for (const word of heredocsOf(keyword, head.join('\n'))) {
    const end = lines.findIndex(({ text }, index) => index > last && text.trim() === word);
    if (end === -1) return lines.length - 1;
    last = end;
  }
  return last;
};

/** Instructions of a Dockerfile in order. Source: docs.docker.com/reference/dockerfile. */
export const readDockerfile = (text: string): Instruction[] => {
  const lines = linesOf(text);
  const continuation = continuationOf(lines);
  const instructions: Instruction[] = [];
  let stage = -1;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index];
    const match = /^[ \t\uFEFF]*([A-Za-z]+)(?=[ \t]|$)[ \t]*/.exec(line?.text ?? '');
    if (line === undefined || match === null) continue;
    const keyword = (match[1] ?? '').toUpperCase();
    const last = lastLineOf(lines, index, continuation, keyword);
    if (keyword === 'FROM') stage += 1;
    instructions.push({
      keyword,
      start: line.start + (/^[ \t\uFEFF]*/.exec(line.text)?.[0].length ?? 0),
      end: lines[last]?.end ?? line.end,
      argumentsStart: line.start + match[0].length,
      firstLine: index + 1,
      lastLine: last + 1,
      stage,
    });
    index = last;
  }
  return instructions;
};
