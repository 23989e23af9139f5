import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { type GitObject, openObjectReader } from './object-reader.ts';

const compress = promisify(deflate);

/** Blobs, trees and commits of one repository. */
export interface ObjectStore {
  /** @param name a hash, or anything else that names an object. @returns null where there is none */
  read(name: string): Promise<GitObject | null>;
  /** Writes it as a file of its own, as `git hash-object -w` does. @returns its hash */
  write(type: 'blob' | 'tree' | 'commit', content: Uint8Array): Promise<string>;
  /** The same objects in a copy of the folder. */
  copyTo(folder: string): ObjectStore;
  close(): void;
}

/**
 * What was written here is remembered, since what has a hash never changes; everything else is read by git. A process of git for each
 * object would cost a fake provider most of its time.
 */
export function openObjects(folder: string, known = new Map<string, GitObject>()): ObjectStore {
  const reader = openObjectReader(folder);
  const read = async (name: string): Promise<GitObject | null> => {
    const remembered = known.get(name);
    if (remembered !== undefined) return remembered;
    const found = await reader.read(name);
    if (found !== null) known.set(found.hash, found);
    return found;
  };
  const write: ObjectStore['write'] = async (type, content) => {
    const stored = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
    const hash = createHash('sha1').update(stored).digest('hex');
    if (known.has(hash)) return hash;
    await writeLoose(folder, hash, await compress(stored, { level: 1 }));
    known.set(hash, { hash, type, content: Buffer.from(content) });
    return hash;
  };
  return { read, write, copyTo: (other) => openObjects(other, new Map(known)), close: () => reader.close() };
}

/** Under another name first, so that nobody reads half of it. */
async function writeLoose(folder: string, hash: string, bytes: Uint8Array): Promise<void> {
  const place = join(folder, 'objects', hash.slice(0, 2));
  await mkdir(place, { recursive: true });
  const draft = join(place, `tmp_obj_${randomUUID()}`);
  await writeFile(draft, bytes, { mode: 0o444 });
  await rename(draft, join(place, hash.slice(2)));
}
