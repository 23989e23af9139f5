import { gzipSync } from 'node:zlib';
import type { Plugin, Rollup } from 'vite';

/** Source: design/safety.md 39. */
export const FIRST_ROUTE_LIMIT_KB = 250;

type Bundle = Rollup.OutputBundle;

/** The chunk and all that it imports statically: what must arrive before it can run. */
const withImports = (bundle: Bundle, fileName: string, seen = new Set<string>()): Set<string> => {
  const chunk = bundle[fileName];
  if (chunk?.type !== 'chunk' || seen.has(fileName)) return seen;
  seen.add(fileName);
  for (const imported of chunk.imports) withImports(bundle, imported, seen);
  return seen;
};

const gzipKb = (bundle: Bundle, fileNames: Iterable<string>): number => {
  let bytes = 0;
  for (const fileName of fileNames) {
    const chunk = bundle[fileName];
    if (chunk?.type === 'chunk') bytes += gzipSync(chunk.code).length;
  }
  return bytes / 1024;
};

const lazyScreens = (bundle: Bundle): [name: string, fileName: string][] =>
  Object.values(bundle).flatMap((chunk) =>
    chunk.type === 'chunk' && chunk.isDynamicEntry && (chunk.facadeModuleId ?? '').includes('/screens/')
      ? [[chunk.name, chunk.fileName] satisfies [string, string]]
      : [],
  );

/** Prints what each page loads before it shows, and fails the build where the first one is over the limit. */
export const firstRouteSize = (): Plugin => ({
  name: 'breakwater:first-route-size',
  apply: 'build',
  generateBundle(_options, bundle) {
    const entry = Object.values(bundle).find((chunk) => chunk.type === 'chunk' && chunk.isEntry);
    if (entry === undefined) return;
    const shared = withImports(bundle, entry.fileName);
    const sharedKb = gzipKb(bundle, shared);
    const lines = [`JavaScript by page, gzip (shared by all: ${sharedKb.toFixed(1)} kB)`];
    let largest = sharedKb;
    for (const [name, fileName] of lazyScreens(bundle)) {
      const total = gzipKb(bundle, withImports(bundle, fileName, new Set(shared)));
      largest = Math.max(largest, total);
      lines.push(`  ${total.toFixed(1).padStart(7)} kB  ${name}`);
    }
    this.info(lines.join('\n'));
    if (largest > FIRST_ROUTE_LIMIT_KB) {
      this.error(
        `A page needs ${largest.toFixed(1)} kB of JavaScript before it shows; the limit is ${FIRST_ROUTE_LIMIT_KB}.`,
      );
    }
  },
});
