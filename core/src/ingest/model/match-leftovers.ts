import { pairNearest } from './pair-nearest.ts';

/** What the line drift of a file is computed from. */
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

/** A finding of the scope that the report did not repeat word for word. */
export interface ExistingFinding {
  id: string;
  identity: string;
  /** What is wrong, with version: tells two versions of one package apart. */
  definition: string;
  /** Rule and file, for code that was edited; null where a place says nothing (packages, secrets). */
  place: string | null;
  file: number | null;
  line: number;
  isOpen: boolean;
}

/** A result of the report without an exact counterpart. */
export interface ReportedFinding {
  n: number;
  identity: string;
  definition: string;
  place: string | null;
  file: number | null;
  line: number;
}

export interface Match {
  n: number;
  id: string;
}

type Key = (item: ExistingFinding | ReportedFinding) => string | null;

interface Round {
  key: Key;
  of: 'open' | 'closed';
}

/** Rounds by identity, surest first. Open findings go before closed ones, so that what was closed stays closed where possible. */
const BY_IDENTITY: readonly Round[] = [
  { of: 'open', key: (item) => `${item.identity} ${item.definition} ${item.line}` },
  { of: 'open', key: (item) => `${item.identity} ${item.line}` },
  { of: 'open', key: (item) => `${item.identity} ${item.definition}` },
  { of: 'open', key: (item) => item.identity },
  { of: 'closed', key: (item) => `${item.identity} ${item.definition} ${item.line}` },
  { of: 'closed', key: (item) => `${item.identity} ${item.definition}` },
  { of: 'closed', key: (item) => item.identity },
];

const BY_PLACE: readonly Round[] = [{ of: 'open', key: (item) => item.place }];

const groupsBy = <T extends ExistingFinding | ReportedFinding>(items: Iterable<T>, key: Key): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const name = key(item);
    if (name === null) continue;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  }
  return groups;
};

/** The nearest find each other; which of them is which follows the order of lines, so that no two pairs cross. */
const pairInOrder = <E extends ExistingFinding, S extends ReportedFinding>(
  existing: readonly E[],
  reported: readonly S[],
): { existing: E; reported: S }[] => {
  const pairs = pairNearest(existing, reported);
  const old = pairs.map((pair) => pair.existing).sort((a, b) => a.line - b.line);
  const now = pairs.map((pair) => pair.reported).sort((a, b) => a.line - b.line);
  return old.flatMap((item, index) => {
    const next = now[index];
    return next === undefined ? [] : [{ existing: item, reported: next }];
  });
};

/** Results without an exact counterpart on their way through the rounds. */
export interface Leftovers {
  /** Pairs found by identity: same line, nearest line (both after what the file moved by), or a closed finding. */
  byIdentity: Match[];
  /** What is in no pair so far. */
  open: readonly ExistingFinding[];
  waiting: readonly ReportedFinding[];
  /** Last, without those that a caller has paired meanwhile: edited code of the same rule in the same file at the nearest line. */
  byPlace(paired: readonly Match[]): Match[];
}

/**
 * Says which existing finding each leftover result continues. Results that are in no pair are new; open findings in no pair are gone.
 */
export const startMatching = (
  existing: readonly ExistingFinding[],
  reported: readonly ReportedFinding[],
): Leftovers => {
  const waiting = new Set(reported);
  const stillOpen = existing.filter((finding) => finding.isOpen);
  const expectedLine = lineDrift(stillOpen, reported);
  const open = new Set(stillOpen.map((finding) => ({ ...finding, line: expectedLine(finding) })));
  const closed = new Set(existing.filter((finding) => !finding.isOpen));
  const play = (rounds: readonly Round[]): Match[] => {
    const matches: Match[] = [];
    for (const { of, key } of rounds) {
      const pool = of === 'open' ? open : closed;
      if (waiting.size === 0 || pool.size === 0) continue;
      const candidates = groupsBy(pool, key);
      for (const [name, group] of groupsBy(waiting, key)) {
        for (const pair of pairInOrder(candidates.get(name) ?? [], group)) {
          matches.push({ n: pair.reported.n, id: pair.existing.id });
          waiting.delete(pair.reported);
          pool.delete(pair.existing);
        }
      }
    }
    return matches;
  };
  const byIdentity = play(BY_IDENTITY);
  return {
    byIdentity,
    open: [...open],
    waiting: [...waiting],
    byPlace: (paired) => {
      const [ids, numbers] = [new Set(paired.map((of) => of.id)), new Set(paired.map((of) => of.n))];
      for (const finding of open) if (ids.has(finding.id)) open.delete(finding);
      for (const result of waiting) if (numbers.has(result.n)) waiting.delete(result);
      return play(BY_PLACE);
    },
  };
};

/** All rounds but that of renamed files, which asks for more than the findings themselves. */
export const matchLeftovers = (existing: readonly ExistingFinding[], reported: readonly ReportedFinding[]): Match[] => {
  const { byIdentity, byPlace } = startMatching(existing, reported);
  return [...byIdentity, ...byPlace([])];
};
