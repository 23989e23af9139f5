import { ReportError } from '@breakwater/sdk';
import { ByteWindow } from './byte-window.ts';
import { detectEncoding } from './encoding.ts';

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
