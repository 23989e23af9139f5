import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const BROWSER = '@breakwater/plugin-scanners/browser';
const at = (name: string): string => fileURLToPath(import.meta.resolve(`${BROWSER}/${name}`));

/** What importers import that a browser does not have, and what stands in its place. */
const REPLACED: Readonly<Record<string, string>> = {
  'node:crypto': 'node-crypto',
  'node:stream': 'node-stream',
  'node:zlib': 'node-zlib',
  'csv-parse': 'csv-parse',
  yauzl: 'yauzl',
};
/** Compiles checks from text, which the policy of our pages forbids. */
const COMPILED_CHECK = /\/values\/schema\.ts$/;

/** The importers as they run in a worker of the browser: their code is the server's, what they stand on is not. */
export const importersInBrowser = (): Plugin => ({
  name: 'breakwater:importers-in-browser',
  enforce: 'pre',
  resolveId(source) {
    if (COMPILED_CHECK.test(source)) return at('record-check');
    const replaced = REPLACED[source];
    return replaced === undefined ? undefined : at(replaced);
  },
});

/** In place of TypeBox in pages, which need no schemas (typebox-stub.ts). The worker does. */
export const typeboxStub = (): Plugin => ({
  name: 'breakwater:typebox-stub',
  enforce: 'pre',
  resolveId: (source) =>
    source === 'typebox' ? fileURLToPath(new URL('typebox-stub.ts', import.meta.url)) : undefined,
});
