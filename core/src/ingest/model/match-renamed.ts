import { type ExistingFinding, type Match, matchLeftovers, type ReportedFinding } from './match-leftovers.ts';
import { type LeftFile, pairFiles } from './pair-files.ts';

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
  ...{ identity: `${file} ${substance}`, place: null, file },
});

/** Says which results continue a finding of a file that has another name now. Lines are compared as in a file that kept its name. */
export const matchRenamed = ({ open, waiting, substances, keptFiles, paths }: RenamedRequest): Match[] => {
  const gone = byFile(open, keptFiles, (item) => substances.existing.get(item.id));
  const fresh = byFile(waiting, keptFiles, (item) => substances.reported.get(item.n));
  const ids = new Map<LeftFile, number>();
  const filesOf = (left: ReadonlyMap<number, readonly { substance: string }[]>): LeftFile[] =>
    [...left].flatMap(([id, results]) => {
      const path = paths.get(id);
      if (path === undefined) return [];
      const file = { path, substances: results.map((result) => result.substance) };
      ids.set(file, id);
      return [file];
    });
  const pairs = pairFiles(filesOf(gone), filesOf(fresh)).map(
    ({ from, to }) => [ids.get(from) ?? 0, ids.get(to) ?? 0] as const,
  );
  return matchLeftovers(
    pairs.flatMap(([from, to]) => (gone.get(from) ?? []).map((left) => inside(left, to))),
    pairs.flatMap(([, to]) => (fresh.get(to) ?? []).map((left) => inside(left, to))),
  );
};
