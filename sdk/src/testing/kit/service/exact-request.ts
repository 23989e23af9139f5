import type { Json } from '../../../context.ts';
import type { RecordedRequest } from '../../fixtures.ts';
import { differences, expand, isMatch, type Values } from './placeholders.ts';

/** A request as the fake service got it. */
export interface AskedRequest {
  readonly method: string;
  /** Path and query. */
  readonly address: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the host sends with every request, whatever the connector's code says. */
const HOST_HEADERS = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding']);
const DEFAULTS: Readonly<Record<string, readonly string[]>> = {
  accept: ['*/*', 'application/json'],
  'user-agent': ['Breakwater'],
};
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** How a request differs from the recorded one that answers it, in words. Method and path are taken to be the same. */
export function differencesOf(recorded: RecordedRequest, asked: AskedRequest, values: Values): string[] {
  return [
    ...namedDifferences('query parameter', filled(recorded.query ?? {}, values), queryOf(asked)),
    ...namedDifferences(
      'header',
      filled(recorded.headers ?? {}, values),
      headersOf(asked, recorded.form !== undefined),
    ),
    ...bodyDifferences(recorded, asked, values),
  ];
}

type Pairs = Readonly<Record<string, readonly string[]>>;

function filled(pairs: Readonly<Record<string, string | readonly string[]>>, values: Values): Pairs {
  return Object.fromEntries(
    Object.entries(pairs).map(([name, value]) => [name, [value].flat().map((one) => inBase64(expand(one, values)))]),
  );
}

/** `Basic ada:secret` as it is sent. */
function inBase64(value: string): string {
  const [, account] = /^Basic (.*:.*)$/.exec(value) ?? [];
  return account === undefined ? value : `Basic ${Buffer.from(account).toString('base64')}`;
}

function namedDifferences(what: string, recorded: Pairs, sent: Pairs): string[] {
  return [...new Set([...Object.keys(recorded), ...Object.keys(sent)])].flatMap((name) => {
    const expected = recorded[name];
    const actual = sent[name];
    if (expected === undefined) return [`${what} ${name}=${actual?.join(', ')} is sent and not recorded`];
    if (actual === undefined) return [`${what} ${name} is recorded and not sent`];
    const isSame = expected.length === actual.length && expected.every((one, at) => isMatch(one, actual[at] ?? ''));
    return isSame ? [] : [`${what} ${name} is ${actual.join(', ')}, recorded is ${expected.join(', ')}`];
  });
}

function queryOf({ address }: AskedRequest): Pairs {
  const { searchParams } = new URL(address, 'http://127.0.0.1');
  return Object.fromEntries([...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name)]));
}

/** Headers that the connector chose, by its code or by its way of signing. */
function headersOf({ headers, body }: AskedRequest, isForm: boolean): Pairs {
  const type = isForm ? FORM_TYPE : JSON_TYPE;
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name, value]) => !HOST_HEADERS.has(name) && !DEFAULTS[name]?.includes(value))
      .filter(([name, value]) => !(name === 'content-type' && body !== '' && value === type))
      .map(([name, value]) => [name, [value]]),
  );
}

function bodyDifferences(recorded: RecordedRequest, asked: AskedRequest, values: Values): string[] {
  if (recorded.body !== undefined) return jsonDifferences(recorded.body, asked.body, values);
  if (recorded.form !== undefined) {
    const sent = Object.fromEntries([...new URLSearchParams(asked.body)].map(([name, value]) => [name, [value]]));
    return namedDifferences('form field', filled(recorded.form, values), sent);
  }
  const expected = expand(recorded.text ?? '', values);
  if (isMatch(expected, asked.body)) return [];
  return expected === '' ? ['a body is sent and none is recorded'] : ['the body is not the recorded text'];
}

function jsonDifferences(expected: Json, body: string, values: Values): string[] {
  try {
    return differences(expandAll(expected, values), JSON.parse(body)).map((one) => `in the body, ${one}`);
  } catch {
    return ['the body is no JSON'];
  }
}

/** `{{field}}` in every text of a value. */
function expandAll(value: Json, values: Values): Json {
  if (typeof value === 'string') return expand(value, values);
  if (Array.isArray(value)) return value.map((item) => expandAll(item, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, expandAll(item, values)]));
}

/** What a recorded request has to say so that it is exactly as asked; headers of `signature` stand elsewhere. */
export function exactRequest(
  { method, path, service, bodyHas }: RecordedRequest,
  asked: AskedRequest,
  signature: Readonly<Record<string, string>>,
): RecordedRequest {
  const type = asked.headers['content-type'] ?? '';
  const isForm = type === FORM_TYPE;
  const headers = Object.entries(headersOf(asked, isForm)).filter(
    ([name]) => service !== undefined || signature[name] === undefined,
  );
  const query = Object.entries(queryOf(asked));
  return {
    ...(method === undefined ? {} : { method }),
    path,
    ...(service === undefined ? {} : { service }),
    ...(query.length === 0 ? {} : { query: Object.fromEntries(query.map(([name, all]) => [name, single(all)])) }),
    ...(headers.length === 0
      ? {}
      : { headers: Object.fromEntries(headers.map(([name, all]) => [name, all.join(', ')])) }),
    ...contentOf(asked.body, { isForm, isJson: type === JSON_TYPE }),
    ...(bodyHas === undefined ? {} : { bodyHas }),
  };
}

const single = (values: readonly string[]): string | readonly string[] =>
  values.length === 1 ? (values[0] ?? '') : values;

function contentOf(body: string, { isForm, isJson }: { isForm: boolean; isJson: boolean }) {
  if (body === '') return {};
  if (isForm) return { form: Object.fromEntries(new URLSearchParams(body)) };
  return isJson ? { body: JSON.parse(body) } : { text: body };
}
