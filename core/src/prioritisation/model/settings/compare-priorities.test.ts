import fc from 'fast-check';
import { expect, test } from 'vitest';
import { comparePriorities, spreadOver } from './compare-priorities.ts';

test('what moves is counted by direction, across 80, and by band', () => {
  const moves = [
    { before: 79, after: 80 },
    { before: 95, after: 60 },
    { before: 10, after: 10 },
    { before: 50, after: 41 },
  ];
  expect(comparePriorities(moves)).toEqual({
    ...{ changed: 3, raised: 1, lowered: 2, rise_above_80: 1, fall_below_80: 1 },
    bands: [
      { from: 80, to: 100, before: 1, after: 1 },
      { from: 60, to: 79, before: 1, after: 1 },
      { from: 40, to: 59, before: 1, after: 1 },
      { from: 20, to: 39, before: 0, after: 0 },
      { from: 0, to: 19, before: 1, after: 1 },
    ],
  });
  expect(comparePriorities(moves, 100)).toMatchObject({ changed: 300, raised: 100 });
});

const groups = fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 300 });

test('a sample takes no more of a group than there are, in proportion, and everything where that is few enough', () => {
  fc.assert(
    fc.property(groups, (counts) => {
      const of = counts.map((count, index) => ({ cell: `${index}`, count }));
      const total = counts.reduce((sum, count) => sum + count, 0);
      const strata = spreadOver(of, 1000, 500);
      const taken = strata.reduce((sum, { take }) => sum + take, 0);
      if (total <= 1000) expect(taken).toBe(total);
      else expect(Math.abs(taken - 500)).toBeLessThanOrEqual(1);
      for (const { cell, take } of strata) {
        const count = counts[Number(cell)] ?? 0;
        expect(take).toBeLessThanOrEqual(count);
        if (total > 1000) expect(Math.abs(take - (count * 500) / total)).toBeLessThanOrEqual(1);
      }
    }),
  );
});
