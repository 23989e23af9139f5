import type { HttpExchange, NormalizedFinding } from '@breakwater/sdk';
import { type Hide, hideElements, hidePairs, hideShapes, MASK, secrecyOf } from '@breakwater/sdk';

/** Values that stand in headers alone and tell nobody anything: attributes of a cookie. */
const COOKIE_ATTRIBUTES: ReadonlySet<string> = new Set([
  'path',
  'domain',
  'expires',
  'max-age',
  'secure',
  'httponly',
  'samesite',
  'partitioned',
  'priority',
  'version',
]);
const SCHEMES: ReadonlySet<string> = new Set([
  'bearer',
  'basic',
  'digest',
  'negotiate',
  'ntlm',
  'token',
  'apikey',
  'hawk',
  'aws4-hmac-sha256',
]);

const hideText = (text: string, hide: Hide): string => hideShapes(hideElements(hidePairs(text, hide), hide), hide);

/** `name=value` with the value hidden; a value alone is hidden too. */
const hideCookie = (pair: string, hide: Hide): string => {
  const at = pair.indexOf('=');
  const value = pair.slice(at + 1).trim();
  return value === ''
    ? pair
    : `${pair.slice(0, at + 1)}${at === -1 ? ' '.repeat(pair.search(/\S/)) : ''}${hide(value)}`;
};

const isAttribute = (part: string): boolean => {
  const [name = '', value = ''] = part.split('=', 2);
  const word = name.trim().toLowerCase();
  // several cookies in one header are separated by commas, which a date has too
  const rest = word === 'expires' ? value.replace(',', '') : value;
  return COOKIE_ATTRIBUTES.has(word) && !rest.includes(',');
};

/** The value of a header that holds a secret: names of cookies, their attributes and the scheme stay. */
const hideHeader = (name: string, value: string, hide: Hide): string => {
  const parts = value.split(';');
  if (/^(?:proxy-)?cookie2?$/i.test(name)) return parts.map((part) => hideCookie(part, hide)).join(';');
  if (/^set-cookie2?$/i.test(name))
    return parts.map((part, place) => (place > 0 && isAttribute(part) ? part : hideCookie(part, hide))).join(';');
  const lead = value.slice(0, value.length - value.trimStart().length);
  const [scheme = '', ...rest] = value.trimStart().split(' ');
  const credential = rest.join(' ').trim();
  if (credential !== '' && SCHEMES.has(scheme.toLowerCase())) return `${lead}${scheme} ${hide(credential)}`;
  return value.trim() === '' ? value : `${lead}${hide(value.trim())}`;
};

/** `Name: value`, also behind the signs with which curl shows the direction. */
const HEADER = /^([ \t]{0,4}[<>*]?[ \t]?)([\w!#$%&'*+.^`|~-]{1,100})([ \t]{0,4}:)/;
const PART_NAME = /^content-disposition$/i;
const IN_QUOTES = /\bname="?([^";]{1,200})/i;

/** How lines behind a header belong to it: folded ones to its value, a part of a form to the name that it gives. */
type Open = 'nothing' | 'folded' | 'part' | 'part value';

const afterLine = (open: Open, line: string): Open => {
  if (open === 'part') return line === '' ? 'part value' : 'part';
  return open === 'part value' && !line.startsWith('--') ? 'part value' : 'nothing';
};

/** One message, or several: what is no header is looked through as text. */
export const hideMessage = (message: string, hide: Hide): string => {
  let result = '';
  let waiting = '';
  let open: Open = 'nothing';
  const put = (line: string): void => {
    result += hideText(waiting, hide) + line;
    waiting = '';
  };
  for (const piece of message.split(/(?<=\n)|(?<=\r)(?!\n)/)) {
    const line = piece.replace(/[\r\n]{1,2}$/, '');
    const end = piece.slice(line.length);
    const isFolded: boolean = open === 'folded' && /^[ \t]+\S/.test(line);
    open = isFolded ? 'folded' : afterLine(open, line);
    const [head = '', , name = ''] = HEADER.exec(line) ?? [];
    if (isFolded) put(` ${hide(line.trim())}${end}`);
    else if (open === 'part value' && line !== '') put(`${hide(line)}${end}`);
    else if (name !== '' && PART_NAME.test(name) && secrecyOf(IN_QUOTES.exec(line)?.[1] ?? '') === 'secret') {
      open = 'part';
      put(piece);
    } else if (name !== '' && secrecyOf(name) === 'secret') {
      open = 'folded';
      put(`${head}${hideHeader(name, line.slice(head.length), hide)}${end}`);
    } else waiting += piece;
  }
  put('');
  return result;
};

const ARGUMENT = /(?:\$'(?:[^'\\]|\\[\s\S])*'?|'[^']*'?|"(?:[^"\\]|\\[\s\S])*"?|\\[\s\S]|[^\s'"\\]|\\)+/g;
/** Options of curl by what stands behind them. */
const HEADER_OPTION = /^(?:-H|--header|--proxy-header)=?$/;
const COOKIE_OPTION = /^(?:-[a-zA-Z]{0,8}b|--cookie)=?$/;
const USER_OPTION = /^(?:-[a-zA-Z]{0,8}[uU]|--user|--proxy-user)=?$/;
const SECRET_OPTION = /^(?:--oauth2-bearer|--pass|--proxy-pass|--tlspassword|--aws-sigv4)=?$/;

/** The value of an option, its quotes left around it. */
const hideOption = (option: string, argument: string, hide: Hide): string | undefined => {
  const opening = /^\$?['"]/.exec(argument)?.[0] ?? '';
  const closing = opening !== '' && argument.length > opening.length ? opening.slice(-1) : '';
  const isClosed = closing !== '' && argument.endsWith(closing);
  const bare = argument.slice(opening.length, isClosed ? -1 : undefined);
  const around = (text: string) => `${opening}${text}${isClosed ? closing : ''}`;
  const at = bare.indexOf(':');
  if (SECRET_OPTION.test(option)) return around(hide(bare));
  if (COOKIE_OPTION.test(option)) return around(hideHeader('cookie', bare, hide));
  if (USER_OPTION.test(option))
    return at === -1 ? argument : around(`${bare.slice(0, at + 1)}${hide(bare.slice(at + 1))}`);
  if (!HEADER_OPTION.test(option) || at === -1 || secrecyOf(bare.slice(0, at)) !== 'secret') return undefined;
  return around(`${bare.slice(0, at + 1)}${hideHeader(bare.slice(0, at), bare.slice(at + 1), hide)}`);
};

/** A line of curl: options that hold secrets, and all else as text. */
const hideCommand = (command: string, hide: Hide): string => {
  let option = '';
  return command.replace(ARGUMENT, (argument) => {
    const [, attached, rest = ''] = /^(-[HbuU]|--[a-z0-9-]{1,40}=)([\s\S]+)$/.exec(argument) ?? [];
    const hidden = attached === undefined ? hideOption(option, argument, hide) : hideOption(attached, rest, hide);
    option = argument.startsWith('-') ? argument : '';
    if (hidden === undefined) return hideText(argument, hide);
    return attached === undefined ? hidden : `${attached}${hidden}`;
  });
};

/** Secrets that are looked for elsewhere; shorter ones, and words, stand in any text. */
const MAX_SECRETS = 100;
const isDistinct = (secret: string): boolean =>
  secret.length >= 12 || (secret.length >= 6 && /\d|[^\w]/.test(secret) && /[a-z]/i.test(secret));

const decodedBy = (decode: (text: string) => string, text: string): string => {
  try {
    return decode(text);
  } catch {
    // it is not written that way
    return '';
  }
};

/** The secret as it may stand elsewhere: with escapes or without, and the password of basic credentials. */
const spellings = (secret: string): string[] => {
  const plain = decodedBy(decodeURIComponent, secret.replaceAll('+', ' '));
  const credentials = decodedBy(atob, secret);
  const password = /^[\x20-\x7e]+$/.test(credentials) ? credentials.slice(credentials.indexOf(':') + 1) : '';
  const isPassword = password !== credentials;
  return [secret, encodeURIComponent(secret.toWellFormed()), plain, isPassword ? password : ''].filter(isDistinct);
};

export interface MaskedExchange {
  http: HttpExchange;
  /** Another text of the same result, without what was masked in the exchange. */
  mask(text: string): string;
}

/**
 * The exchange without its secrets: credentials, cookies, tokens, keys and passwords in headers, addresses, bodies and on the command line.
 * What was masked in one place is masked wherever it is repeated.
 */
export const maskExchange = ({ request, response, curl }: HttpExchange): MaskedExchange => {
  const secrets = new Set<string>();
  const hide: Hide = (secret) => {
    if (secrets.size < MAX_SECRETS) for (const spelling of spellings(secret)) secrets.add(spelling);
    return MASK;
  };
  const hidden = {
    ...(request === undefined ? {} : { request: hideMessage(request, hide) }),
    ...(response === undefined ? {} : { response: hideMessage(response, hide) }),
    ...(curl === undefined ? {} : { curl: hideCommand(curl, hide) }),
  };
  const ordered = [...secrets].sort((a, b) => b.length - a.length);
  const mask = (text: string): string => ordered.reduce((left, secret) => left.replaceAll(secret, MASK), text);
  return { http: Object.fromEntries(Object.entries(hidden).map(([part, text]) => [part, mask(text)])), mask };
};

/** Longer than what is stored: a secret that is cut in half by the limit is cut off as well. */
const MAX_MESSAGE = 80_000;

/** Without NUL, which is not stored either: `pass\0word` would be a name that nobody knows. */
const cutMessage = (text: string): string => text.slice(0, MAX_MESSAGE).replaceAll('\0', '');

/** The result with its secrets masked: in its exchange, and where its texts repeat them. */
export const withoutSecrets = (finding: NormalizedFinding): NormalizedFinding => {
  if (finding.http === undefined) return finding;
  const { request, response, curl } = finding.http;
  const { http, mask } = maskExchange({
    ...(request === undefined ? {} : { request: cutMessage(request) }),
    ...(response === undefined ? {} : { response: cutMessage(response) }),
    ...(curl === undefined ? {} : { curl: cutMessage(curl) }),
  });
  const { description, mitigation, locations } = finding;
  return {
    ...finding,
    http,
    ...(description === undefined ? {} : { description: mask(description) }),
    ...(mitigation === undefined ? {} : { mitigation: mask(mitigation) }),
    ...(locations === undefined
      ? {}
      : {
          locations: locations.map((location) =>
            location.snippet === undefined ? location : { ...location, snippet: mask(location.snippet) },
          ),
        }),
  };
};
