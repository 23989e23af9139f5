import fc from 'fast-check';
import { expect, test } from 'vitest';
import { slicesOfPage } from './page.ts';

test('slices of segments are the page of their concatenation, and never deeper than half', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(20), { maxLength: 5 }),
      fc.nat(90),
      fc.integer({ min: 1, max: 30 }),
      (counts, offset, limit) => {
        const segments = counts.map((count, segment) => Array.from({ length: count }, (_, row) => `${segment}:${row}`));
        const read = slicesOfPage(counts, offset, limit).flatMap((slice) => {
          const rows = segments[slice.segment] ?? [];
          expect(slice.offset).toBeLessThanOrEqual(rows.length / 2);
          const ordered = slice.isFromEnd ? rows.toReversed() : rows;
          const part = ordered.slice(slice.offset, slice.offset + slice.limit);
          return slice.isFromEnd ? part.reverse() : part;
        });
        expect(read).toEqual(segments.flat().slice(offset, offset + limit));
      },
    ),
  );
});
