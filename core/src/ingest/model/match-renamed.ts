import { type ExistingFinding, type Match, matchLeftovers, type ReportedFinding } from './match-leftovers.ts';

/** What one file has of the results that are in no pair. */
export interface LeftFile {
  path: string;
  /** What each result says without its path; several may say the same. */
  substances: readonly string[];
}

/** An old file and the new one it is now. */
export interface FilePair {
  from: LeftFile;
  to: LeftFile;
}

/** A guess at where a file went, and what speaks for it. */
interface Guess extends FilePair {
  /** Path segments at the end that are equal. */
  tail: number;
  /** Results that say the same in both. */
  shared: number;
  /** Path segments at the beginning that are equal. */
  head: number;
  /** What became of the folder, where the name is the same: `src>lib`. */
  folder: string | undefined;
}

/** More files than this with the same end, or with the same result, tell nothing. */
const FEW = 20;

const segmentsOf = (path: string): string[] => path.replace(/^\//, '').split('/');
const extensionOf = (path: string): string => /\.[^./]+$/.exec(path)?.[0] ?? '';

const isSameFolder = (a: string, b: string): boolean =>
  a.slice(0, a.lastIndexOf('/') + 1) === b.slice(0, b.lastIndexOf('/') + 1);

const equalFrom = (a: readonly string[], b: readonly string[], at: (list: readonly string[], n: number) => unknown) => {
  let count = 0;
  while (count < a.length && count < b.length && at(a, count) === at(b, count)) count += 1;
  return count;
};

const addTo = <T>(map: Map<string, T[]>, key: string, value: T): void => {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
};

const countsOf = (values: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
};

const sharedOf = (from: LeftFile, to: LeftFile): number => {
  const counts = countsOf(from.substances);
  let shared = 0;
  for (const [substance, count] of countsOf(to.substances)) shared += Math.min(count, counts.get(substance) ?? 0);
  return shared;
};

const guessOf = (from: LeftFile, to: LeftFile): Guess => {
  const [a, b] = [segmentsOf(from.path), segmentsOf(to.path)];
  const tail = equalFrom(a, b, (list, n) => list.at(-1 - n));
  const folder = tail === 0 ? undefined : `${a.slice(0, -tail).join('/')}>${b.slice(0, -tail).join('/')}`;
  return { from, to, tail, shared: sharedOf(from, to), head: equalFrom(a, b, (list, n) => list[n]), folder };
};

/** At least half of what either file has must be in the other. */
const isLike = ({ from, to, shared }: Guess): boolean =>
  shared > 0 && 2 * shared >= Math.max(from.substances.length, to.substances.length);

/** Finds the files that may be a given one: those with the longest equal end of the path, and those with a result that few have. */
const lookupOf = (files: readonly LeftFile[]): ((from: LeftFile) => Set<LeftFile>) => {
  const byTail = new Map<string, LeftFile[]>();
  const bySubstance = new Map<string, LeftFile[]>();
  for (const file of files) {
    const segments = segmentsOf(file.path);
    for (let n = 1; n <= segments.length; n += 1) addTo(byTail, segments.slice(-n).join('/'), file);
    for (const substance of new Set(file.substances)) addTo(bySubstance, substance, file);
  }
  return (from) => {
    const segments = segmentsOf(from.path);
    let named: LeftFile[] = [];
    for (let n = segments.length; n > 0 && named.length === 0; n -= 1)
      named = byTail.get(segments.slice(-n).join('/')) ?? [];
    const found = new Set(named.length > FEW ? [] : named);
    for (const substance of new Set(from.substances)) {
      const having = bySubstance.get(substance) ?? [];
      if (having.length <= FEW) for (const file of having) found.add(file);
    }
    return found;
  };
};

const goesBefore = (a: Guess, b: Guess): boolean =>
  a.tail !== b.tail ? a.tail > b.tail : a.shared !== b.shared ? a.shared > b.shared : a.head > b.head;

/** The best guess of each file; none where two are as good. */
const bestBy = (guesses: readonly Guess[], side: 'from' | 'to'): Set<Guess> => {
  const best = new Map<LeftFile, Guess[]>();
  for (const guess of guesses) {
    const known = best.get(guess[side]);
    const [first] = known ?? [];
    if (known === undefined || first === undefined || goesBefore(guess, first)) best.set(guess[side], [guess]);
    else if (!goesBefore(first, guess)) known.push(guess);
  }
  return new Set([...best.values()].flatMap((list) => (list.length === 1 ? list : [])));
};

/**
 * One result alone may be chance, as the same line of code stands in many places. Then the file must have kept its name and folder's
 * name, or move with its folder along with files of other names, or be the only one left with this code and keep its name or folder.
 */
const sureWith = (
  guesses: readonly Guess[],
  sides: readonly [readonly LeftFile[], readonly LeftFile[]],
): ((guess: Guess) => boolean) => {
  const names = new Map<string, Set<string>>();
  for (const { folder, from } of guesses) {
    if (folder === undefined) continue;
    names.set(folder, (names.get(folder) ?? new Set()).add(segmentsOf(from.path).at(-1) ?? ''));
  }
  const counts = sides.map((files) => countsOf(files.flatMap((file) => file.substances)));
  return ({ from, to, tail, shared, folder }) => {
    if (shared > 1 || tail > 1) return true;
    if (folder !== undefined && (names.get(folder)?.size ?? 0) > 1) return true;
    const common = from.substances.find((substance) => to.substances.includes(substance)) ?? '';
    const isAlone = counts.every((of) => of.get(common) === 1);
    return isAlone && extensionOf(from.path) === extensionOf(to.path) && (tail > 0 || isSameFolder(from.path, to.path));
  };
};

const ROUNDS = 4;

/**
 * Says which files were renamed. `gone`: files that had results and have none of them any more; `added`: files all of whose results are
 * new. A file and its copy are no rename, as the first is not gone. Where two files fit as well, none is chosen.
 */
export const pairFiles = (gone: readonly LeftFile[], added: readonly LeftFile[]): FilePair[] => {
  const lookUp = lookupOf(added);
  let guesses = gone.flatMap((from) =>
    [...lookUp(from)]
      .filter((to) => to.path !== from.path)
      .map((to) => guessOf(from, to))
      .filter(isLike),
  );
  const isSure = sureWith(guesses, [gone, added]);
  const pairs: FilePair[] = [];
  for (let round = 0; round < ROUNDS && guesses.length > 0; round += 1) {
    const [byFrom, byTo] = [bestBy(guesses, 'from'), bestBy(guesses, 'to')];
    const chosen = guesses.filter((guess) => byFrom.has(guess) && byTo.has(guess));
    if (chosen.length === 0) break;
    pairs.push(...chosen.filter(isSure));
    const settled = new Set(chosen.flatMap((guess) => [guess.from, guess.to]));
    guesses = guesses.filter((guess) => !settled.has(guess.from) && !settled.has(guess.to));
  }
  return pairs;
};

/** What a result is without its path: rule with code, secret or package. Null where that says too little. */
export interface Substances {
  existing: ReadonlyMap<string, string>;
  reported: ReadonlyMap<number, string>;
}

export interface RenamedRequest {
  /** Open findings in no pair. */
  open: readonly ExistingFinding[];
  /** Results in no pair. */
  waiting: readonly ReportedFinding[];
  substances: Substances;
  /** Ids of files that have a pair: they are where they were. */
  keptFiles: ReadonlySet<number>;
  /** By id of the file. */
  paths: ReadonlyMap<number, string>;
}

interface Left<T> {
  file: number;
  item: T;
  substance: string;
}

const byFile = <T extends { file: number | null }>(
  items: readonly T[],
  keptFiles: ReadonlySet<number>,
  substanceOf: (item: T) => string | undefined,
): Map<number, Left<T>[]> => {
  const files = new Map<number, Left<T>[]>();
  for (const item of items) {
    const { file } = item;
    const substance = substanceOf(item);
    if (file === null || substance === undefined || keptFiles.has(file)) continue;
    const left = files.get(file);
    if (left === undefined) files.set(file, [{ file, item, substance }]);
    else left.push({ file, item, substance });
  }
  return files;
};

/** Equal only within one pair of files, and then by what they say. */
const inside = <T extends ExistingFinding | ReportedFinding>({ item, substance }: Left<T>, file: number): T => ({
  ...item,
  ...{ identity: `${file} ${substance}`, ruleAndFile: null, file },
});

/** Says which results continue a finding of a file that has another name now. Lines are compared as in a file that kept its name. */
export const matchRenamed = ({ open, waiting, substances, keptFiles, paths }: RenamedRequest): Match[] => {
  const gone = byFile(open, keptFiles, (item) => substances.existing.get(item.id));
  const added = byFile(waiting, keptFiles, (item) => substances.reported.get(item.n));
  const ids = new Map<LeftFile, number>();
  const filesOf = (left: ReadonlyMap<number, readonly { substance: string }[]>): LeftFile[] =>
    [...left].flatMap(([id, results]) => {
      const path = paths.get(id);
      if (path === undefined) return [];
      const file = { path, substances: results.map((result) => result.substance) };
      ids.set(file, id);
      return [file];
    });
  const pairs = pairFiles(filesOf(gone), filesOf(added)).map(
    ({ from, to }) => [ids.get(from) ?? 0, ids.get(to) ?? 0] as const,
  );
  return matchLeftovers(
    pairs.flatMap(([from, to]) => (gone.get(from) ?? []).map((left) => inside(left, to))),
    pairs.flatMap(([, to]) => (added.get(to) ?? []).map((left) => inside(left, to))),
  );
};
