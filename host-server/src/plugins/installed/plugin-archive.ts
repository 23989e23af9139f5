import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { msg } from '@breakwater/core/platform/model/message.ts';
import { create, Parser, type ReadEntry } from 'tar';
import { BUILD_MANIFEST } from '../plugin-entries.ts';

/** What is in an archive, by path with slashes below the folder of the manifest. */
export type ArchiveFiles = ReadonlyMap<string, Uint8Array>;

/** An archive that cannot be used; the message is for whoever sent it. */
export class ArchiveError extends Error {
  override name = 'ArchiveError';
}

export const MAX_PACKED_BYTES = 10 * 1024 * 1024;
const MAX_UNPACKED_BYTES = 50 * 1024 * 1024;
const MAX_FILES = 500;
const MAX_PATH = 300;
/** No part leads up or is hidden, no sign means something else on another system. */
const PATH = /^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[\w@.-]+(?:\/[\w@.-]+)*$/;

const unpack = promisify(gunzip);

const unzipped = async (archive: Uint8Array): Promise<Buffer> => {
  if (archive.length > MAX_PACKED_BYTES) throw new ArchiveError(msg('The archive is larger than 10 MB.'));
  try {
    return await unpack(archive, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw new ArchiveError(
      isTooLarge
        ? msg('Unpacked, the archive is larger than 50 MB.')
        : msg('This is no archive as `npm pack` makes it (.tgz), or it is not whole.'),
      { cause: error },
    );
  }
};

const entryPath = ({ path, type }: ReadEntry): string => {
  const clean = path.replace(/^\.\//, '').replace(/\/$/, '');
  if (type !== 'File' && type !== 'OldFile' && type !== 'Directory')
    throw new ArchiveError(msg('The archive holds a link or a device: a plugin is made of files alone.'));
  if (clean !== '' && (clean.length > MAX_PATH || !PATH.test(clean)))
    throw new ArchiveError(msg('A path in the archive leads out of it, or has characters that are not allowed.'));
  return clean;
};

const entriesOf = (bytes: Buffer): Promise<Map<string, Uint8Array>> => {
  const { promise, resolve, reject } = Promise.withResolvers<Map<string, Uint8Array>>();
  const files = new Map<string, Uint8Array>();
  const parser = new Parser({ strict: true });
  parser.on('entry', (entry: ReadEntry) => {
    try {
      const path = entryPath(entry);
      if (entry.type === 'Directory') {
        entry.resume();
        return;
      }
      if (files.has(path)) throw new ArchiveError(msg('The archive holds two files of one path.'));
      if (files.size >= MAX_FILES) throw new ArchiveError(msg('The archive holds more than 500 files.'));
      const pieces: Uint8Array[] = [];
      files.set(path, new Uint8Array());
      entry.on('data', (piece: Uint8Array) => pieces.push(piece));
      entry.on('end', () => files.set(path, Buffer.concat(pieces)));
    } catch (error) {
      reject(error);
      entry.resume();
    }
  });
  parser.on('error', (error: unknown) =>
    reject(
      new ArchiveError(msg('This is no archive as `npm pack` makes it (.tgz), or it is not whole.'), { cause: error }),
    ),
  );
  parser.on('end', () => resolve(files));
  parser.end(bytes);
  return promise;
};

/**
 * What a `.tgz` holds of a built plugin. The folder in which npm packs (`package`) is left off.
 * Nothing of it is written anywhere. @throws ArchiveError
 */
export const readArchive = async (archive: Uint8Array): Promise<ArchiveFiles> => {
  const entries = await entriesOf(await unzipped(archive));
  const manifests = [...entries.keys()].filter(
    (path) => path === BUILD_MANIFEST || path.endsWith(`/${BUILD_MANIFEST}`),
  );
  const [manifest] = manifests;
  if (manifest === undefined || manifests.length > 1) {
    throw new ArchiveError(
      msg(
        'The archive holds no build of a plugin: run `breakwater-connector build`, and pack the folder that it makes.',
      ),
    );
  }
  const folder = manifest.slice(0, -BUILD_MANIFEST.length);
  const files = new Map<string, Uint8Array>();
  for (const [path, bytes] of entries) {
    if (!path.startsWith(folder))
      throw new ArchiveError(msg('The archive holds files beside the folder of the build.'));
    files.set(path.slice(folder.length), bytes);
  }
  return files;
};

/** Packs the files of a folder. The same files give the same bytes. */
export const writeArchive = (folder: string, paths: readonly string[]): Promise<Buffer> => {
  const options = { portable: true, cwd: folder, prefix: 'package', mtime: new Date(0), noDirRecurse: true };
  return create({ ...options, gzip: { level: 9 } }, [...paths].toSorted()).concat();
};
