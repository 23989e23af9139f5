import type { EgressGate } from '@breakwater/sdk/host';
import { msg } from '../../../platform/model/message.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';
import { FeedError } from '../../model/feeds.ts';
import { MAX_PACKED } from './replace-feed.ts';

/** What a feed said the last time, so that it need not send the same again. */
export interface Known {
  etag: string | null;
  lastModified: string | null;
}

export type FeedAnswer = { isNew: false } | ({ isNew: true; bytes: Buffer } & Known);

export interface FeedRequest {
  gate: EgressGate;
  address: URL;
  /** For messages: `EPSS_FEED_URL`. */
  setting: string;
  known: Known | undefined;
  signal: AbortSignal;
}

const HEADERS_MS = 30_000;
const IDLE_MS = 30_000;
const WHOLE_MS = 300_000;
const MAX_REDIRECTS = 3;

const placeOf = (url: URL): string =>
  `${url.hostname.toLowerCase()}:${url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port}`;

/** The operator's own address may be private; where it sends us may not. */
const rulesFor = (request: FeedRequest, url: URL) => ({
  title: 'The feed',
  setting: request.setting,
  hosts: [{ name: url.hostname.toLowerCase(), isWildcard: false, port: null }],
  places: new Set([placeOf(url)]),
  trusted: new Set([placeOf(request.address)]),
});

const readBody = async (body: AsyncIterable<unknown>): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    if (!(piece instanceof Uint8Array)) continue;
    size += piece.length;
    if (size > MAX_PACKED)
      throw new FeedError(sayEnglish('The answer is larger than {most} MB.', { most: MAX_PACKED / 1024 / 1024 }));
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
};

const headersFor = ({ known }: FeedRequest): Record<string, string> => ({
  accept: '*/*',
  'user-agent': 'breakwater',
  ...(known?.etag == null ? {} : { 'if-none-match': known.etag }),
  ...(known?.lastModified == null ? {} : { 'if-modified-since': known.lastModified }),
});

const ask = async (request: FeedRequest, url: URL, redirects: number): Promise<FeedAnswer> => {
  const answer = await request.gate.send({
    url,
    method: 'GET',
    headers: headersFor(request),
    body: undefined,
    rules: rulesFor(request, url),
    isRedirect: redirects > 0,
    signal: request.signal,
    headersMs: HEADERS_MS,
    idleMs: IDLE_MS,
  });
  const { status, headers, body } = answer;
  if (status === 200) {
    const bytes = await readBody(body);
    return { isNew: true, bytes, etag: headers['etag'] ?? null, lastModified: headers['last-modified'] ?? null };
  }
  // what is not read is broken off, which the stream calls an error
  body.on('error', () => undefined).destroy();
  if (status === 304) return { isNew: false };
  const next = URL.parse(headers['location'] ?? '', url);
  if (![301, 302, 303, 307, 308].includes(status) || next === null)
    throw new FeedError(sayEnglish('The feed answered with status {status}.', { status }));
  if (redirects === MAX_REDIRECTS) throw new FeedError(msg('The feed sends the request on and on.'));
  return ask(request, next, redirects + 1);
};

/** Asks a feed once. @throws FeedError, a ConnectorError of the gate, or what the network says */
export const fetchFeed = async (request: FeedRequest): Promise<FeedAnswer> => {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(WHOLE_MS)]);
  return ask({ ...request, signal }, request.address, 0);
};
