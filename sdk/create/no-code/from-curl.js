import { AUTH, DraftError, EXAMPLE_RECORD } from './draft.js';

/** Options with a value that say nothing about the request itself. */
const WITH_VALUE = new Set([
  '-o',
  '--output',
  '-m',
  '--max-time',
  '--connect-timeout',
  '--retry',
  '-A',
  '--user-agent',
  '-e',
  '--referer',
  '--cacert',
  '-x',
  '--proxy',
  '-w',
  '--write-out',
]);
const COOKIES = new Set(['-b', '--cookie', '-c', '--cookie-jar']);
const DATA = new Set(['-d', '--data', '--data-raw', '--data-binary', '--json']);
const SECRET_NAME =
  /token|secret|passw|api[-_]?key|access[-_]?key|auth|credential|session|signature|^key$|^sig$|^sid$|cookie|jwt/i;
/** Headers whose values are no secret of anybody. */
const PUBLIC_HEADER = /^(accept|accept-language|content-type|user-agent|[\w-]*-?api-version|[\w-]+-version)$/i;
/** What the host sends by itself. */
const OWN_HEADER = /^(accept|accept-language|content-type|user-agent)$/i;
const PLAIN_VALUE = /^([a-z]+([_,-][a-z]+)*|\d{1,6}|true|false|\d{4}-\d{2}-\d{2})$/i;
const MOST_PLAIN = 40;

/** Words of a shell line; quotes and backslashes as POSIX has them. Nothing is expanded. */
export const shellWords = (line) => {
  const words = [];
  let word;
  for (let at = 0; at < line.length; at += 1) {
    const sign = line[at];
    if (sign === "'" || sign === '"') {
      word ??= '';
      for (at += 1; line[at] !== sign; at += 1) {
        if (at >= line.length) throw new DraftError('--curl: a quote is not closed.');
        if (sign === '"' && line[at] === '\\' && /["\\$`\n]/.test(line[at + 1] ?? '')) at += 1;
        word += line[at];
      }
    } else if (sign === '\\') {
      at += 1;
      if (line[at] !== '\n') word = `${word ?? ''}${line[at] ?? ''}`;
    } else if (/\s/.test(sign)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = `${word ?? ''}${sign}`;
  }
  return word === undefined ? words : [...words, word];
};

const parseLine = (line) => {
  const [command, ...words] = shellWords(line.trim());
  if (command !== 'curl')
    throw new DraftError("--curl takes a whole line that begins with curl: --curl 'curl -H … https://…'");
  const request = { method: undefined, headers: [], user: undefined, body: undefined, urls: [], hasCookies: false };
  while (words.length > 0) {
    let word = words.shift();
    // --header=…, -HX
    const long = /^(--[\w-]+)=(.*)$/s.exec(word);
    const short = /^(-[HXudbAeomxw])(.+)$/s.exec(word);
    if (long ?? short) {
      const [, name, value] = long ?? short;
      words.unshift(value);
      word = name;
    }
    const value = () => words.shift() ?? '';
    if (word === '-H' || word === '--header') request.headers.push(value());
    else if (word === '-X' || word === '--request') request.method = value().toUpperCase();
    else if (word === '-u' || word === '--user') request.user = value();
    else if (DATA.has(word)) request.body = value();
    else if (COOKIES.has(word)) request.hasCookies = value() !== '';
    else if (word === '--oauth2-bearer') request.headers.push(`Authorization: Bearer ${value()}`);
    else if (word === '--url') request.urls.push(value());
    else if (WITH_VALUE.has(word)) value();
    else if (!word.startsWith('-')) request.urls.push(word);
  }
  return request;
};

const isPlain = (value) => value.length <= MOST_PLAIN && PLAIN_VALUE.test(value);
const isTokenLike = (text) => /[\w+/=-]{16,}/.test(text) && /\d/.test(text) && /[A-Za-z]/.test(text);

const authOf = ({ headers, user }, url) => {
  if (user !== undefined || url.username !== '') return AUTH.basic();
  for (const header of headers) {
    const [name, value] = [header.split(':')[0].trim(), header.slice(header.indexOf(':') + 1).trim()];
    if (/^authorization$/i.test(name)) {
      if (/^bearer\s/i.test(value)) return AUTH.bearer();
      if (/^basic\s/i.test(value)) return AUTH.basic();
      const [, scheme] = /^([A-Za-z]{1,20})\s+\S/.exec(value) ?? [];
      return AUTH.header('Authorization', scheme === undefined ? '' : `${scheme} `);
    }
    if (SECRET_NAME.test(name) && !/^cookie$/i.test(name) && /^[\w-]{1,60}$/.test(name)) return AUTH.header(name);
  }
  return AUTH.none();
};

/** Values that cannot be told from secrets become fields of the form, or are left out. */
const queryOf = (url, { notWritten, fields }) => {
  const query = {};
  for (const [name, value] of url.searchParams) {
    if (SECRET_NAME.test(name) && !isPlain(value))
      throw new DraftError(
        `--curl: the parameter "${name}" is a secret in the address, where a connector may not send one. Does the service take it in a header?`,
      );
    if (isPlain(value)) query[name] = value;
    else if (/^[a-z]\w{0,40}$/i.test(name)) {
      const field = name.toLowerCase();
      fields[field] = { type: 'string', title: name };
      query[name] = `{{${field}}}`;
      notWritten.push(`the value of the parameter ${name}, which became a field of the form`);
    } else notWritten.push('a parameter with an unusual name');
  }
  return query;
};

const pathOf = (url, { notWritten, fields }) =>
  url.pathname
    .split('/')
    .map((part, index) => {
      if (/^[\w.~@-]{0,40}$/.test(part) && !isTokenLike(part)) return part;
      const field = `path_${index}`;
      fields[field] = { type: 'string', title: `Part ${index} of the address` };
      notWritten.push(`part ${index} of the path, which became a field of the form`);
      return `{{${field}}}`;
    })
    .join('/');

const bodyOf = (text) => {
  if (text === undefined) return undefined;
  let body;
  try {
    body = JSON.parse(text);
  } catch {
    throw new DraftError('--curl: only a JSON body can be sent by a connector without code.');
  }
  const visit = (value, name = '') => {
    if (typeof value === 'string' && (SECRET_NAME.test(name) || isTokenLike(value)))
      throw new DraftError(
        '--curl: the body holds what looks like a secret. Such a request needs a connector with code.',
      );
    if (typeof value === 'object' && value !== null) for (const [key, item] of Object.entries(value)) visit(item, key);
  };
  visit(body);
  return body;
};

/** A draft from a curl line. Only what cannot be a secret is taken from it. @throws DraftError */
export const draftFromCurl = (line) => {
  const parsed = parseLine(line);
  const url = URL.parse(parsed.urls[0] ?? '');
  if (parsed.urls.length !== 1 || url === null || url.protocol !== 'https:')
    throw new DraftError('--curl: the line must name one https address.');
  const method = parsed.method ?? (parsed.body === undefined ? 'GET' : 'POST');
  if (method !== 'GET' && method !== 'POST')
    throw new DraftError(`--curl: ${method} writes; give a line that reads a list.`);
  const { auth, fields: own } = authOf(parsed, url);
  const fields = { ...own };
  const notWritten =
    parsed.hasCookies || parsed.headers.some((one) => /^cookie:/i.test(one))
      ? ['cookies: a connector signs in by a key']
      : [];
  const headers = {};
  for (const header of parsed.headers) {
    const [name, value] = [header.split(':')[0].trim().toLowerCase(), header.slice(header.indexOf(':') + 1).trim()];
    if (OWN_HEADER.test(name) || SECRET_NAME.test(name)) continue;
    if (PUBLIC_HEADER.test(name) && /^[\w.-]{1,30}$/.test(value) && !isTokenLike(value)) headers[name] = value;
    else notWritten.push('a header that no rule knows to be public');
  }
  const path = pathOf(url, { notWritten, fields });
  const query = queryOf(url, { notWritten, fields });
  const body = bodyOf(parsed.body);
  const request = {
    ...(method === 'GET' ? {} : { method }),
    path,
    ...(Object.keys(query).length === 0 ? {} : { query }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
  };
  return {
    ...{ baseUrl: url.origin, auth, fields, request, answer: [EXAMPLE_RECORD], record: EXAMPLE_RECORD, notWritten },
    fillIn: [
      'the answer of the service is an example: record the real one with breakwater-connector record, then correct findings.records and findings.map',
    ],
  };
};
