import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';

/*
 * A backup is one zstd stream, with its checksum, of frames: a letter, the length of what follows in four bytes, and that. A header, then of
 * each table its begin, COPY text and its end, then sequences, jobs and the end, without which a file is taken for truncated.
 */

/** Raised whenever an older Breakwater could not read what a newer one writes. */
const FORMAT_VERSION = 1;
const FRAME_HEAD_BYTES = 5;
/** What is written has at most a quarter of it: a longer frame is a damaged length. */
const MAX_FRAME_BYTES = 256 * 1024 * 1024;

/** A file that is no whole backup. The message says why. */
export class BackupFileError extends Error {
  override readonly name = 'BackupFileError';
}

const BackupHeader = Type.Object({
  format: Type.Literal('breakwater-backup'),
  version: Type.Literal(FORMAT_VERSION),
  createdAt: Type.String(),
  postgres: Type.String(),
  /** All that had been applied, with the digest of its text. */
  migrations: Type.Array(Type.Object({ name: Type.String(), sha256: Type.String() })),
  /** Ids of the keys that sealed the secrets in it. */
  keyIds: Type.Array(Type.String()),
  /** The key file, where whoever made the backup asked for it. */
  secretKeys: Type.Optional(Type.Array(Type.String())),
});
export type BackupHeader = Static<typeof BackupHeader>;

const TableBegin = Type.Object({ name: Type.String(), columns: Type.Array(Type.String()) });
export type BackupTable = Static<typeof TableBegin>;
const TableEnd = Type.Object({ rows: Type.Number() });

const StoredSequence = Type.Object({ name: Type.String(), last: Type.String(), isCalled: Type.Boolean() });
export type StoredSequence = Static<typeof StoredSequence>;

const StoredJob = Type.Object({
  id: Type.String(),
  queue: Type.String(),
  policy: Type.String(),
  data: Type.Unknown(),
  priority: Type.Number(),
  retryLimit: Type.Number(),
  startAfter: Type.String(),
  singletonKey: Type.Union([Type.String(), Type.Null()]),
  groupId: Type.Union([Type.String(), Type.Null()]),
});
/** A job that waits or runs. One that runs is begun again. */
export type StoredJob = Static<typeof StoredJob>;

const BackupEnd = Type.Object({ tables: Type.Number(), rows: Type.Number() });

/** One part of a backup, in the order of the file. */
export type BackupPart =
  | { kind: 'header'; header: BackupHeader }
  | { kind: 'table'; table: BackupTable }
  | { kind: 'data'; data: Buffer }
  | { kind: 'table-end'; rows: number }
  | { kind: 'sequences'; sequences: StoredSequence[] }
  | { kind: 'jobs'; jobs: StoredJob[] }
  | { kind: 'end'; tables: number; rows: number };

const LETTERS = { header: 'H', table: 'T', data: 'D', 'table-end': 'E', sequences: 'S', jobs: 'J', end: 'Z' } as const;
const KINDS = new Map(Object.entries(LETTERS).map(([kind, letter]) => [letter.charCodeAt(0), kind]));

const bodyOf = (part: BackupPart): Buffer => {
  if (part.kind === 'data') return part.data;
  if (part.kind === 'header') return Buffer.from(JSON.stringify(part.header));
  if (part.kind === 'table') return Buffer.from(JSON.stringify(part.table));
  if (part.kind === 'sequences') return Buffer.from(JSON.stringify(part.sequences));
  if (part.kind === 'jobs') return Buffer.from(JSON.stringify(part.jobs));
  const { kind, ...rest } = part;
  return Buffer.from(JSON.stringify(rest));
};

const put = (stream: Writable, data: Buffer): Promise<void> =>
  new Promise((resolve, reject) => stream.write(data, (error) => (error ? reject(error) : resolve())));

export interface BackupWriter {
  write(part: BackupPart): Promise<void>;
  /** Ends the file and waits until the disk has it. */
  close(): Promise<void>;
  abort(): void;
}

/** Creates the file, for its owner's eyes only. @throws where it exists. */
export const createBackupFile = async (file: string): Promise<BackupWriter> => {
  const handle = await open(file, 'wx', 0o600);
  const disk = createWriteStream(file, { fd: handle.fd, autoClose: false });
  const zstd = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  zstd.pipe(disk);
  const failed = new Promise<never>((_, reject) => {
    for (const stream of [zstd, disk]) stream.once('error', reject);
  });
  // a write that fails says so itself; this one is for errors between two writes
  failed.catch(() => undefined);
  const write = async (part: BackupPart): Promise<void> => {
    const body = bodyOf(part);
    const head = Buffer.alloc(FRAME_HEAD_BYTES);
    head.write(LETTERS[part.kind], 0, 'latin1');
    head.writeUInt32BE(body.length, 1);
    await Promise.race([put(zstd, Buffer.concat([head, body])), failed]);
  };
  const release = (): Promise<void> => handle.close().catch(() => undefined);
  return {
    write,
    close: async () => {
      zstd.end();
      await Promise.race([finished(disk), failed]);
      await handle.sync();
      await release();
    },
    abort: () => {
      zstd.destroy();
      disk.destroy();
      void release();
    },
  };
};

const read = <S extends TSchema>(schema: S, body: Buffer): Static<S> => {
  const value: unknown = JSON.parse(body.toString('utf8'));
  if (Value.Check(schema, value)) return value;
  throw new BackupFileError('A part of it does not have the form of a backup of this version.');
};

const partOf = (kind: string | undefined, body: Buffer): BackupPart => {
  if (kind === 'data') return { kind, data: body };
  if (kind === 'header') return { kind, header: read(BackupHeader, body) };
  if (kind === 'table') return { kind, table: read(TableBegin, body) };
  if (kind === 'table-end') return { kind, ...read(TableEnd, body) };
  if (kind === 'sequences') return { kind, sequences: read(Type.Array(StoredSequence), body) };
  if (kind === 'jobs') return { kind, jobs: read(Type.Array(StoredJob), body) };
  if (kind === 'end') return { kind, ...read(BackupEnd, body) };
  throw new BackupFileError('It is damaged: a part of an unknown kind.');
};

/** Frames of the unpacked stream. */
async function* readFrames(chunks: AsyncIterable<Buffer>): AsyncGenerator<BackupPart> {
  let waiting: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
    for (;;) {
      if (waiting.length < FRAME_HEAD_BYTES) break;
      const length = waiting.readUInt32BE(1);
      if (length > MAX_FRAME_BYTES) throw new BackupFileError('It is damaged: a part of an impossible length.');
      if (waiting.length < FRAME_HEAD_BYTES + length) break;
      yield partOf(KINDS.get(waiting[0] ?? 0), waiting.subarray(FRAME_HEAD_BYTES, FRAME_HEAD_BYTES + length));
      waiting = waiting.subarray(FRAME_HEAD_BYTES + length);
    }
  }
  if (waiting.length > 0) throw new BackupFileError('It is truncated.');
}

const asFileError = (error: unknown): unknown => {
  const code = String(Object(error).code);
  if (code.startsWith('ZSTD_error_') || code.startsWith('ERR_') || code === 'Z_BUF_ERROR') {
    return new BackupFileError('It is truncated, damaged or no backup.', { cause: error });
  }
  return error instanceof SyntaxError ? new BackupFileError('It is damaged.', { cause: error }) : error;
};

/** The parts of a backup, read from the disk as they are asked for. @throws BackupFileError */
export async function* readBackupFile(file: string): AsyncGenerator<BackupPart> {
  const disk = createReadStream(file);
  const unpacked = disk.pipe(createZstdDecompress());
  disk.once('error', (error) => unpacked.destroy(error));
  try {
    yield* readFrames(unpacked);
  } catch (error) {
    throw asFileError(error);
  } finally {
    disk.destroy();
    unpacked.destroy();
  }
}

/** What a backup holds. */
export interface BackupSummary {
  header: BackupHeader;
  tables: number;
  rows: number;
  jobs: number;
}

const NEWLINE = 0x0a;

/** COPY text has one line a row, and no other line break. */
const countLines = (data: Buffer): number => {
  let lines = 0;
  for (let at = data.indexOf(NEWLINE); at !== -1; at = data.indexOf(NEWLINE, at + 1)) lines += 1;
  return lines;
};

/** Reads all of a backup and counts its rows, before anything is done with it. @throws BackupFileError */
export const verifyBackupFile = async (file: string): Promise<BackupSummary> => {
  let header: BackupHeader | undefined;
  let [tables, rows, tableRows, jobs] = [0, 0, 0, 0];
  let end: Static<typeof BackupEnd> | undefined;
  for await (const part of readBackupFile(file)) {
    if (header === undefined && part.kind !== 'header') throw new BackupFileError('It has no header.');
    if (part.kind === 'header') header = part.header;
    if (part.kind === 'data') tableRows += countLines(part.data);
    if (part.kind === 'jobs') jobs += part.jobs.length;
    if (part.kind === 'end') end = part;
    if (part.kind !== 'table-end') continue;
    if (part.rows !== tableRows) throw new BackupFileError(`It is damaged: ${tableRows} rows of ${part.rows}.`);
    tables += 1;
    rows += tableRows;
    tableRows = 0;
  }
  if (header === undefined || end === undefined) throw new BackupFileError('It is truncated.');
  if (end.tables !== tables || end.rows !== rows) throw new BackupFileError('It is damaged: tables are missing.');
  return { header, tables, rows, jobs };
};
