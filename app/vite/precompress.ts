import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const IS_COMPRESSIBLE = /\.(js|css|html|svg|json|txt|ico)$/;
/** Below this a compressed copy saves less than its headers cost. */
const SMALLEST_BYTES = 1024;

/** The last step, 11, takes three times as long and saves a fiftieth. */
const QUALITY = 10;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

const compress = async (path: string): Promise<void> => {
  const bytes = await readFile(path);
  if (bytes.length < SMALLEST_BYTES) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const [brotli, gzipped] = await Promise.all([toBrotli(bytes, { params }), toGzip(bytes, { level: 9 })]);
  await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, gzipped)]);
};

/** Writes `.br` and `.gz` beside every built text file, so that the server sends them without work. */
export const precompress = (): Plugin => ({
  name: 'breakwater:precompress',
  apply: 'build',
  writeBundle: async ({ dir }) => {
    if (dir === undefined) return;
    const names = await readdir(dir, { recursive: true });
    // A handful at a time: libuv has four threads, and the other processes want some of them.
    const paths = names.filter((name) => IS_COMPRESSIBLE.test(name)).map((name) => join(dir, name));
    for (let index = 0; index < paths.length; index += 8) {
      await Promise.all(paths.slice(index, index + 8).map(compress));
    }
  },
});
