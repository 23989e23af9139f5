import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Incoming } from '../egress/egress-gate.ts';

/** An answer that is larger than it may be. */
export class AnswerTooLarge extends Error {
  readonly limitBytes: number;

  constructor(limitBytes: number) {
    super('answer too large');
    this.name = 'AnswerTooLarge';
    this.limitBytes = limitBytes;
  }
}

const UNPACKERS = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/**
 * The body as it arrives, unpacked, at most `limitBytes`: also of a packed one, of which only one piece at a time is unpacked.
 * Ends the connection where the reader stops early.
 * @throws AnswerTooLarge, and what the network says
 */
export async function* readBody({ headers, body, hasBody }: Incoming, limitBytes: number): AsyncGenerator<Uint8Array> {
  if (!hasBody) return discard(body);
  const announced = Number(headers['content-length'] ?? 0);
  const unpacked = unpack(body, headers['content-encoding'] ?? '');
  let bytes = 0;
  try {
    if (announced > limitBytes) throw new AnswerTooLarge(limitBytes);
    for await (const chunk of unpacked) {
      const piece: Uint8Array = chunk;
      bytes += piece.byteLength;
      if (bytes > limitBytes) throw new AnswerTooLarge(limitBytes);
      yield piece;
    }
  } catch (error) {
    // Nothing at all is no broken archive, whatever the headers promise.
    if (!('bytesWritten' in unpacked) || unpacked.bytesWritten !== 0 || codeOfError(error) !== 'Z_BUF_ERROR')
      throw error;
  } finally {
    discard(unpacked);
    discard(body);
  }
}

function unpack(body: Readable, encoding: string): Readable {
  const create = UNPACKERS.get(encoding.trim().toLowerCase());
  // Both ends carry the error; the reader sees it at the near one.
  return create === undefined ? body : pipeline(body, create(), () => undefined);
}

/** Lets go of a body that nobody reads on. */
export function discard(body: Readable): void {
  body.on('error', () => undefined);
  body.destroy();
}

/** A whole body. @throws AnswerTooLarge, and what the network says */
export async function wholeBody(answer: Incoming, limitBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of readBody(answer, limitBytes)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** The error's own code, or the first one that it carries: a socket that tried several addresses says it for each. */
export function codeOfError(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  const code = 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && code !== '') return code;
  if (error instanceof AggregateError) return codeOfError(error.errors[0]);
  return error.name;
}
