import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const FOLDER = path.join(import.meta.dirname, '../../core/data/demo-juice-shop');

/** The five reports of the demo: file name and full path. */
export const demoFiles = async (): Promise<{ name: string; file: string }[]> =>
  (await readdir(FOLDER))
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({ name, file: path.join(FOLDER, name) }));

/** A report of the demo, as bytes. */
export const demoReport = async (name: string): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await readFile(path.join(FOLDER, name)));
