import { BlobReader, configure, type FileEntry, ZipReader } from '@zip.js/zip.js/lib/zip-core-native.js';

// this is a worker already
configure({ useWebWorkers: false });

const unpacked = (entry: FileEntry): ReadableStream<Uint8Array> => {
  const pipe = new TransformStream<Uint8Array, Uint8Array>();
  // whoever has read enough ends it; damage is met by whoever reads
  void entry.getData(pipe.writable).catch((error: unknown) => pipe.writable.abort(error).catch(() => undefined));
  return pipe.readable;
};

/**
 * The only file of an archive, as the server takes a zip of one report. @returns undefined where it holds several, which only a tool's own
 * importer reads, or none. @throws for a damaged archive
 */
export const onlyFileOf = async (archive: Blob): Promise<{ open(): ReadableStream<Uint8Array> } | undefined> => {
  const files: FileEntry[] = [];
  for await (const entry of new ZipReader(new BlobReader(archive)).getEntriesGenerator()) {
    if (!entry.directory) files.push(entry);
    if (files.length > 1) return undefined;
  }
  const [file] = files;
  return file === undefined ? undefined : { open: () => unpacked(file) };
};
