/** Lines `from` to `to` of the old text (0-based, without `to`) become lines `newFrom` to `newTo` of the new one. */
export interface LineEdit {
  from: number;
  to: number;
  newFrom: number;
  newTo: number;
}

/** More differences than this are one replacement: the time grows with their square. */
const MAX_DIFFERENCES = 2000;

/** Furthest line of the old text reached on each diagonal, for every number of differences. Null where there are too many. */
const trace = (before: readonly string[], after: readonly string[]): Int32Array[] | null => {
  const max = Math.min(before.length + after.length, MAX_DIFFERENCES);
  const steps: Int32Array[] = [];
  const furthest = new Int32Array(2 * max + 3);
  for (let differences = 0; differences <= max; differences += 1) {
    steps.push(furthest.slice(max - differences, max + differences + 3));
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      const index = max + 1 + diagonal;
      const left = furthest[index - 1] ?? 0;
      const above = furthest[index + 1] ?? 0;
      let at = diagonal === -differences || (diagonal !== differences && left < above) ? above : left + 1;
      while (at < before.length && at - diagonal < after.length && before[at] === after[at - diagonal]) at += 1;
      furthest[index] = at;
      if (at >= before.length && at - diagonal >= after.length) return steps;
    }
  }
  return null;
};

/** Goes back over the steps. @returns the lines that are equal, as pairs, last first */
const equalLines = (
  before: readonly string[],
  after: readonly string[],
  steps: readonly Int32Array[],
): [number, number][] => {
  const pairs: [number, number][] = [];
  let at = before.length;
  let newAt = after.length;
  for (let differences = steps.length - 1; differences >= 0; differences -= 1) {
    const furthest = steps[differences] ?? new Int32Array();
    const diagonal = at - newAt;
    const reached = (of: number): number => furthest[of + differences + 1] ?? 0;
    const isDown =
      diagonal === -differences || (diagonal !== differences && reached(diagonal - 1) < reached(diagonal + 1));
    const previous = isDown ? diagonal + 1 : diagonal - 1;
    const from = differences === 0 ? 0 : reached(previous);
    const newFrom = differences === 0 ? 0 : from - previous;
    while (at > from && newAt > newFrom) {
      at -= 1;
      newAt -= 1;
      pairs.push([at, newAt]);
    }
    at = from;
    newAt = newFrom;
  }
  return pairs;
};

/** The shortest list of edits that makes one text of the other, by lines (Myers 1986), in order. */
export const editsBetween = (before: readonly string[], after: readonly string[]): LineEdit[] => {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  const old = before.slice(head, before.length - tail);
  const fresh = after.slice(head, after.length - tail);
  if (old.length === 0 && fresh.length === 0) return [];
  const steps = trace(old, fresh);
  const pairs = steps === null ? [] : equalLines(old, fresh, steps).reverse();
  const edits: LineEdit[] = [];
  let from = 0;
  let newFrom = 0;
  for (const [to, newTo] of [...pairs, [old.length, fresh.length] as const]) {
    if (to > from || newTo > newFrom)
      edits.push({ from: from + head, to: to + head, newFrom: newFrom + head, newTo: newTo + head });
    from = to + 1;
    newFrom = newTo + 1;
  }
  return edits;
};
