import type { Readable } from 'node:stream';
import { ReportError } from '@breakwater/sdk';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { LIMITS } from '../limits.ts';

/** One file of an archive. Its name is only compared, never used as a path. */
export interface ZipPart {
  /** Path inside the archive, with `/`. */
  name: string;
  /**
   * The unpacked bytes.
   * @throws ReportError report_malformed, report_too_complex for a bomb
   */
  read(): AsyncGenerator<Uint8Array>;
}

const SIGNATURES = [Buffer.from('PK\x03\x04', 'latin1'), Buffer.from('PK\x01\x02', 'latin1')];
const NAME_AT = [30, 46];
const NAME_LENGTH_AT = [26, 28];

export function isZip(head: Uint8Array): boolean {
  return head[0] === 0x50 && head[1] === 0x4b && ((head[2] === 3 && head[3] === 4) || (head[2] === 5 && head[3] === 6));
}

/** Names of the files whose headers stand in the first bytes of an archive: of a small one all. */
export function zipNames(head: Uint8Array): string[] {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const names = new Set<string>();
  for (const [kind, signature] of SIGNATURES.entries()) {
    for (let at = bytes.indexOf(signature); at >= 0 && names.size < 1_000; at = bytes.indexOf(signature, at + 4)) {
      const start = at + (NAME_AT[kind] ?? 0);
      const lengthAt = at + (NAME_LENGTH_AT[kind] ?? 0);
      if (lengthAt + 2 > bytes.length) break;
      const name = bytes.toString('utf8', start, start + bytes.readUInt16LE(lengthAt)).replaceAll('\\', '/');
      if (name !== '') names.add(name);
    }
  }
  return [...names];
}

/**
 * The files of an archive that is in memory; folders and encrypted files are left out.
 * @throws ReportError report_malformed, report_too_complex
 */
export async function readZip(bytes: Buffer): Promise<ZipPart[]> {
  const archive = await fromBufferPromise(bytes, {
    lazyEntries: true,
    decodeStrings: true,
    strictFileNames: false,
  }).catch((error: unknown) => {
    throw damaged(error);
  });
  if (archive.entryCount > LIMITS.archiveEntries) throw bomb(`holds more than ${LIMITS.archiveEntries} files`);
  const parts: ZipPart[] = [];
  const budget = { bytes: LIMITS.archiveBytes };
  try {
    for await (const entry of archive.eachEntry()) {
      if (entry.fileName.endsWith('/') || entry.isEncrypted()) continue;
      parts.push({ name: entry.fileName, read: () => unpack(archive, entry, budget) });
    }
  } catch (error) {
    throw damaged(error);
  }
  return parts;
}

async function* unpack(archive: ZipFile, entry: Entry, budget: { bytes: number }): AsyncGenerator<Uint8Array> {
  if (entry.uncompressedSize > budget.bytes) throw bomb('is too large when unpacked');
  let size = 0;
  let stream: Readable | undefined;
  try {
    stream = await archive.openReadStreamPromise(entry);
    for await (const chunk of stream) {
      const piece: Uint8Array = chunk;
      size += piece.length;
      budget.bytes -= piece.length;
      const isTight = size > LIMITS.archiveRatioFrom && size > entry.compressedSize * LIMITS.archiveRatio;
      if (isTight || budget.bytes < 0) throw bomb('is packed more tightly than any report');
      yield piece;
    }
  } catch (error) {
    throw error instanceof ReportError ? error : damaged(error);
  } finally {
    stream?.destroy();
  }
}

function damaged(cause: unknown): ReportError {
  return new ReportError(
    'report_malformed',
    'The archive is damaged or cut off and cannot be unpacked. Export it again; nothing was imported.',
    { cause },
  );
}

function bomb(reason: string): ReportError {
  return new ReportError('report_too_complex', `The archive ${reason}. Upload the report inside it instead.`);
}
