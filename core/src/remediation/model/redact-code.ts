import { type Hide, hideElements, hidePairs, hideShapes, MASK, secrecyOf } from '@breakwater/sdk';

/** Code in which placeholders stand for secrets, line by line as before. */
export interface RedactedCode {
  text: string;
  /** Secret by placeholder, in the order in which they were taken out: a later one may hold earlier placeholders. */
  secrets: ReadonlyMap<string, string>;
}

interface RedactOptions {
  path: string;
  /** Lines, from 1, on which a scanner has found secrets. */
  secretLines: ReadonlySet<number>;
  /** Word of letters and digits that the code cannot know: part of every placeholder. */
  mark: string;
}

/** Ends of names of files whose values stand without quotes. */
const SETTINGS: ReadonlySet<string> = new Set([
  ...['env', 'properties', 'ini', 'conf', 'cfg', 'config', 'yml', 'yaml', 'toml', 'tfvars', 'npmrc', 'netrc', 'pypirc'],
  ...['sh', 'bash', 'xml', 'dockerfile'],
]);

/** `.env.local`, `app.yml`, `Dockerfile.prod`. */
const isSettings = (path: string): boolean => {
  const [first = '', ...rest] = path
    .slice(path.lastIndexOf('/') + 1)
    .toLowerCase()
    .split('.');
  return SETTINGS.has(rest.at(-1) ?? first) || first === 'dockerfile' || (first === '' && rest[0] === 'env');
};

const LONG_WORD = /(["'`])([\w+/=.~-]{24,200})\1/g;

const LONG_VALUE = 16;
const SHORTEST = 3;

/** Bits of each sign of a text. Source: Shannon entropy. */
const entropyOf = (text: string): number => {
  const counts = new Map<string, number>();
  for (const sign of text) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0);
};

/** Whether nobody would have typed a word so. The bounds are those at which base64 and hexadecimal differ from names and paths. */
const isRandom = (word: string): boolean =>
  /^[0-9a-f]{32,}$/i.test(word) || (/\d/.test(word) && /[a-z]/i.test(word) && entropyOf(word) >= 4);

/** What takes its value from elsewhere holds no secret: a template, a variable, an address. */
const isReference = (value: string): boolean =>
  /^(?:\$|<%|\{\{|https?:\/\/[^@]*$)|[$#]\{|\{\{/.test(value) || value.endsWith(':');

const isAssignedSecret = (name: string, value: string): boolean => {
  if (value.length < SHORTEST || isReference(value) || /^(?:true|false|null|none|undefined)$/i.test(value))
    return false;
  // a sentence is a passphrase only where the name says so
  if (/\s/.test(value) && !/pass|secret|pwd/i.test(name)) return false;
  const secrecy = secrecyOf(name);
  return secrecy === 'secret' || (secrecy === 'vague' && value.length >= LONG_VALUE);
};

const BEGIN = '-----BEGIN ';
const END = '-----END ';
const KEY_NAME = /^[A-Z0-9 ]{0,40}PRIVATE KEY/;
const LONGEST_KEY = 20_000;
/** What a key without an end may hold. */
const KEY_PART = /[\w+/=\\\s"',:.-]{0,10000}/y;

/** Where a private key that begins here ends, also in a text with escaped line ends; undefined where none begins. */
const endOfKey = (text: string, start: number): number | undefined => {
  const begun = start + BEGIN.length;
  const name = KEY_NAME.exec(text.slice(begun, begun + 60))?.[0];
  if (name === undefined) return undefined;
  const part = text.slice(start, start + LONGEST_KEY);
  const end = part.indexOf(END);
  const endName = end === -1 ? undefined : KEY_NAME.exec(part.slice(end + END.length, end + END.length + 60))?.[0];
  if (endName !== undefined) {
    const after = start + end + END.length + endName.length;
    return text.startsWith('-----', after) ? after + 5 : after;
  }
  KEY_PART.lastIndex = begun + name.length;
  KEY_PART.test(text);
  return Math.max(KEY_PART.lastIndex, begun + name.length);
};

const hideKeys = (text: string, hide: Hide): string => {
  let result = '';
  let done = 0;
  for (let at = text.indexOf(BEGIN); at !== -1; at = text.indexOf(BEGIN, Math.max(done, at + 1))) {
    const end = endOfKey(text, at);
    if (end === undefined) continue;
    result += text.slice(done, at) + hide(text.slice(at, end));
    done = end;
  }
  return result + text.slice(done);
};

class Placeholders {
  readonly secrets = new Map<string, string>();
  readonly #known = new Map<string, string>();
  readonly #mark: string;
  readonly #own: RegExp;

  constructor(mark: string) {
    this.#mark = mark;
    this.#own = new RegExp(`^${placeholderOf(mark, '\\d+')}$`);
  }

  /** The same secret has the same placeholder everywhere. Each line has its own, so that lines keep their numbers. */
  hide: Hide = (secret) => secret.replace(/[^\r\n]+/g, (line) => this.#hideLine(line));

  #hideLine(line: string): string {
    if (this.#own.test(line) || line.trim() === '') return line;
    const known = this.#known.get(line);
    if (known !== undefined) return known;
    const placeholder = placeholderOf(this.#mark, String(this.secrets.size + 1));
    this.secrets.set(placeholder, line);
    this.#known.set(line, placeholder);
    return placeholder;
  }
}

const placeholderOf = (mark: string, number: string): string => `SECRET_${mark}_${number}_`;

const isQuote = (sign: string | undefined): boolean => sign === '"' || sign === "'" || sign === '`';
const LONGEST_VALUE = 2000;

/** Where a quoted value of one line ends; undefined where it does not. */
const endOfValue = (text: string, opening: number): number | undefined => {
  const limit = Math.min(text.length, opening + LONGEST_VALUE);
  for (let at = opening + 1; at < limit; at += 1) {
    const sign = text[at];
    if (sign === '\n') return undefined;
    if (sign === text[opening]) return at;
    if (sign === '\\') at += 1;
  }
  return undefined;
};

/** What stands in quotes is handed to `hide`, or undefined where the value is shown. */
const hideQuoted = (text: string, toHide: (opening: number, value: string) => string | undefined): string => {
  let result = '';
  let done = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (!isQuote(text[at]) || text[at - 1] === '\\') continue;
    const end = endOfValue(text, at);
    const hidden = end === undefined ? undefined : toHide(at, text.slice(at + 1, end));
    if (end === undefined || hidden === undefined) continue;
    result += text.slice(done, at + 1) + hidden;
    done = end;
    at = end;
  }
  return result + text.slice(done);
};

const hideLine = (line: string, hide: Hide): string => {
  const hidden = hideQuoted(line, (_, value) => (value === '' ? undefined : hide(value)));
  if (hidden !== line) return hidden;
  const text = line.trim();
  return text === '' ? line : line.replace(text, () => hide(text));
};

/** What may stand between a name and its value, at the end of a text; letters before the quote are those of Python. */
const OPERATOR = /(?:=>|:=|===|==|=|!==|!=|:|\|\||\?\?|,|\()\s{0,8}[a-z]{0,2}$/i;
const TYPE = /:\s{0,4}[\w<>[\]|.]{1,40}\s{0,4}$/;
const isNamePart = (sign: string | undefined): boolean => sign !== undefined && /[\w$.%[-]/.test(sign);
const isBehindName = (sign: string | undefined): boolean => sign !== undefined && /["'`\]?\s]/.test(sign);

/** The last name of a text, without the quotes and brackets behind it. */
const lastName = (text: string): string => {
  let end = text.length;
  while (end > text.length - 12 && isBehindName(text[end - 1])) end -= 1;
  let start = end;
  while (start > end - 100 && isNamePart(text[start - 1])) start -= 1;
  return text.slice(start, end);
};

/** The names that a quoted value may belong to: `password: 'x'`, `token: string = "x"`, `process.env.KEY || "x"`, `set("token", "x")`. */
const namesBefore = (text: string, opening: number): string[] => {
  const before = text.slice(Math.max(0, opening - 160), opening);
  const operator = OPERATOR.exec(before);
  if (operator === null) return [];
  const head = before.slice(0, operator.index);
  const typed = TYPE.exec(head);
  return [lastName(head), ...(typed === null ? [] : [lastName(head.slice(0, typed.index))])];
};

const hideAssigned = (text: string, hide: Hide): string =>
  hideQuoted(text, (opening, value) =>
    namesBefore(text, opening).some((name) => name !== '' && isAssignedSecret(name, value)) ? hide(value) : undefined,
  );

/** Values that are likely to be secrets wherever else they stand. */
const isTelling = (secret: string): boolean => secret.length >= 8 && /\d/.test(secret) && /[a-z]/i.test(secret);

/**
 * Takes secrets out of code that goes to a model: on lines that a scanner named, private keys, keys of well-known services, values of
 * telling names, and words that nobody would have typed. What is taken out by mistake comes back by `restoreSecrets`. Pure.
 */
export const redactCode = (content: string, { path, secretLines, mark }: RedactOptions): RedactedCode => {
  const placeholders = new Placeholders(mark);
  const { hide } = placeholders;
  const hideValue: Hide = (value) => (isReference(value) ? value : hide(value));
  let text = hideKeys(content, hide);
  text = text
    .split('\n')
    .map((line, index) => (secretLines.has(index + 1) ? hideLine(line, hide) : line))
    .join('\n');
  text = hideAssigned(text, hide);
  if (isSettings(path)) text = hideElements(hidePairs(text, hideValue), hideValue);
  text = hideShapes(text, hideValue);
  text = text.replaceAll(LONG_WORD, (whole, quote: string, word: string) =>
    isRandom(word) ? `${quote}${hide(word)}${quote}` : whole,
  );
  for (const [placeholder, secret] of placeholders.secrets) {
    if (isTelling(secret)) text = text.replaceAll(secret, placeholder);
  }
  return { text, secrets: placeholders.secrets };
};

/** The same in a text about the code: a title, a description. What is known is named alike, the rest masked. */
export const redactText = (text: string, { secrets }: Pick<RedactedCode, 'secrets'>): string => {
  let shown = text;
  for (const [placeholder, secret] of secrets) if (isTelling(secret)) shown = shown.replaceAll(secret, placeholder);
  return hideShapes(shown, (value) => (secrets.has(value) ? value : MASK));
};

/** The placeholders that a text holds. */
export const placeholdersIn = (text: string, { secrets }: Pick<RedactedCode, 'secrets'>): string[] =>
  [...secrets.keys()].filter((placeholder) => text.includes(placeholder));

/** The text with the secrets in place of their placeholders. */
export const restoreSecrets = (text: string, { secrets }: Pick<RedactedCode, 'secrets'>): string => {
  let restored = text;
  // the last first: it may hold placeholders of earlier ones
  for (const [placeholder, secret] of [...secrets].toReversed())
    restored = restored.replaceAll(placeholder, () => secret);
  return restored;
};
