import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';

/** What we write, best first. */
const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Below this a compressed answer saves less than its headers cost; it fits into one packet anyway. */
const SMALLEST_BYTES = 1400;
/** The level at which brotli takes as long as gzip and still writes less. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/**
 * A function of its own, so that what is kept with it holds no answer: Node's compressor lives until all garbage is collected, and with it whatever its callback can
 * reach. `promisify` keeps the arguments there. Source: decision 2026-11-29-what-keeps-answers-alive.
 */
const settler =
  ({ resolve, reject }: PromiseWithResolvers<Buffer>) =>
  (error: Error | null, encoded: Buffer): void =>
    error === null ? resolve(encoded) : reject(error);

const compressed = (bytes: Buffer, encoding: Encoding): Promise<Buffer> => {
  const done = Promise.withResolvers<Buffer>();
  if (encoding === 'br') brotliCompress(bytes, BROTLI, settler(done));
  else gzip(bytes, settler(done));
  return done.promise;
};

const isRefused = (parameters: string): boolean => /;\s*q=0(\.0*)?\s*(;|$)/.test(parameters);

/** Encodings that the request accepts, best first. Source: RFC 9110 §12.5.3; an order of preference is not read. */
export const encodingsOf = (request: Request): Encoding[] => {
  const header = request.headers['accept-encoding'];
  const wanted = (typeof header === 'string' ? header : '').split(',').filter((part) => !isRefused(part));
  const names = new Set(wanted.map((part) => part.split(';')[0]?.trim().toLowerCase()));
  return ENCODINGS.filter((encoding) => names.has(encoding));
};

/** Sends a text as JSON, or as the media type that is set already, compressed where that is worth it: a page of findings is a tenth of itself then. */
export const sendJson = async (request: Request, response: Response, text: string): Promise<void> => {
  if (!response.hasHeader('Content-Type')) response.type('json');
  response.setHeader('Vary', 'Accept-Encoding');
  const [encoding] = encodingsOf(request);
  const bytes = Buffer.from(text);
  if (bytes.length < SMALLEST_BYTES || encoding === undefined) {
    response.send(bytes);
    return;
  }
  const encoded = await compressed(bytes, encoding);
  response.setHeader('Content-Encoding', encoding);
  response.send(encoded);
};
