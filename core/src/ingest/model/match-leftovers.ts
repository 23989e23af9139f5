import { pairNearest } from './pair-nearest.ts';

/** What the line drift of a file is computed from. */
export interface Drifting {
  identity: string;
  /** Null where the report named no file. */
  file: number | null;
  line: number;
  /** The identity names no code, only rule and file: an equal one at another line may be another result. */
  isVague?: boolean;
}

interface Anchor {
  line: number;
  offset: number;
}

/** A result that is paired already: where it stood in its file and by how many lines it moved. */
export interface PairedLine extends Anchor {
  file: number;
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
 * Says where a line of the last report is expected in this one. Results that are paired, and those that are alone of their identity on both
 * sides, show by how much their file moved there; a line moves with the nearest of them above it, else with the first below. A vague
 * one shows it only where another result of the file moved by as much.
 */
export const lineDrift = (
  existing: Iterable<Drifting>,
  reported: Iterable<Drifting>,
  paired: readonly PairedLine[] = [],
): ((item: Drifting) => number) => {
  const now = singles(reported);
  const files = new Map<number, (Anchor & { isVague: boolean })[]>();
  const add = (file: number, anchor: Anchor & { isVague: boolean }): void => {
    const anchors = files.get(file);
    if (anchors === undefined) files.set(file, [anchor]);
    else anchors.push(anchor);
  };
  for (const { file, line, offset } of paired) add(file, { line, offset, isVague: false });
  for (const [identity, old] of singles(existing)) {
    const next = now.get(identity);
    if (next === undefined || old.file === null || old.line === 0 || next.line === 0) continue;
    add(old.file, { line: old.line, offset: next.line - old.line, isVague: next.isVague === true });
  }
  for (const [file, anchors] of files) {
    const votes = new Map<number, number>();
    for (const { offset } of anchors) votes.set(offset, (votes.get(offset) ?? 0) + 1);
    files.set(
      file,
      anchors.filter(({ offset, isVague }) => !isVague || (votes.get(offset) ?? 0) > 1),
    );
  }
  for (const anchors of files.values()) anchors.sort((a, b) => a.line - b.line);
  return ({ file, line }) => {
    const anchors = file === null || line === 0 ? undefined : files.get(file);
    if (anchors === undefined || anchors.length === 0) return line;
    return line + (anchors[Math.max(0, positionOf(anchors, line))]?.offset ?? 0);
  };
};

/** A finding of the scope that the report did not repeat word for word. */
export interface ExistingFinding {
  id: string;
  identity: string;
  /** What is wrong, with version: tells two versions of one package apart. */
  definition: string;
  /** Rule and file, for code that was edited; null where these say nothing (packages, secrets). */
  ruleAndFile: string | null;
  file: number | null;
  line: number;
  isOpen: boolean;
  isVague?: boolean;
  /** Column and digest of the message, where several share identity and line. */
  detail?: string;
}

/** A result of the report without an exact counterpart. */
export interface ReportedFinding {
  n: number;
  identity: string;
  definition: string;
  ruleAndFile: string | null;
  file: number | null;
  line: number;
  isVague?: boolean;
  detail?: string;
}

export interface Match {
  n: number;
  id: string;
  /**
   * Nothing but rule, file and a line close by speaks for it: the report shows no code, and the result does not stand exactly where it was
   * expected. A verdict that is carried over so has to be confirmed.
   */
  isByPosition: boolean;
}

type Key = (item: ExistingFinding | ReportedFinding) => string | null;

interface Round {
  key: Key;
  of: 'open' | 'closed';
}

/** Rounds by identity, surest first. Open findings go before closed ones, so that what was closed stays closed where possible. */
const BY_IDENTITY: readonly Round[] = [
  { of: 'open', key: (item) => (item.detail === undefined ? null : `${item.identity} ${item.line} ${item.detail}`) },
  { of: 'open', key: (item) => `${item.identity} ${item.definition} ${item.line}` },
  { of: 'open', key: (item) => `${item.identity} ${item.line}` },
  { of: 'open', key: (item) => `${item.identity} ${item.definition}` },
  { of: 'open', key: (item) => item.identity },
  { of: 'closed', key: (item) => `${item.identity} ${item.definition} ${item.line}` },
  { of: 'closed', key: (item) => `${item.identity} ${item.definition}` },
  { of: 'closed', key: (item) => item.identity },
];

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

/** Lines that a result without code may be away from where it is expected. */
const NEAR = 10;

/** Rule and file alone do not tell that a result far away is the same: of what was removed here and what was added there they are equal. */
const isTooFar = (existing: ExistingFinding, reported: ReportedFinding): boolean =>
  (existing.isVague === true || reported.isVague === true) &&
  existing.line > 0 &&
  reported.line > 0 &&
  Math.abs(existing.line - reported.line) > NEAR;

/** What says no more than rule and file stands elsewhere than expected. */
const isByPosition = (existing: ExistingFinding, reported: ReportedFinding): boolean =>
  (existing.isVague === true || reported.isVague === true) && existing.line !== reported.line;

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
    return next === undefined || isTooFar(item, next) ? [] : [{ existing: item, reported: next }];
  });
};

/** Results without an exact counterpart on their way through the rounds. */
export interface Leftovers {
  /** Pairs found by identity: same line, nearest line (both after what the file moved by), or a closed finding. */
  byIdentity: Match[];
  /** What is in no pair so far. */
  open: readonly ExistingFinding[];
  waiting: readonly ReportedFinding[];
}

/**
 * Says which existing finding each leftover result continues. Results that are in no pair are new; open findings in no pair are gone.
 */
export const startMatching = (
  existing: readonly ExistingFinding[],
  reported: readonly ReportedFinding[],
  paired: readonly PairedLine[] = [],
): Leftovers => {
  const waiting = new Set(reported);
  const stillOpen = existing.filter((finding) => finding.isOpen);
  const expectedLine = lineDrift(stillOpen, reported, paired);
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
          const { existing: old, reported: now } = pair;
          matches.push({ n: now.n, id: old.id, isByPosition: isByPosition(old, now) });
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
  };
};

/** The rounds by identity alone: those of renamed files and of edited code ask for more than the findings themselves. */
export const matchLeftovers = (existing: readonly ExistingFinding[], reported: readonly ReportedFinding[]): Match[] =>
  startMatching(existing, reported).byIdentity;

/** What is left once more pairs were found, of which both sides have the same rule and file. */
export const leftByRuleAndFile = (
  left: Pick<Leftovers, 'open' | 'waiting'>,
  paired: readonly Match[],
): Pick<Leftovers, 'open' | 'waiting'> => {
  const [ids, numbers] = [new Set(paired.map((of) => of.id)), new Set(paired.map((of) => of.n))];
  const open = left.open.filter((finding) => finding.ruleAndFile !== null && !ids.has(finding.id));
  const waiting = left.waiting.filter((result) => result.ruleAndFile !== null && !numbers.has(result.n));
  const [known, others] = [new Set(open.map((of) => of.ruleAndFile)), new Set(waiting.map((of) => of.ruleAndFile))];
  return {
    open: open.filter((of) => others.has(of.ruleAndFile)),
    waiting: waiting.filter((of) => known.has(of.ruleAndFile)),
  };
};
