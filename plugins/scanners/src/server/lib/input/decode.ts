import { ReportError } from '@breakwater/sdk';
import { LIMITS } from '../limits.ts';
import { clean } from '../values/read.ts';
import { ByteWindow, detectEncoding } from './byte-window.ts';

const SLICE_BYTES = 1024 * 1024;

/**
 * The whole report as UTF-8 without byte-order mark. Reports are indexed in place (json-report.ts), so their bytes are
 * held once; everything else is made record by record.
 * @throws ReportError report_empty, report_malformed
 */
export async function readReport(report: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Buffer> {
  const bytes = await readOrNothing(report, signal);
  if (bytes.length > 0) return bytes;
  throw new ReportError('report_empty', 'The file is empty. Check that the scanner finished and wrote its report.');
}

/** As `readReport`, for tools that write nothing where they found nothing: no bytes for an empty or blank file. */
export async function readOrNothing(report: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Buffer> {
  const bytes = await new ByteWindow(report, signal).rest();
  return isBlank(bytes) ? bytes.subarray(0, 0) : bytes;
}

/** Bytes in any of the encodings scanners write, as UTF-8. */
export function toUtf8(bytes: Buffer): Buffer {
  const { encoding, skip } = detectEncoding(bytes);
  const body = bytes.subarray(skip);
  if (encoding === 'utf-8') return body;
  const decoder = new TextDecoder(encoding);
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; at += SLICE_BYTES) {
    const slice = body.subarray(at, at + SLICE_BYTES);
    parts.push(Buffer.from(decoder.decode(slice, { stream: at + SLICE_BYTES < body.length }), 'utf8'));
  }
  return Buffer.concat(parts);
}

/** Start of a report as text, for recognising it. */
export function headText(head: Uint8Array): Buffer {
  // An odd last byte of UTF-16 would only add a replacement character.
  return toUtf8(Buffer.from(head.buffer, head.byteOffset, head.byteLength));
}

function isBlank(bytes: Uint8Array): boolean {
  for (const byte of bytes) {
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return false;
  }
  return true;
}

/** The report's first bytes (at least `size` where it has them) and the same report, untouched. */
export async function peek(
  report: AsyncIterable<Uint8Array>,
  size: number,
): Promise<{ head: Buffer; report: AsyncIterable<Uint8Array> }> {
  const iterator = report[Symbol.asyncIterator]();
  const seen: Uint8Array[] = [];
  let length = 0;
  while (length < size) {
    const next = await iterator.next();
    if (next.done === true) break;
    seen.push(next.value);
    length += next.value.length;
  }
  async function* whole(): AsyncGenerator<Uint8Array> {
    try {
      yield* seen;
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return { head: Buffer.concat(seen), report: whole() };
}

interface TextLine {
  /** Counted from 1. */
  number: number;
  text: string;
}

/** Lines of a text report, one at a time; longer ones than any text field are cut. */
export function* linesOf(bytes: Buffer, signal: AbortSignal): Generator<TextLine> {
  let number = 0;
  for (let at = 0; at < bytes.length; ) {
    const newline = bytes.indexOf(0x0a, at);
    const end = newline < 0 ? bytes.length : newline;
    number += 1;
    if (number % 1024 === 0) signal.throwIfAborted();
    yield { number, text: clean(bytes.toString('utf8', at, Math.min(end, at + LIMITS.textChars))).trimEnd() };
    at = end + 1;
  }
}
