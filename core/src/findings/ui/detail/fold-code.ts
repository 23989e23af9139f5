/** Lines of context that are shown before and after those of the finding. */
export const CONTEXT_LINES = 10;

interface Line {
  number: number;
  isMarked: boolean;
}

/** Lines around the marked ones; all of them where none is marked. Folding what is a line or two would gain nothing. */
export const aroundMarked = <T extends Line>(lines: readonly T[], context = CONTEXT_LINES): readonly T[] => {
  const marked = lines.filter(({ isMarked }) => isMarked);
  const [first, last] = [marked[0]?.number, marked.at(-1)?.number];
  if (first === undefined || last === undefined) return lines;
  const around = lines.filter(({ number }) => number >= first - context && number <= last + context);
  return lines.length - around.length > 2 ? around : lines;
};
