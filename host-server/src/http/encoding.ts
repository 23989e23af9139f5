import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';

/** What the browser reads of what we write, best first. */
export type Encoding = 'br' | 'gzip';

/** Below this a compressed answer saves less than its headers cost; it fits into one packet anyway. */
const SMALLEST_BYTES = 1400;
/** The level at which brotli takes as long as gzip and still writes less. */
const BROTLI_QUALITY = 4;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

const isRefused = (parameters: string): boolean => /;\s*q=0(\.0*)?\s*(;|$)/.test(parameters);

/** Encodings that the request accepts. Source: RFC 9110 §12.5.3; an order of preference is not read. */
export const encodingsOf = (request: Request): ReadonlySet<Encoding> => {
  const header = request.headers['accept-encoding'];
  const wanted = (typeof header === 'string' ? header : '').split(',').filter((part) => !isRefused(part));
  const names = new Set(wanted.map((part) => part.split(';')[0]?.trim().toLowerCase()));
  const encodings = new Set<Encoding>();
  if (names.has('br')) encodings.add('br');
  if (names.has('gzip')) encodings.add('gzip');
  return encodings;
};

/** Sends a text as JSON, compressed where that is worth it: a page of findings is a tenth of itself then. */
export const sendJson = async (request: Request, response: Response, text: string): Promise<void> => {
  response.type('json').setHeader('Vary', 'Accept-Encoding');
  const encodings = encodingsOf(request);
  const bytes = Buffer.from(text);
  if (bytes.length < SMALLEST_BYTES || encodings.size === 0) {
    response.send(bytes);
    return;
  }
  const encoding = encodings.has('br') ? 'br' : 'gzip';
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const encoded = encoding === 'br' ? await toBrotli(bytes, { params }) : await toGzip(bytes);
  response.setHeader('Content-Encoding', encoding);
  response.send(encoded);
};
