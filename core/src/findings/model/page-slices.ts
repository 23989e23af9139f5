/** A run of rows to read from one segment. */
export interface Slice {
  /** Position of the segment in the list given. */
  segment: number;
  /** Rows to skip, from the end where `isFromEnd`. */
  offset: number;
  limit: number;
  /** Read backwards: the end is nearer, so fewer rows are walked. The rows then come in reverse. */
  isFromEnd: boolean;
}

/**
 * Cuts a page out of segments that follow each other, given the rows of each. A deep page costs no more than one as far
 * from the other end.
 */
export const slicesOfPage = (counts: readonly number[], offset: number, limit: number): Slice[] => {
  const slices: Slice[] = [];
  let start = 0;
  for (const [segment, count] of counts.entries()) {
    const from = Math.max(offset, start) - start;
    const to = Math.min(offset + limit, start + count) - start;
    if (to > from) {
      const isFromEnd = from > count - to;
      slices.push({ segment, offset: isFromEnd ? count - to : from, limit: to - from, isFromEnd });
    }
    start += count;
  }
  return slices;
};
