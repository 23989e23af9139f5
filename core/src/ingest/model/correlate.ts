/** How sure it is that two findings say the same, as stored in findings.duplicate_certainty. */
export const CERTAINTY = { likely: 1, certain: 2, person: 3 } as const;
type Certainty = (typeof CERTAINTY)[keyof typeof CERTAINTY];

/** Two findings that say the same, for another reason than a key. */
export interface Correlation {
  a: string;
  b: string;
  certainty: Certainty;
}

/** A finding that may say the same as another one of its repository. */
export interface Correlatable {
  id: string;
  /** Two findings that share a key say the same. */
  keys: readonly string[];
  /** Keys that it joins where somebody else holds them, without holding them itself. */
  joins: readonly string[];
  /** The keys name no more than a line: who shares one likely says the same. */
  isUnsure: boolean;
  /** A person said that it is no duplicate: rules leave it alone. */
  isApart: boolean;
  /** A secret's digest; two different digests never say the same. */
  secretHash: string | null;
  /** It is listed under a CVE: who stands for a group that has one has to show it. */
  hasCve: boolean;
  severity: number;
  /** A person decided something about it. */
  hasVerdict: boolean;
  /** It was there, and not a duplicate, before this import. */
  isEstablished: boolean;
  isDuplicate: boolean;
  duplicateOf: string | null;
  certainty: Certainty | null;
}

/** A finding whose mark has to change. `duplicateOf` is null where it stands for itself. */
export interface CorrelationChange {
  id: string;
  duplicateOf: string | null;
  certainty: Certainty | null;
}

/** CWE of credentials in code: such a result says the same as a secret on its line. */
export const CREDENTIAL_CWES: readonly number[] = [321, 798];

export interface CodeFacts {
  fileId: number;
  line: number;
  cwe: readonly number[];
  isSecret: boolean;
}

/** Keys of a secret: its line. Credentials in code join a secret on their line, but not each other by it. */
export const codeKeys = ({ fileId, line, cwe, isSecret }: CodeFacts): Pick<Correlatable, 'keys' | 'joins'> => {
  const secret = `${fileId}:${line}:secret`;
  if (isSecret) return { keys: [secret], joins: [] };
  return { keys: [], joins: cwe.some((id) => CREDENTIAL_CWES.includes(id)) ? [secret] : [] };
};

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

/** Who stands for a group: who shows its CVE, whoever did already, then what a person judged, then the worst, then the oldest. */
const compareRank =
  (originals: ReadonlySet<string>) =>
  (a: Correlatable, b: Correlatable): number => {
    const rank = (item: Correlatable): number => (item.isEstablished ? (originals.has(item.id) ? 2 : 1) : 0);
    return (
      Number(b.hasCve) - Number(a.hasCve) ||
      rank(b) - rank(a) ||
      Number(b.hasVerdict) - Number(a.hasVerdict) ||
      b.severity - a.severity ||
      compareText(a.id, b.id)
    );
  };

type Join = (a: number, b: number, certainty: Certainty) => void;

/** Results of one secret digest hold together; one without a digest joins what stands first on its line. */
const joinByKey = (items: readonly Correlatable[], join: Join): void => {
  const first = new Map<string, number>();
  const visit = (key: string, index: number, certainty: Certainty): void => {
    const other = first.get(key);
    if (other === undefined) first.set(key, index);
    else join(other, index, certainty);
  };
  const visitAll = (wants: (item: Correlatable) => boolean): void => {
    items.forEach((item, index) => {
      if (item.isApart || !wants(item)) return;
      for (const key of item.keys) {
        if (item.secretHash === null) {
          visit(key, index, item.isUnsure ? CERTAINTY.likely : CERTAINTY.certain);
          continue;
        }
        visit(`${key}:${item.secretHash}`, index, CERTAINTY.certain);
        if (!first.has(key)) first.set(key, index);
      }
    });
  };
  visitAll((item) => item.secretHash !== null);
  visitAll((item) => item.secretHash === null);
  items.forEach((item, index) => {
    if (item.isApart) return;
    for (const key of item.joins) {
      const holder = first.get(key);
      if (holder !== undefined) join(holder, index, CERTAINTY.likely);
    }
  });
};

const joinByCorrelation = (items: readonly Correlatable[], correlations: readonly Correlation[], join: Join): void => {
  if (correlations.length === 0) return;
  const positions = new Map(items.map((item, index) => [item.id, index]));
  for (const { a, b, certainty } of correlations) {
    const [left, right] = [positions.get(a), positions.get(b)];
    if (left === undefined || right === undefined) continue;
    const isRule = certainty !== CERTAINTY.person;
    if (isRule && (items[left]?.isApart === true || items[right]?.isApart === true)) continue;
    join(left, right, certainty);
  }
};

/** Groups of what says the same, and how sure two of one group are of each other: by what has to be believed to join them. */
const groupItems = (items: readonly Correlatable[], correlations: readonly Correlation[]) => {
  const all = createSets(items.length);
  const [sure, likely] = [createSets(items.length), createSets(items.length)];
  const join: Join = (a, b, certainty) => {
    all.join(a, b);
    if (certainty !== CERTAINTY.person) likely.join(a, b);
    if (certainty === CERTAINTY.certain) sure.join(a, b);
  };
  joinByKey(items, join);
  joinByCorrelation(items, correlations, join);
  const certaintyOf = (a: number, b: number): Certainty => {
    if (sure.find(a) === sure.find(b)) return CERTAINTY.certain;
    return likely.find(a) === likely.find(b) ? CERTAINTY.likely : CERTAINTY.person;
  };
  return { find: all.find, certaintyOf };
};

/**
 * Marks, in each group of findings that say the same, all but one as its duplicates. Evidence is never dropped.
 * @returns only what has to change.
 */
export const correlate = (
  items: readonly Correlatable[],
  correlations: readonly Correlation[] = [],
): CorrelationChange[] => {
  const { find, certaintyOf } = groupItems(items, correlations);
  const originals = new Set(items.flatMap((item) => item.duplicateOf ?? []));
  const compare = compareRank(originals);
  const best = new Map<number, { item: Correlatable; index: number }>();
  items.forEach((item, index) => {
    const root = find(index);
    const leader = best.get(root);
    if (leader === undefined || compare(item, leader.item) < 0) best.set(root, { item, index });
  });
  return items.flatMap((item, index) => {
    const leader = best.get(find(index)) ?? { item, index };
    const isLeader = leader.index === index;
    const duplicateOf = isLeader ? null : leader.item.id;
    const certainty = isLeader ? null : certaintyOf(leader.index, index);
    const isRight = item.duplicateOf === duplicateOf && item.isDuplicate === !isLeader && item.certainty === certainty;
    return isRight ? [] : [{ id: item.id, duplicateOf, certainty }];
  });
};
