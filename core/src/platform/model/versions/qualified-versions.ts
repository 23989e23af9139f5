/** The first difference of two lists, what is missing filled in. */
export const compareLists = <Item>(
  a: readonly Item[],
  b: readonly Item[],
  compare: (left: Item | undefined, right: Item | undefined) => number,
): number => {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const difference = compare(a[index], b[index]);
    if (difference !== 0) return difference;
  }
  return 0;
};

const compareNumbers = (left: number | undefined, right: number | undefined): number => (left ?? 0) - (right ?? 0);
const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Source: packaging.python.org, version specifiers, appendix; the expression is that of `packaging.version`. */
const PEP440 =
  /^v?(?:(\d{1,9})!)?(\d{1,15}(?:\.\d{1,15})*)(?:[-_.]?(alpha|a|beta|b|preview|pre|c|rc)[-_.]?(\d{0,15}))?(?:-(\d{1,15})|[-_.]?(post|rev|r)[-_.]?(\d{0,15}))?(?:[-_.]?(dev)[-_.]?(\d{0,15}))?(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?$/;
const PRE_RANK: Readonly<Record<string, number>> = { a: 0, alpha: 0, b: 1, beta: 1, c: 2, rc: 2, pre: 2, preview: 2 };

interface PythonVersion {
  readonly release: readonly number[];
  /** Epoch, release, pre-release, post-release, development release: in the order in which they decide. */
  readonly key: readonly (readonly number[])[];
  readonly local: readonly string[] | undefined;
}

const readPython = (text: string): PythonVersion | undefined => {
  const match = PEP440.exec(text.trim().toLowerCase());
  if (match === null) return undefined;
  const [, epoch, digits = '', preName, preNumber, postOnly, postName, postNumber, devName, devNumber, local] = match;
  const release = digits.split('.').map(Number);
  const post = postOnly ?? (postName === undefined ? undefined : postNumber);
  const dev = devName === undefined ? undefined : Number(devNumber);
  const before = post === undefined && dev !== undefined ? [-1, 0] : [3, 0];
  const pre = preName === undefined ? before : [PRE_RANK[preName] ?? 0, Number(preNumber)];
  return {
    release,
    key: [
      [Number(epoch ?? 0)],
      release,
      pre,
      [post === undefined ? -1 : Number(post)],
      [dev ?? Number.MAX_SAFE_INTEGER],
    ],
    local: local?.split(/[-_.]/),
  };
};

const compareLocal = (left: string | undefined, right: string | undefined): number => {
  if (left === undefined || right === undefined) return Number(left !== undefined) - Number(right !== undefined);
  const areNumbers = [left, right].map((part) => /^\d+$/.test(part));
  if (areNumbers[0] && areNumbers[1]) return Number(left) - Number(right);
  return areNumbers[0] === areNumbers[1] ? compareTexts(left, right) : areNumbers[0] ? 1 : -1;
};

/** Numbers of a Python version, `[2, 31, 0]`; undefined where the text is none. */
export const pythonRelease = (text: string): readonly number[] | undefined => readPython(text)?.release;

export const comparePython = (a: string, b: string): number => {
  const [left, right] = [readPython(a), readPython(b)];
  if (left === undefined || right === undefined) return 0;
  const difference = compareLists(left.key, right.key, (x, y) => compareLists(x ?? [], y ?? [], compareNumbers));
  if (difference !== 0) return difference;
  if (left.local === undefined || right.local === undefined) {
    return Number(left.local !== undefined) - Number(right.local !== undefined);
  }
  return compareLists(left.local, right.local, compareLocal);
};

/** Numbers and words of a version of RubyGems; a dash counts as `.pre.`. Source: rubygems lib/rubygems/version.rb. */
const gemSegments = (text: string): (number | string)[] => {
  const segments = (text.replaceAll('-', '.pre.').match(/\d+|[a-z]+/gi) ?? []).map((part) =>
    /^\d/.test(part) ? Number(part) : part,
  );
  const firstWord = segments.findIndex((part) => typeof part === 'string');
  const cut = firstWord === -1 ? segments.length : firstWord;
  const withoutZeros = (parts: (number | string)[]) => parts.slice(0, parts.findLastIndex((part) => part !== 0) + 1);
  return [...withoutZeros(segments.slice(0, cut)), ...withoutZeros(segments.slice(cut))];
};

export const compareGems = (a: string, b: string): number =>
  compareLists(gemSegments(a), gemSegments(b), (left = 0, right = 0) => {
    if (typeof left === 'number' && typeof right === 'number') return left - right;
    if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right);
    return typeof left === 'string' ? -1 : 1;
  });

/** Source: getcomposer.org, versions; the stabilities in the order of composer/semver. */
const COMPOSER =
  /^v?(\d{1,15}(?:\.\d{1,15}){0,3})(?:[-_.]?(stable|beta|b|rc|alpha|a|patch|pl|p)[-_.]?(\d{0,9}(?:\.\d{1,9})*))?([-_.]?dev)?(?:\+\S*)?$/;
const STABILITY: Readonly<Record<string, number>> = {
  a: 1,
  alpha: 1,
  b: 2,
  beta: 2,
  rc: 3,
  stable: 4,
  p: 5,
  pl: 5,
  patch: 5,
};

const composerKey = (text: string): readonly (readonly number[])[] | undefined => {
  const match = COMPOSER.exec(text.trim().toLowerCase());
  if (match === null) return undefined;
  const [, digits = '', stability = 'stable', number = '', dev] = match;
  const rank = dev === undefined ? (STABILITY[stability] ?? 4) : 0;
  return [digits.split('.').map(Number), [rank, ...(number === '' ? [] : number.split('.').map(Number))]];
};

export const composerRelease = (text: string): readonly number[] | undefined => composerKey(text)?.[0];

export const compareComposer = (a: string, b: string): number =>
  compareLists(composerKey(a) ?? [], composerKey(b) ?? [], (x, y) => compareLists(x ?? [], y ?? [], compareNumbers));
