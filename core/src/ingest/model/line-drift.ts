/** What the drift of a file is told from. */
export interface Drifting {
  identity: string;
  /** Null where the report named no file. */
  file: number | null;
  line: number;
}

interface Anchor {
  line: number;
  offset: number;
}

/** The items whose identity nobody else of their side has. */
const singles = <T extends Drifting>(items: Iterable<T>): Map<string, T> => {
  const found = new Map<string, T | undefined>();
  for (const item of items) found.set(item.identity, found.has(item.identity) ? undefined : item);
  return new Map([...found].flatMap(([identity, item]) => (item === undefined ? [] : [[identity, item] as const])));
};

/** Position of the last anchor at or before the line; -1 before the first. */
const positionOf = (anchors: readonly Anchor[], line: number): number => {
  let [low, high] = [0, anchors.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((anchors[middle]?.line ?? 0) <= line) low = middle + 1;
    else high = middle;
  }
  return low - 1;
};

/**
 * Says where a line of the last report is expected in this one. Results that are alone of their identity on both sides show
 * by how much their file moved there; a line moves with the nearest of them above it, else with the first below.
 */
export const lineDrift = (existing: Iterable<Drifting>, reported: Iterable<Drifting>): ((item: Drifting) => number) => {
  const now = singles(reported);
  const files = new Map<number, Anchor[]>();
  for (const [identity, old] of singles(existing)) {
    const next = now.get(identity);
    if (next === undefined || old.file === null || old.line === 0 || next.line === 0) continue;
    const anchor = { line: old.line, offset: next.line - old.line };
    const anchors = files.get(old.file);
    if (anchors === undefined) files.set(old.file, [anchor]);
    else anchors.push(anchor);
  }
  for (const anchors of files.values()) anchors.sort((a, b) => a.line - b.line);
  return ({ file, line }) => {
    const anchors = file === null || line === 0 ? undefined : files.get(file);
    if (anchors === undefined) return line;
    return line + (anchors[Math.max(0, positionOf(anchors, line))]?.offset ?? 0);
  };
};
