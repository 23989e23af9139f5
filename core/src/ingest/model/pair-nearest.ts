/** Something at a line of a file. `line` is 0 where the tool gave none. */
export interface Located {
  line: number;
}

interface Node<E, S> {
  line: number;
  existing: E | undefined;
  reported: S | undefined;
  before: Node<E, S> | undefined;
  after: Node<E, S> | undefined;
  isTaken: boolean;
}

interface Candidate<E, S> {
  distance: number;
  order: number;
  left: Node<E, S>;
  right: Node<E, S>;
}

const isBefore = <E, S>(a: Candidate<E, S>, b: Candidate<E, S>): boolean =>
  a.distance < b.distance || (a.distance === b.distance && a.order < b.order);

/** Binary heap: nearest pair first, correlations in order of lines. */
const createHeap = <E, S>() => {
  const items: Candidate<E, S>[] = [];
  const swap = (a: number, b: number): void => {
    const [first, second] = [items[a], items[b]];
    if (first === undefined || second === undefined) return;
    items[a] = second;
    items[b] = first;
  };
  const goesBefore = (a: number, b: number): boolean => {
    const [first, second] = [items[a], items[b]];
    return first !== undefined && second !== undefined && isBefore(first, second);
  };
  const sink = (start: number): void => {
    let parent = start;
    for (;;) {
      const left = parent * 2 + 1;
      let best = goesBefore(left, parent) ? left : parent;
      if (goesBefore(left + 1, best)) best = left + 1;
      if (best === parent) return;
      swap(parent, best);
      parent = best;
    }
  };
  return {
    push: (item: Candidate<E, S>): void => {
      items.push(item);
      for (let child = items.length - 1; child > 0; ) {
        const parent = (child - 1) >> 1;
        if (!goesBefore(child, parent)) return;
        swap(child, parent);
        child = parent;
      }
    },
    pop: (): Candidate<E, S> | undefined => {
      const top = items[0];
      const last = items.pop();
      if (top !== undefined && last !== undefined && items.length > 0) {
        items[0] = last;
        sink(0);
      }
      return top;
    },
  };
};

const linked = <E extends Located, S extends Located>(existing: readonly E[], reported: readonly S[]): Node<E, S>[] => {
  const open = { before: undefined, after: undefined, isTaken: false } as const;
  const nodes: Node<E, S>[] = [
    ...existing.map((item): Node<E, S> => ({ ...open, line: item.line, existing: item, reported: undefined })),
    ...reported.map((item): Node<E, S> => ({ ...open, line: item.line, existing: undefined, reported: item })),
  ].sort((a, b) => a.line - b.line);
  nodes.forEach((node, index) => {
    node.before = nodes[index - 1];
    node.after = nodes[index + 1];
  });
  return nodes;
};

/**
 * Pairs existing with reported items of one group, the nearest lines first; each item is used once. The nearest pair is
 * always adjacent in order of lines, so only neighbours are looked at: n log n, also where a file has thousands of equal results.
 */
export const pairNearest = <E extends Located, S extends Located>(
  existing: readonly E[],
  reported: readonly S[],
): { existing: E; reported: S }[] => {
  const heap = createHeap<E, S>();
  let order = 0;
  const consider = (left: Node<E, S> | undefined, right: Node<E, S> | undefined): void => {
    if (left === undefined || right === undefined) return;
    if ((left.existing === undefined) === (right.existing === undefined)) return;
    order += 1;
    heap.push({ distance: right.line - left.line, order, left, right });
  };
  for (const node of linked(existing, reported)) consider(node, node.after);
  const pairs: { existing: E; reported: S }[] = [];
  for (let next = heap.pop(); next !== undefined; next = heap.pop()) {
    const { left, right } = next;
    if (left.isTaken || right.isTaken) continue;
    left.isTaken = true;
    right.isTaken = true;
    const [old, now] = [left.existing ?? right.existing, left.reported ?? right.reported];
    if (old !== undefined && now !== undefined) pairs.push({ existing: old, reported: now });
    if (left.before !== undefined) left.before.after = right.after;
    if (right.after !== undefined) right.after.before = left.before;
    consider(left.before, right.after);
  }
  return pairs;
};
