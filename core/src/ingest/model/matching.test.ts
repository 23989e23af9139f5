import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ExistingFinding, matchLeftovers, type ReportedFinding } from './match-leftovers.ts';
import { pairNearest } from './pair-nearest.ts';

const lines = fc
  .array(fc.integer({ min: 0, max: 60 }), { maxLength: 14 })
  .map((list) => list.map((line, id) => ({ line, id })));

/** The same by looking at every pair. */
const distancesOfGreedy = (existing: { line: number }[], reported: { line: number }[]): number[] => {
  const [left, right] = [new Set(existing), new Set(reported)];
  const distances: number[] = [];
  while (left.size > 0 && right.size > 0) {
    let best: { a: { line: number }; b: { line: number }; distance: number } | undefined;
    for (const a of left) {
      for (const b of right) {
        const distance = Math.abs(a.line - b.line);
        if (best === undefined || distance < best.distance) best = { a, b, distance };
      }
    }
    left.delete(best!.a);
    right.delete(best!.b);
    distances.push(best!.distance);
  }
  return distances;
};

test('every item of the smaller side is paired once, nearest pairs first', () => {
  fc.assert(
    fc.property(lines, lines, (existing, reported) => {
      const pairs = pairNearest(existing, reported);
      expect(pairs).toHaveLength(Math.min(existing.length, reported.length));
      expect(new Set(pairs.map((pair) => pair.existing.id)).size).toBe(pairs.length);
      expect(new Set(pairs.map((pair) => pair.reported.id)).size).toBe(pairs.length);
      const distances = pairs.map((pair) => Math.abs(pair.existing.line - pair.reported.line));
      expect(distances).toEqual([...distances].sort((a, b) => a - b));
      if (pairs.length > 0) expect(distances[0]).toBe(distancesOfGreedy(existing, reported)[0]);
    }),
  );
});

test('lines without correlations are paired exactly as by looking at every pair', () => {
  expect(
    pairNearest([{ line: 10 }, { line: 40 }, { line: 100 }], [{ line: 95 }, { line: 12 }]).map(
      ({ existing, reported }) => [existing.line, reported.line],
    ),
  ).toEqual([
    [10, 12],
    [100, 95],
  ]);
});

test('fifty thousand equal results are paired in a moment', () => {
  const existing = Array.from({ length: 50_000 }, (_, n) => ({ line: n * 2 }));
  expect(
    pairNearest(
      existing,
      existing.map(({ line }) => ({ line: line + 1 })),
    ),
  ).toHaveLength(50_000);
});

const existing = (id: string, more: Partial<ExistingFinding> = {}): ExistingFinding => ({
  id,
  identity: 'i',
  definition: 's',
  ruleAndFile: null,
  file: null,
  line: 1,
  isOpen: true,
  ...more,
});
const reported = (n: number, more: Partial<ReportedFinding> = {}): ReportedFinding => ({
  n,
  identity: 'i',
  definition: 's',
  ruleAndFile: null,
  file: null,
  line: 1,
  ...more,
});
const match = (old: ExistingFinding[], now: ReportedFinding[]) =>
  matchLeftovers(old, now)
    .map(({ n, id }) => `${n}${id}`)
    .sort();

test('the same line goes before a nearer version, the same version before another', () => {
  expect(
    match(
      [existing('a', { definition: 'v1' }), existing('b', { definition: 'v2' })],
      [reported(1, { definition: 'v2' }), reported(2, { definition: 'v3' })],
    ),
  ).toEqual(['1b', '2a']);
  expect(
    match(
      [existing('a', { line: 5 }), existing('b', { line: 9 })],
      [reported(1, { line: 9 }), reported(2, { line: 11 })],
    ),
  ).toEqual(['1b', '2a']);
});

test('open findings go before closed ones', () => {
  expect(match([existing('a', { isOpen: false }), existing('b', { line: 50 })], [reported(1)])).toEqual(['1b']);
});

test('a closed finding is taken up by its identity, never by rule and file', () => {
  expect(
    match([existing('a', { isOpen: false, ruleAndFile: 'p' })], [reported(1, { identity: 'other', ruleAndFile: 'p' })]),
  ).toEqual([]);
  expect(match([existing('a', { isOpen: false, ruleAndFile: 'p' })], [reported(1, { ruleAndFile: 'p' })])).toEqual([
    '1a',
  ]);
});

test('what has no rule and file is never paired by them', () => {
  expect(match([existing('a', { identity: 'x' })], [reported(1)])).toEqual([]);
});

test('equal results that moved by more than their distance do not change places', () => {
  const old = [existing('a', { line: 10 }), existing('b', { line: 20 }), existing('c', { line: 30 })];
  expect(match(old, [reported(1, { line: 210 }), reported(2, { line: 220 }), reported(3, { line: 230 })])).toEqual([
    '1a',
    '2b',
    '3c',
  ]);
});

test('where a file moved is decided by what is alone in it: of equal results the right one is gone', () => {
  const at = (line: number) => ({ line, file: 7 });
  const old = [existing('a', at(10)), existing('b', at(30)), existing('c', at(50)), existing('x', at(40))].map(
    (finding) => (finding.id === 'x' ? { ...finding, identity: 'alone' } : finding),
  );
  const now = [reported(1, at(30)), reported(3, at(70)), reported(4, { ...at(60), identity: 'alone' })];
  expect(match(old, now)).toEqual(['1a', '3c', '4x']);
});

test('lines above an insertion stay, lines below move with it', () => {
  const at = (line: number) => ({ line, file: 7 });
  const old = [
    existing('top', { ...at(5), identity: 'top' }),
    existing('a', at(10)),
    existing('end', { ...at(20), identity: 'end' }),
    existing('b', at(30)),
    existing('c', at(40)),
  ];
  const now = [
    reported(1, { ...at(5), identity: 'top' }),
    reported(2, at(10)),
    reported(3, { ...at(120), identity: 'end' }),
    reported(4, at(140)),
  ];
  expect(match(old, now)).toEqual(['1top', '2a', '3end', '4c']);
});
