/** A priority as it is and as it would be. */
export interface Move {
  before: number;
  after: number;
}

/** Where a list is cut into what to fix now and what can wait. */
export const HIGH_PRIORITY = 80;

const BANDS = [
  { from: 80, to: 100 },
  { from: 60, to: 79 },
  { from: 40, to: 59 },
  { from: 20, to: 39 },
  { from: 0, to: 19 },
] as const;

export interface Comparison {
  changed: number;
  raised: number;
  lowered: number;
  /** To 80 or more from below, and the other way round. */
  rise_above_80: number;
  fall_below_80: number;
  bands: { from: number; to: number; before: number; after: number }[];
}

/** Counts what moves, as if each of the moves stood for `weight` findings. */
export const comparePriorities = (moves: readonly Move[], weight = 1): Comparison => {
  const count = (is: (move: Move) => boolean): number => Math.round(moves.filter(is).length * weight);
  const isHigh = (priority: number): boolean => priority >= HIGH_PRIORITY;
  return {
    changed: count(({ before, after }) => before !== after),
    raised: count(({ before, after }) => after > before),
    lowered: count(({ before, after }) => after < before),
    rise_above_80: count(({ before, after }) => !isHigh(before) && isHigh(after)),
    fall_below_80: count(({ before, after }) => isHigh(before) && !isHigh(after)),
    bands: BANDS.map(({ from, to }) => {
      const isIn = (priority: number): boolean => Math.floor(priority) >= from && Math.floor(priority) <= to;
      return { from, to, before: count(({ before }) => isIn(before)), after: count(({ after }) => isIn(after)) };
    }),
  };
};

/** A group of findings that are alike, and how many of them are looked at. */
export interface Stratum {
  cell: string;
  take: number;
}

/**
 * Which groups to look into: all of each where that is few enough, else evenly over all findings, so that each that is looked at
 * stands for as many. Deterministic: the same groups give the same answer.
 */
export const spreadOver = (
  groups: readonly { cell: string; count: number }[],
  most: number,
  sample: number,
): Stratum[] => {
  const total = groups.reduce((sum, { count }) => sum + count, 0);
  if (total <= most) return groups.map(({ cell, count }) => ({ cell, take: count }));
  const step = total / sample;
  let end = 0;
  let next = step / 2;
  return groups.flatMap(({ cell, count }) => {
    end += count;
    let take = 0;
    for (; next < end; next += step) take += 1;
    return take === 0 ? [] : [{ cell, take }];
  });
};
