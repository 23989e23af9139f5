/** A finding that may say the same as another one of its repository. */
export interface Correlatable {
  id: string;
  /** Two findings that share a key say the same. */
  keys: readonly string[];
  /** Keys that it joins where somebody else holds them, without holding them itself. */
  joins: readonly string[];
  /** A secret's digest; two different digests never say the same. */
  secretHash: string | null;
  severity: number;
  /** A person decided something about it. */
  isJudged: boolean;
  /** It was there, and not a duplicate, before this import. */
  isEstablished: boolean;
  isDuplicate: boolean;
  duplicateOf: string | null;
}

/** A finding whose mark has to change. `duplicateOf` is null where it stands for itself. */
export interface CorrelationChange {
  id: string;
  duplicateOf: string | null;
}

/** CWE of credentials in code: such a result says the same as a secret on its line. */
export const CREDENTIAL_CWES: readonly number[] = [321, 798];

export interface CodeFacts {
  fileId: number;
  line: number;
  cwe: readonly number[];
  isSecret: boolean;
}

/**
 * Keys of a result in code: its exact line with each of its weaknesses; a neighbouring line is another place.
 * Credentials in code also join a secret on their line, but not each other by it.
 */
export const codeKeys = ({ fileId, line, cwe, isSecret }: CodeFacts): Pick<Correlatable, 'keys' | 'joins'> => {
  const place = `${fileId}:${line}`;
  const secret = `${place}:secret`;
  if (isSecret) return { keys: [secret], joins: [] };
  const isCredential = cwe.some((id) => CREDENTIAL_CWES.includes(id));
  return { keys: cwe.map((id) => `${place}:CWE-${id}`), joins: isCredential ? [secret] : [] };
};

/** Keys of a vulnerable package: each name of the vulnerability with package and version. */
export const packageKeys = (packageKey: string, names: readonly string[]): string[] =>
  [...new Set(names.map((name) => name.toUpperCase()))].map((name) => `${packageKey}:${name}`);

/** Union by root with path halving. */
const createSets = (size: number) => {
  const parents = Array.from({ length: size }, (_, index) => index);
  const find = (start: number): number => {
    let node = start;
    for (;;) {
      const parent = parents[node] ?? node;
      if (parent === node) return node;
      const grand = parents[parent] ?? parent;
      parents[node] = grand;
      node = grand;
    }
  };
  return {
    find,
    join: (a: number, b: number): void => {
      const [left, right] = [find(a), find(b)];
      if (left !== right) parents[Math.max(left, right)] = Math.min(left, right);
    },
  };
};

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Who stands for a group: whoever did already, then what a person judged, then the worst, then the oldest. */
const compareRank =
  (originals: ReadonlySet<string>) =>
  (a: Correlatable, b: Correlatable): number => {
    const rank = (item: Correlatable): number => (item.isEstablished ? (originals.has(item.id) ? 2 : 1) : 0);
    return (
      rank(b) - rank(a) || Number(b.isJudged) - Number(a.isJudged) || b.severity - a.severity || compareText(a.id, b.id)
    );
  };

/** Results of one secret digest hold together; one without a digest joins what stands first on its line. */
const joinByKey = (items: readonly Correlatable[], join: (a: number, b: number) => void): void => {
  const first = new Map<string, number>();
  const visit = (key: string, index: number): void => {
    const other = first.get(key);
    if (other === undefined) first.set(key, index);
    else join(other, index);
  };
  const visitAll = (wants: (item: Correlatable) => boolean): void => {
    items.forEach((item, index) => {
      if (!wants(item)) return;
      for (const key of item.keys) {
        if (item.secretHash === null) {
          visit(key, index);
          continue;
        }
        visit(`${key}:${item.secretHash}`, index);
        if (!first.has(key)) first.set(key, index);
      }
    });
  };
  visitAll((item) => item.secretHash !== null);
  visitAll((item) => item.secretHash === null);
  items.forEach((item, index) => {
    for (const key of item.joins) {
      const holder = first.get(key);
      if (holder !== undefined) join(holder, index);
    }
  });
};

/**
 * Marks, in each group of findings that say the same, all but one as its duplicates. Evidence is never dropped.
 * @returns only what has to change.
 */
export const correlate = (items: readonly Correlatable[]): CorrelationChange[] => {
  const sets = createSets(items.length);
  joinByKey(items, sets.join);
  const originals = new Set(items.flatMap((item) => item.duplicateOf ?? []));
  const compare = compareRank(originals);
  const best = new Map<number, Correlatable>();
  items.forEach((item, index) => {
    const root = sets.find(index);
    const leader = best.get(root);
    if (leader === undefined || compare(item, leader) < 0) best.set(root, item);
  });
  return items.flatMap((item, index) => {
    const leader = best.get(sets.find(index)) ?? item;
    const duplicateOf = leader.id === item.id ? null : leader.id;
    const isRight = item.duplicateOf === duplicateOf && item.isDuplicate === (duplicateOf !== null);
    return isRight ? [] : [{ id: item.id, duplicateOf }];
  });
};
