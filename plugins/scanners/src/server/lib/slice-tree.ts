/** What is kept for one run of bytes. */
export interface Slice {
  readonly bytes: Buffer;
}

/** A place where the slices below it differ. */
interface Fork<T extends Slice> {
  readonly at: number;
  readonly next: Map<number, Fork<T> | T>;
}

/**
 * Finds the slice that stands at a place without knowing where it ends: only the bytes in which slices differ are looked at,
 * then the one that is left is compared whole. None may be the start of another, as is so with brackets of JSON.
 */
export class SliceTree<T extends Slice> {
  private root: Fork<T> | T | undefined;

  find(bytes: Buffer, from: number, end: number): T | undefined {
    let node = this.root;
    while (node !== undefined && 'next' in node) node = node.next.get(bytes[from + node.at] ?? -1);
    if (node === undefined) return undefined;
    const stop = from + node.bytes.length;
    return stop <= end && bytes.compare(node.bytes, 0, node.bytes.length, from, stop) === 0 ? node : undefined;
  }

  /** Adds a slice that `find` does not find. */
  add(slice: T): void {
    if (this.root === undefined) {
      this.root = slice;
      return;
    }
    const near = this.nearest(slice.bytes, this.root);
    const at = firstDifference(slice.bytes, near.bytes);
    let above: Fork<T> | undefined;
    let node = this.root;
    while ('next' in node && node.at < at) {
      above = node;
      node = node.next.get(slice.bytes[node.at] ?? -1) ?? near;
    }
    if ('next' in node && node.at === at) {
      node.next.set(slice.bytes[at] ?? -1, slice);
      return;
    }
    const next = new Map([
      [near.bytes[at] ?? -1, node],
      [slice.bytes[at] ?? -1, slice],
    ]);
    if (above === undefined) this.root = { at, next };
    else above.next.set(slice.bytes[above.at] ?? -1, { at, next });
  }

  /** A slice that agrees with the bytes for as long as any does. */
  private nearest(bytes: Buffer, root: Fork<T> | T): T {
    let node = root;
    while ('next' in node) {
      const [first] = node.next.values();
      const found: Fork<T> | T | undefined = node.next.get(bytes[node.at] ?? -1) ?? first;
      if (found === undefined) throw new Error('A fork has at least two slices');
      node = found;
    }
    return node;
  }
}

function firstDifference(one: Buffer, other: Buffer): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}
