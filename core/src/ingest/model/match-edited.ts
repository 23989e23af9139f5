import type { ExistingFinding, Match, ReportedFinding } from './match-leftovers.ts';

/** What a result shows besides its rule, file and line. Empty where the tool says nothing. */
export interface Shown {
  code: string;
  /** Function, cloud resource or object. */
  resource: string;
}

/** Lines that edited code may be away from where it is expected. */
const NEAR = 20;
/** The same without any code to compare. Where one side alone shows code, only the very line that is expected counts. */
const VERY_NEAR = 3;
/** Share of the code that must be as it was: at the very line that is expected, in the same function or resource, and near to it. */
const LIKE = 0.5;
const NEARLY_EQUAL = 0.75;

const tokensOf = (code: string): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const [token] of code.matchAll(/\w+|[^\s\w]/g)) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
};

const sizeOf = (tokens: ReadonlyMap<string, number>): number => {
  let size = 0;
  for (const count of tokens.values()) size += count;
  return size;
};

/** Share of words and signs that two pieces of code have in common, wherever they stand: 0 for none, 1 for all. */
const likenessOf = (a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number => {
  let shared = 0;
  for (const [token, count] of a) shared += Math.min(count, b.get(token) ?? 0);
  return (2 * shared) / Math.max(1, sizeOf(a) + sizeOf(b));
};

/** What one side shows, prepared to be compared. */
interface Side<T> {
  item: T;
  resource: string;
  tokens: ReadonlyMap<string, number>;
}

interface Candidate {
  old: Side<ExistingFinding>;
  now: Side<ReportedFinding>;
  distance: number;
  likeness: number;
}

const isCompared = ({ old, now }: Pick<Candidate, 'old' | 'now'>): boolean =>
  old.tokens.size > 0 && now.tokens.size > 0;

const isEvident = (candidate: Candidate): boolean => {
  const { old, now, distance, likeness } = candidate;
  if (old.resource !== '' && now.resource !== '' && old.resource !== now.resource) return false;
  if (!isCompared(candidate)) return distance <= (old.tokens.size === now.tokens.size ? VERY_NEAR : 0);
  const isSameLocation = distance === 0 || (old.resource !== '' && old.resource === now.resource);
  return isSameLocation ? likeness >= LIKE : distance <= NEAR && likeness >= NEARLY_EQUAL;
};

const groupsBy = <T extends ExistingFinding | ReportedFinding>(items: readonly Side<T>[]): Map<string, Side<T>[]> => {
  const groups = new Map<string, Side<T>[]>();
  for (const side of items) {
    const { ruleAndFile } = side.item;
    if (ruleAndFile === null) continue;
    const group = groups.get(ruleAndFile);
    if (group === undefined) groups.set(ruleAndFile, [side]);
    else group.push(side);
  }
  return groups;
};

/** More results of one rule in one file than this are compared only near to each other. */
const MANY = 200;

const candidatesOf = (
  existing: readonly Side<ExistingFinding>[],
  reported: readonly Side<ReportedFinding>[],
): Candidate[] => {
  const isMany = existing.length > MANY || reported.length > MANY;
  const sorted = [...existing].sort((a, b) => a.item.line - b.item.line);
  const found: Candidate[] = [];
  let from = 0;
  for (const now of [...reported].sort((a, b) => a.item.line - b.item.line)) {
    while (isMany && from < sorted.length && (sorted[from]?.item.line ?? 0) < now.item.line - NEAR) from += 1;
    for (let index = from; index < sorted.length; index += 1) {
      const old = sorted[index];
      if (old === undefined || (isMany && old.item.line > now.item.line + NEAR)) break;
      const distance = Math.abs(old.item.line - now.item.line);
      const candidate = { old, now, distance, likeness: likenessOf(old.tokens, now.tokens) };
      if (isEvident(candidate)) found.push(candidate);
    }
  }
  return found.sort((a, b) => b.likeness - a.likeness || a.distance - b.distance);
};

/**
 * Pairs what is left of one rule in one file where something tells that it is the same code edited: at the line where it is expected after
 * what the file moved by, or in the same function or resource, half of it must be as it was, near to it three quarters. Code that was
 * removed here and code that was added there are different findings. Of several the most alike find each other first.
 */
export const matchEdited = (
  existing: readonly ExistingFinding[],
  reported: readonly ReportedFinding[],
  shown: { existing: ReadonlyMap<string, Shown>; reported: ReadonlyMap<number, Shown> },
): Match[] => {
  const sideOf = <T>(item: T, of: Shown | undefined): Side<T> => ({
    item,
    resource: of?.resource ?? '',
    tokens: tokensOf(of?.code ?? ''),
  });
  const old = groupsBy(existing.map((item) => sideOf(item, shown.existing.get(item.id))));
  const now = groupsBy(reported.map((item) => sideOf(item, shown.reported.get(item.n))));
  const matches: Match[] = [];
  for (const [ruleAndFile, group] of now) {
    const taken = new Set<unknown>();
    for (const candidate of candidatesOf(old.get(ruleAndFile) ?? [], group)) {
      const { old: from, now: to } = candidate;
      if (taken.has(from) || taken.has(to)) continue;
      taken.add(from).add(to);
      const isSameResource = from.resource !== '' && from.resource === to.resource;
      const isByPosition = !isSameResource && !isCompared(candidate);
      matches.push({ n: to.item.n, id: from.item.id, isByPosition });
    }
  }
  return matches;
};
