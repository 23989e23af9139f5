import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { openPromise } from 'yauzl';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import { say } from '../../../platform/model/sentence.ts';

/** How much of the beginning is kept to recognise the tool. */
const HEAD_BYTES = 64 * 1024;
/** Enough of a file to tell how it is packed. */
const MAGIC_BYTES = 6;
/** Packed more tightly than any real report (JSON reaches 60): a bomb. Small files may be. */
const MAX_RATIO = 300;
const RATIO_APPLIES_FROM_BYTES = 16 * 1024 * 1024;

/** A report on disk, zstd-compressed, ready to be stored. */
export interface SpooledReport {
  path: string;
  /** Of the unpacked report. */
  sizeBytes: number;
  sha256: Buffer;
  /** The first 64 KiB of the unpacked report. */
  head: Buffer;
  /** Set where the report is an archive of several files, kept as it came: some tools write such, and their parser unpacks it. */
  isArchive?: boolean;
}

/** A folder of one upload's files. */
export interface Spool {
  folder: string;
  dispose(): Promise<void>;
}

const FOLDER_PREFIX = 'breakwater-upload-';
/** Machines and containers may share the folder, but not their process numbers. */
const ownPrefix = (pid: number | string): string => `${FOLDER_PREFIX}${os.hostname()}-${pid}-`;
/** Longer than any request: of a machine or process that cannot be asked. */
const LEFTOVER_AFTER_MS = 24 * 3_600_000;

export const createSpool = async (): Promise<Spool> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), ownPrefix(process.pid)));
  return { folder, dispose: () => rm(folder, { recursive: true, force: true }) };
};

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // it runs as somebody else
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

const isLeftover = async (folder: string): Promise<boolean> => {
  const name = path.basename(folder);
  const pid = Number.parseInt(name.slice(ownPrefix('').length - 1), 10);
  if (Number.isInteger(pid) && name.startsWith(ownPrefix(pid))) return pid === process.pid || !isRunning(pid);
  const { mtimeMs } = await stat(folder);
  return mtimeMs < Date.now() - LEFTOVER_AFTER_MS;
};

/** Removes what uploads of killed processes left. To be called before the first request. @returns how many. */
export const removeLeftoverUploads = async (): Promise<number> => {
  const names = (await readdir(os.tmpdir())).filter((name) => name.startsWith(FOLDER_PREFIX));
  let count = 0;
  for (const name of names) {
    const folder = path.join(os.tmpdir(), name);
    // another process may remove it at this moment
    if (!(await isLeftover(folder).catch(() => false))) continue;
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    count += 1;
  }
  return count;
};

const tooLarge = (maxBytes: number): AppError =>
  new AppError(
    'payload_too_large',
    say(
      'The report is larger than the {maxBytes} MB allowed here. Split it, or ask the operator to raise BREAKWATER_MAX_REPORT_MB.',
      { maxBytes: Math.floor(maxBytes / 1024 / 1024) },
    ),
  );

const bomb = (): AppError =>
  new AppError(
    'report_too_complex',
    msg('The file is packed beyond any real report and was not unpacked. Upload the report itself.'),
  );

const broken = (kind: string, cause: unknown): AppError =>
  new AppError('report_malformed', say('The {kind} file is damaged or cut off. Upload it again.', { kind }), { cause });

/** Passes bytes on, while counting, hashing and keeping the head; refuses what grows beyond the limits. */
const meter = (maxBytes: number, packedBytes: () => number) => {
  const hash = createHash('sha256');
  const head: Buffer[] = [];
  let headBytes = 0;
  let sizeBytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) return done(tooLarge(maxBytes));
      if (sizeBytes > RATIO_APPLIES_FROM_BYTES && sizeBytes > packedBytes() * MAX_RATIO) return done(bomb());
      if (headBytes < HEAD_BYTES) {
        head.push(chunk.subarray(0, HEAD_BYTES - headBytes));
        headBytes += chunk.length;
      }
      hash.update(chunk);
      return done(null, chunk);
    },
  });
  return { stream, result: () => ({ sizeBytes, sha256: hash.digest(), head: Buffer.concat(head) }) };
};

const store = async (
  source: Readable,
  target: string,
  maxBytes: number,
  packedBytes: () => number,
): Promise<SpooledReport> => {
  const { stream, result } = meter(maxBytes, packedBytes);
  await pipeline(
    source,
    stream,
    createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
    createWriteStream(target, { mode: 0o600 }),
  );
  return { path: target, ...result() };
};

/** What comes in: its first bytes, all of it (those included), and how much has come so far. */
interface Arrival {
  start: Buffer;
  bytes: AsyncGenerator<Uint8Array>;
  count: () => number;
}

/** Looks at the first bytes of a source without losing them, and refuses more than `maxBytes` of it. */
const arrive = async (source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Arrival> => {
  const pieces = source[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let isOver = false;
  let known = 0;
  while (known < MAGIC_BYTES && !isOver) {
    const { value, done } = await pieces.next();
    isOver = done === true;
    if (value instanceof Uint8Array) {
      first.push(value);
      known += value.length;
    }
  }
  let count = 0;
  const take = (piece: Uint8Array): Uint8Array => {
    count += piece.length;
    if (count > maxBytes) throw tooLarge(maxBytes);
    return piece;
  };
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for (const piece of first) yield take(piece);
    if (!isOver) for await (const piece of { [Symbol.asyncIterator]: () => pieces }) yield take(piece);
  }
  return { start: Buffer.concat(first).subarray(0, MAGIC_BYTES), bytes: bytes(), count: () => count };
};

const isZip = (start: Buffer): boolean => start.subarray(0, 4).equals(Buffer.from([0x50, 0x4b, 0x03, 0x04]));

/** Ways in which one file is packed, by how it begins in hexadecimal. */
const PACKINGS = [
  { name: 'gzip', start: /^1f8b/, unpacker: createGunzip },
  // a frame that says nothing may come first
  { name: 'zst', start: /^(?:28b52ffd|5.2a4d18)/, unpacker: createZstdDecompress },
  { name: 'xz', start: /^fd377a585a00/, command: 'unxz' },
  { name: 'bz2', start: /^425a683[1-9](?:3141|1772)/, command: 'bunzip2' },
  { name: 'lz4', start: /^04224d18/, command: 'unlz4' },
  { name: '7z', start: /^377abcaf271c/, command: '7z x' },
  { name: 'rar', start: /^526172211a07/, command: 'unrar x' },
] as const;

const unread = (name: string, command: string): AppError =>
  new AppError(
    'report_malformed',
    say(
      'The file is packed as {name}, which is not unpacked here. Unpack it ({command}), or pack it as gzip, zst or zip, and upload that.',
      { name, command },
    ),
  );

const storeZip = async (file: string, target: string, maxBytes: number): Promise<SpooledReport> => {
  const archive = await openPromise(file, { lazyEntries: true, autoClose: false }).catch((error: unknown) => {
    throw broken('zip', error);
  });
  try {
    const reports = [];
    for await (const entry of archive.eachEntry()) {
      if (!entry.fileName.endsWith('/')) reports.push(entry);
      if (reports.length > 1) break;
    }
    const [entry] = reports;
    if (entry === undefined) throw new AppError('report_malformed', msg('The archive holds no file. Upload it again.'));
    if (reports.length > 1) {
      return { ...(await store(createReadStream(file), target, maxBytes, () => maxBytes)), isArchive: true };
    }
    if (entry.uncompressedSize > maxBytes) throw tooLarge(maxBytes);
    const source = await archive.openReadStreamPromise(entry);
    return await store(source, target, maxBytes, () => entry.compressedSize);
  } catch (error) {
    throw error instanceof AppError ? error : broken('zip', error);
  } finally {
    archive.close();
  }
};

/**
 * Takes a file as it arrives, unpacks gzip, zst and a zip of one file, and leaves it zstd-compressed in the spool. Only a zip is first
 * written as it is, because its directory stands at its end; one of several files stays an archive.
 * @throws payload_too_large, report_too_complex for bombs, report_malformed for a damaged archive and for packings that are not read.
 */
export const spoolReport = async (
  spool: Spool,
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<SpooledReport> => {
  const target = path.join(spool.folder, 'report.zst');
  const { start, bytes, count } = await arrive(source, maxBytes);
  if (isZip(start)) {
    const archive = path.join(spool.folder, 'received.zip');
    await pipeline(Readable.from(bytes), createWriteStream(archive, { mode: 0o600 }));
    return storeZip(archive, target, maxBytes);
  }
  const packing = PACKINGS.find((known) => known.start.test(start.toString('hex')));
  if (packing === undefined) return store(Readable.from(bytes), target, maxBytes, count);
  if ('command' in packing) throw unread(packing.name, packing.command);
  const unpacked = packing.unpacker();
  const feeding = pipeline(Readable.from(bytes), unpacked);
  feeding.catch((error: Error) => unpacked.destroy(error));
  return store(unpacked, target, maxBytes, count).catch((error: unknown) => {
    throw error instanceof AppError ? error : broken(packing.name, error);
  });
};
