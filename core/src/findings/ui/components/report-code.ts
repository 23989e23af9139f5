/** One line of reported code. */
export interface CodeLine {
  number: number;
  text: string;
  isMarked: boolean;
}

/** Longest code that is shown; a minified bundle on one line must not freeze the page. */
const MAX_CHARACTERS = 100_000;

/** Decodes base64 of UTF-8; undefined when it is not base64. */
export const decodeCode = (encoded: string): string | undefined => {
  try {
    const bytes = Uint8Array.from(atob(encoded.replaceAll(/\s/g, '')), (character) => character.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
};

export interface CodeRange {
  /** Line number of the first line of the code. */
  firstLine: number;
  markFrom: number | null;
  markTo: number | null;
}

/** Splits code into numbered lines, those of the finding marked. */
export const codeLines = (code: string, { firstLine, markFrom, markTo }: CodeRange): CodeLine[] => {
  const lines = code
    .slice(0, MAX_CHARACTERS)
    .replace(/\r?\n$/, '')
    .split(/\r?\n/);
  const last = Math.max(markTo ?? markFrom ?? 0, markFrom ?? 0);
  return lines.map((text, index) => {
    const number = firstLine + index;
    return { number, text, isMarked: markFrom !== null && number >= markFrom && number <= last };
  });
};
