/** What stands in place of a secret. */
export const MASK = '********';

/** Takes a secret that is masked and returns what stands in its place. */
export type Hide = (secret: string) => string;

/** Parts of names whose values are secret, in letters and digits alone: `X-Api-Key` holds `apikey`. */
const TELLING =
  /authorization|authenticationinfo|cookie|token|secret|passw|passphrase|passcode|pwd|apikey|accesskey|privatekey|authkey|subscriptionkey|credential|sess(?:ion)?id|session|jwt|bearer|csrf|xsrf|signature/;
/** Names that are telling only as a whole: `author` holds `auth`, `spin` holds `pin`. */
const WHOLE: ReadonlySet<string> = new Set(['pass', 'auth', 'sid', 'sig', 'otp', 'pin', 'pw', 'usertoken']);
/** Short words that mean much else: only a long value is taken for a secret. */
const VAGUE: ReadonlySet<string> = new Set(['key', 'code', 'nonce']);
const LONG_VALUE = 16;

const decoded = (text: string): string => {
  // names are at most 100 characters
  const unescaped = text.replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  try {
    return decodeURIComponent(unescaped);
  } catch {
    return unescaped;
  }
};

/** Whether a header, parameter, field or element of this name holds a secret. `vague`: if its value is long. */
export const secrecyOf = (name: string): 'secret' | 'vague' | undefined => {
  const plain = decoded(name.slice(-100)).toLowerCase();
  if (TELLING.test(plain.replace(/[^a-z0-9]/g, ''))) return 'secret';
  const last = plain.split(/[.[\]:]/).findLast((part) => part !== '') ?? '';
  const whole = last.replace(/[^a-z0-9]/g, '');
  return WHOLE.has(whole) ? 'secret' : VAGUE.has(whole) ? 'vague' : undefined;
};

/** Values that say that there is none. */
const isNothing = (value: string): boolean => /^(?:true|false|null|undefined|\**)$/.test(value);

const isHidden = (name: string, value: string): boolean => {
  const secrecy = secrecyOf(name);
  return secrecy === 'secret' ? !isNothing(value) : secrecy === 'vague' && value.length >= LONG_VALUE;
};

const isNamePart = (sign: string | undefined): boolean => sign !== undefined && /[\w$.%[\]\\-]/.test(sign);
const isSpace = (sign: string | undefined): boolean => sign === ' ' || sign === '\t' || sign === '\n' || sign === '\r';
const isQuote = (sign: string | undefined): boolean => sign === '"' || sign === "'" || sign === '`';

/** Signs between parameters of an address that is a parameter itself: `& = ? " { , ; /` and the space. */
const ESCAPED_SIGN = /%(?:26|3d|3f|22|7b|2c|3b|2f|20)/gi;

/** The name in front of a separator: `"password" :`, `user[password]=`. */
const nameBefore = (text: string, separator: number): string => {
  let end = separator;
  while (end > separator - 8 && isSpace(text[end - 1])) end -= 1;
  while (end > separator - 16 && (isQuote(text[end - 1]) || text[end - 1] === '\\')) end -= 1;
  let start = end;
  while (start > end - 100 && isNamePart(text[start - 1])) start -= 1;
  const name = text.slice(start, end);
  return name.includes('%') ? (name.split(ESCAPED_SIGN).at(-1) ?? '') : name;
};

/** Backslashes in front of a place. */
const escapesBefore = (text: string, at: number): number => {
  let count = 0;
  while (text[at - 1 - count] === '\\') count += 1;
  return count;
};

/** Where a quoted value ends, also inside text that is quoted itself (`\"…\"`); the end of the text for one that is cut off. */
const endOfQuoted = (text: string, opening: number): number => {
  const quote = text[opening] ?? '';
  const escapes = escapesBefore(text, opening);
  let at = text.indexOf(quote, opening + 1);
  while (at !== -1 && escapesBefore(text, at) % (2 * (escapes + 1)) !== escapes) at = text.indexOf(quote, at + 1);
  return at === -1 ? text.length : at - escapes;
};

/** Where a list or an object ends, brackets in its texts left aside. */
const endOfNested = (text: string, opening: number): number => {
  let depth = 0;
  for (let at = opening; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') at = endOfQuoted(text, at);
    else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
};

const ENDS_PARAMETER = /[&\s"'<>`]|\\[nr"']|%26/g;
const ENDS_FIELD = /[&\s"'<>`,;)}\]]|\\[nr"']/g;
const SCHEME = /(?:bearer|basic|digest|negotiate|ntlm|token|apikey)[ \t]{1,4}/iy;

/** `=`, `:`, and the first inside of an address that is a parameter itself. */
const SEPARATOR = /[=:]|%3d/gi;

/** Where the value behind a separator lies. */
const valueSpan = (text: string, separator: number, length: number): [start: number, end: number] => {
  let start = separator + length;
  while (start < separator + 64 && isSpace(text[start])) start += 1;
  let opening = start;
  while (text[opening] === '\\' && opening < start + 8) opening += 1;
  if (isQuote(text[opening])) return [opening + 1, endOfQuoted(text, opening)];
  if (text[start] === '{' || text[start] === '[') return [start, endOfNested(text, start)];
  SCHEME.lastIndex = start;
  const from = SCHEME.test(text) ? SCHEME.lastIndex : start;
  const ends = text[separator] === ':' ? ENDS_FIELD : ENDS_PARAMETER;
  ends.lastIndex = from;
  return [from, ends.exec(text)?.index ?? text.length];
};

/** Values of telling names wherever they stand: query, form, JSON, script, also in text that is escaped. */
export const hidePairs = (text: string, hide: Hide): string => {
  let result = '';
  let done = 0;
  SEPARATOR.lastIndex = 0;
  for (let found = SEPARATOR.exec(text); found !== null; found = SEPARATOR.exec(text)) {
    const name = nameBefore(text, found.index);
    if (name === '' || secrecyOf(name) === undefined) continue;
    const [start, end] = valueSpan(text, found.index, found[0].length);
    const value = text.slice(start, end);
    if (value === '' || !isHidden(name, value)) continue;
    result += text.slice(done, start) + hide(value);
    done = end;
    SEPARATOR.lastIndex = end;
  }
  return result + text.slice(done);
};

/** A tag is at most 2,000 characters; what is longer is text. */
const TAG = /<([a-z][\w:.-]{0,99})(?![\w:.-])([^<>]{0,2000})>/gi;
/** Inside a tag, at most 2,000 characters. */
const NAMED = /\b(?:name|id|type|property)\s{0,4}=\s{0,4}["']?([^"'\s>]{1,100})/gi;
/** Inside a tag, at most 2,000 characters. */
const VALUE = /(\b(?:value|content)\s{0,4}=\s{0,4})("[^"]*"|'[^']*'|[^\s>"']+)/gi;

const hideAttributes = (inside: string, hide: Hide): string => {
  const names = Array.from(inside.matchAll(NAMED), (match) => match[1] ?? '');
  if (!names.some((name) => secrecyOf(name) === 'secret')) return inside;
  return inside.replace(VALUE, (_, head: string, value: string) => {
    const quote = isQuote(value[0]) ? value[0] : '';
    const bare = quote === '' ? value : value.slice(1, -1);
    return bare === '' ? `${head}${value}` : `${head}${quote}${hide(bare)}${quote}`;
  });
};

/** Values of fields and elements of telling names: `<input type="password" value="…">`, `<Password>…</Password>`. */
export const hideElements = (text: string, hide: Hide): string => {
  let result = '';
  let done = 0;
  const unclosed = new Set<string>();
  TAG.lastIndex = 0;
  for (let tag = TAG.exec(text); tag !== null; tag = TAG.exec(text)) {
    const [whole, name = '', inside = ''] = tag;
    const start = tag.index + whole.length;
    result += `${text.slice(done, tag.index)}<${name}${hideAttributes(inside, hide)}>`;
    done = start;
    if (secrecyOf(name.replace(/^[^:]*:/, '')) !== 'secret' || inside.endsWith('/')) continue;
    const closing = unclosed.has(name) ? -1 : text.indexOf(`</${name}`, start);
    if (closing === -1) unclosed.add(name);
    const next = text.indexOf('<', start);
    const end = closing !== -1 ? closing : next === -1 ? text.length : next;
    const value = text.slice(start, end);
    if (value.trim() !== '') result += hide(value);
    else result += value;
    done = end;
    TAG.lastIndex = end;
  }
  return result + text.slice(done);
};

const WORD = /[\w.+/~-]{16,}/g;
const SHAPES =
  /^(?:eyJ[\w-]{8,}\.[\w-]{4,}|A[KS]IA[A-Z0-9]{16}|gh[pousr]_\w{20,}|github_pat_\w{20,}|gl(?:pat|ptt|rt|dt)-[\w-]{16,}|xox[abeoprs]-[\w-]{10,}|[sr]k_(?:live|test)_\w{10,}|sk-(?:ant|proj|live)-[\w-]{16,}|AIza[\w-]{30,}|npm_\w{30,}|ya29\.[\w-]{20,}|SG\.[\w-]{16,})/;
const WITH_SCHEME = /\b(bearer|basic|negotiate|ntlm)([ \t]{1,4})([\w+/.~=-]{8,})/gi;
const USER = /(:\/\/[^\s/?#"'<>@:]{0,100}:)([^\s/?#"'<>@]{1,200})@/g;

/** What is a secret by its own look: keys of well-known services, credentials behind their scheme or in an address, private keys. */
export const hideShapes = (text: string, hide: Hide): string => {
  const isWritten = (value: string) => /[\d+/=]/.test(value) || (/[A-Z]/.test(value) && /[a-z]/.test(value));
  const shown = text
    .replace(WITH_SCHEME, (whole, scheme: string, gap: string, value: string) =>
      isWritten(value) ? `${scheme}${gap}${hide(value)}` : whole,
    )
    .replace(USER, (_, head: string, password: string) => `${head}${hide(password)}@`)
    .replace(WORD, (word) => (SHAPES.test(word) ? hide(word) : word));
  const parts = shown.split('-----BEGIN ');
  const [first = '', ...keys] = parts;
  return keys.reduce((before, part) => {
    const isKey = /^[A-Z0-9 ]{0,40}PRIVATE KEY/.test(part);
    const end = part.indexOf('-----END ');
    return `${before}-----BEGIN ${isKey ? `PRIVATE KEY ${MASK}${end === -1 ? '' : part.slice(end)}` : part}`;
  }, first);
};

/** First line of a private key. */
const PRIVATE_KEY = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY/;

/** What of a text is a secret by its own look. @param isLookUp what stands where a secret will be filled in, such as `{{token}}` */
export const secretLooks = (text: string, isLookUp: (value: string) => boolean): ('value' | 'private key')[] => {
  let hasValue = false;
  hideShapes(text, (value) => {
    hasValue ||= !isLookUp(value);
    return value;
  });
  return [...(hasValue ? (['value'] as const) : []), ...(PRIVATE_KEY.test(text) ? (['private key'] as const) : [])];
};
