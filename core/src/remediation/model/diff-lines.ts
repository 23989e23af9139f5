export type DiffLineKind = 'add' | 'del' | 'head' | 'same';

/** A file of a diff with the lines that are shown. */
export interface DiffFile {
  path: string;
  lines: { kind: DiffLineKind; text: string }[];
}

/** Lines that only say which file or hunk follows. */
const MARKER = /^(?:diff --git |index |--- |\+\+\+ |new file |deleted file |@@ |\\ )/;
const NAMES_FILE = /^(?:--- |\+\+\+ |index |new file |deleted file )/;
/** Ten characters: the number of the line, with blanks around it. */
const NUMBERED = /^(?=\s*\d)[ \d]{9}[ \d:|]/;
const PREFIX_LENGTH = 10;

/**
 * A diff without the line numbers that stand before its lines, where all of them have one.
 * Source: specification §3 "Finding remediation detail".
 */
export const withoutLineNumbers = (diff: string): string => {
  const lines = diff.split('\n');
  const numbered = lines.filter((line) => line !== '' && !MARKER.test(line));
  if (numbered.length === 0 || !numbered.every((line) => NUMBERED.test(line))) return diff;
  return lines.map((line) => (MARKER.test(line) ? line : line.slice(PREFIX_LENGTH))).join('\n');
};

const KINDS: Readonly<Record<string, DiffLineKind>> = { '+': 'add', '-': 'del', '@': 'head', '\\': 'head' };

/** The file that a head names, twice: `diff --git a/file b/file`. */
const namedIn = (line: string): string | undefined => {
  if (!line.startsWith('diff --git a/')) return undefined;
  const names = line.slice('diff --git '.length);
  const path = names.slice(2, (names.length - 1) / 2);
  return names === `a/${path} b/${path}` ? path : undefined;
};

/** The files of a unified diff with the lines to show: what only names a file stands in its head. */
export const diffFiles = (diff: string): DiffFile[] => {
  const files: DiffFile[] = [];
  let isHead = true;
  for (const line of withoutLineNumbers(diff).replace(/\n$/, '').split('\n')) {
    const path = namedIn(line);
    if (path !== undefined) {
      files.push({ path, lines: [] });
      isHead = true;
      continue;
    }
    if (line.startsWith('@@ ')) isHead = false;
    if (isHead && NAMES_FILE.test(line)) continue;
    files.at(-1)?.lines.push({ kind: KINDS[line[0] ?? ''] ?? 'same', text: line });
  }
  return files;
};
