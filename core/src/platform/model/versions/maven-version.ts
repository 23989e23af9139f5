/** A version of Maven as a tree: numbers, words, and lists that begin at a dash or where digits and letters meet. */
type Item = number | string | Item[];

const QUALIFIERS = ['alpha', 'beta', 'milestone', 'rc', 'snapshot', '', 'sp'];
const RELEASE_RANK = QUALIFIERS.indexOf('');
const ALIASES: Readonly<Record<string, string>> = { ga: '', final: '', release: '', cr: 'rc' };
const SHORT: Readonly<Record<string, string>> = { a: 'alpha', b: 'beta', m: 'milestone' };

const rankOf = (word: string): number => {
  const rank = QUALIFIERS.indexOf(word);
  return rank === -1 ? QUALIFIERS.length : rank;
};

const wordOf = (text: string, isBeforeNumber: boolean): string => {
  const full = isBeforeNumber && Object.hasOwn(SHORT, text) ? (SHORT[text] ?? text) : text;
  return Object.hasOwn(ALIASES, full) ? (ALIASES[full] ?? full) : full;
};

const isNull = (item: Item): boolean => (Array.isArray(item) ? item.length === 0 : item === 0 || item === '');

/** Zeros and empty words at the end of a list say nothing; lists behind them stay. */
const normalize = (list: Item[]): void => {
  for (let index = list.length - 1; index >= 0; index -= 1) {
    const item = list[index];
    if (item === undefined) return;
    if (isNull(item)) list.splice(index, 1);
    else if (!Array.isArray(item)) return;
  }
};

/** Source: maven.apache.org/pom.html "Version Order Specification", and ComparableVersion of maven-artifact 3.6. */
const readMaven = (text: string): Item[] => {
  const root: Item[] = [];
  const lists = [root];
  let list = root;
  const open = (): void => {
    const inner: Item[] = [];
    list.push(inner);
    lists.push(inner);
    list = inner;
  };
  const tokens = [...text.toLowerCase().matchAll(/\d+|[^\d.-]+|[.-]/g)].map(([token]) => token);
  let isExpected = true;
  for (const [index, token] of tokens.entries()) {
    const isSeparator = token === '.' || token === '-';
    if (isSeparator) {
      if (isExpected) list.push(0);
      if (token === '-') open();
      isExpected = true;
      continue;
    }
    // digits next to letters count as if a dash stood between them
    if (!isExpected) open();
    const next = tokens[index + 1];
    list.push(/^\d/.test(token) ? Number(token) : wordOf(token, next !== undefined && /^\d/.test(next)));
    isExpected = false;
  }
  for (const inner of lists.toReversed()) normalize(inner);
  return root;
};

const compareWords = (a: string, b: string): number => {
  const difference = rankOf(a) - rankOf(b);
  if (difference !== 0 || rankOf(a) < QUALIFIERS.length) return difference;
  return a < b ? -1 : a > b ? 1 : 0;
};

const compareToNothing = (item: Item): number => {
  if (typeof item === 'number') return item === 0 ? 0 : 1;
  if (typeof item === 'string') return rankOf(item) - RELEASE_RANK;
  const [first] = item;
  return first === undefined ? 0 : compareToNothing(first);
};

/** A number is above a list, a list above a word. */
const kindOf = (item: Item): number => (typeof item === 'number' ? 2 : typeof item === 'string' ? 0 : 1);

const compareItems = (a: Item | undefined, b: Item | undefined): number => {
  if (a === undefined) return b === undefined ? 0 : -compareToNothing(b);
  if (b === undefined) return compareToNothing(a);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return compareWords(a, b);
  if (Array.isArray(a) && Array.isArray(b)) {
    for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
      const difference = compareItems(a[index], b[index]);
      if (difference !== 0) return difference;
    }
    return 0;
  }
  return kindOf(a) - kindOf(b);
};

/** Orders two versions as Maven does. */
export const compareMaven = (a: string, b: string): number => compareItems(readMaven(a), readMaven(b));
