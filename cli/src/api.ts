import { setTimeout as sleep } from 'node:timers/promises';

/** What the program ends with. README.md says what they mean. */
export const EXIT = { ok: 0, gateFailed: 1, usage: 2, refused: 3 } as const;

/** Options, settings or files that cannot be. */
export class UsageError extends Error {}

/** The server cannot be reached, or says no. */
export class ServerError extends Error {}

/** Times that a call is repeated which cannot have had an effect, and what is waited before each. */
const PAUSES_MS = [500, 1000, 2000, 4000];
/** The longest that a server may ask a client to wait before the next call. */
const MAX_PAUSE_MS = 60_000;

type QueryValue = string | number | readonly string[];
/** `filters[severity]` → `['high']`. */
export type Query = Readonly<Record<string, QueryValue | undefined>>;

/** An object of an answer by its keys; an empty one for anything else. */
export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** Control characters would steer the terminal, and direction marks turn the text around. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (sign) =>
    sign === '\n' ? sign : `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** The server's address without a last slash. @throws UsageError */
const addressOf = (url: string | undefined): string => {
  if (url === undefined || url.trim() === '') {
    throw new UsageError('Set BREAKWATER_URL to the address of the server, such as https://breakwater.example.');
  }
  const parsed = URL.canParse(url.trim()) ? new URL(url.trim()) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    throw new UsageError('BREAKWATER_URL must be an address with http:// or https://.');
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new UsageError('BREAKWATER_URL must hold no credentials: the token goes into BREAKWATER_TOKEN.');
  }
  const folder = parsed.pathname.endsWith('/') ? parsed.pathname.slice(0, -1) : parsed.pathname;
  return `${parsed.origin}${folder}`;
};

/** @throws UsageError */
const tokenOf = (token: string | undefined): string => {
  const text = token?.trim() ?? '';
  if (text === '') throw new UsageError('Set BREAKWATER_TOKEN to an API token of the server.');
  if (!/^[\x21-\x7e]+$/.test(text)) throw new UsageError('BREAKWATER_TOKEN holds characters that no token has.');
  return text;
};

const queryText = (query: Query): string => {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (typeof value === 'object') for (const item of value) search.append(`${key}[]`, item);
    else search.append(key, String(value));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
};

/** What a refusal says, for people. */
const refusalOf = async (response: Response): Promise<string> => {
  if (response.status >= 300 && response.status < 400) {
    const location = response.headers.get('location') ?? 'another address';
    return `The server sends the caller to ${location}. Set BREAKWATER_URL to where it really is.`;
  }
  const text = await response.text();
  const body = fieldsOf(parsed(text));
  const issues = listOf(body.detail).map((issue) => textOf(fieldsOf(issue).msg));
  const detail = textOf(body.detail) ?? issues.filter((msg) => msg !== undefined).join(' ');
  if (response.status === 401) return 'The token is unknown, expired or revoked. Set BREAKWATER_TOKEN to a new one.';
  return detail === '' ? `The server answers with status ${response.status}.` : printable(detail);
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export interface ApiOptions {
  url: string | undefined;
  token: string | undefined;
  signal: AbortSignal;
  /** Called before a call is repeated, with the reason. */
  onPause: (reason: string, pauseMs: number) => void;
}

/** Calls the server with the token. Answers are unknown until they are read. */
export class Api {
  /** Address of the server. */
  readonly address: string;
  private readonly token: string;
  private readonly signal: AbortSignal;
  private readonly onPause: ApiOptions['onPause'];

  /** @throws UsageError */
  constructor({ url, token, signal, onPause }: ApiOptions) {
    this.address = addressOf(url);
    this.token = tokenOf(token);
    this.signal = signal;
    this.onPause = onPause;
  }

  /** @throws ServerError */
  get(path: string, query: Query = {}): Promise<unknown> {
    return this.call('GET', `${path}${queryText(query)}`, undefined);
  }

  /** @param body a form, or what is sent as JSON. @throws ServerError */
  post(path: string, body: unknown): Promise<unknown> {
    return this.call('POST', path, body);
  }

  private async call(method: string, path: string, body: unknown): Promise<unknown> {
    for (let attempt = 0; ; attempt += 1) {
      const pauseMs = PAUSES_MS[attempt];
      const answer = await this.send(method, path, body);
      if (answer.response?.ok === true) return parsed(await answer.response.text());
      const { reason, wait } = await this.problemOf(method, answer);
      if (wait === undefined || pauseMs === undefined) throw new ServerError(reason, { cause: answer.error });
      const longest = Math.min(Math.max(pauseMs, wait), MAX_PAUSE_MS);
      this.onPause(reason, longest);
      await sleep(longest, undefined, { signal: this.signal });
    }
  }

  private async send(method: string, path: string, body: unknown): Promise<{ response?: Response; error?: unknown }> {
    const isForm = body instanceof FormData;
    const headers = { authorization: `Bearer ${this.token}`, accept: 'application/json' };
    const json = isForm || body === undefined ? {} : { 'content-type': 'application/json' };
    try {
      const response = await fetch(`${this.address}/api/v1${path}`, {
        ...{ method, signal: this.signal, redirect: 'manual', headers: { ...headers, ...json } },
        ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      });
      return { response };
    } catch (error) {
      if (this.signal.aborted) throw error;
      return { error };
    }
  }

  /** `wait` in milliseconds where the call may be repeated: the server said that it did nothing, or reading changes nothing. */
  private async problemOf(
    method: string,
    { response, error }: { response?: Response; error?: unknown },
  ): Promise<{ reason: string; wait: number | undefined }> {
    if (response === undefined) {
      return { reason: `${this.address} cannot be reached${causeOf(error)}.`, wait: method === 'GET' ? 0 : undefined };
    }
    const isBusy = response.status === 429 || response.status === 503;
    const asked = Number(response.headers.get('retry-after'));
    const wait = Number.isFinite(asked) && asked > 0 ? asked * 1000 : 0;
    return { reason: await refusalOf(response), wait: isBusy ? wait : undefined };
  }
}

const causeOf = (error: unknown): string => {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? ` (${code})` : '';
};
