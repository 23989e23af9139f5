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

interface LazyChunk {
  name: string;
  fileName: string;
  moduleId: string;
}

const lazyChunks = (bundle: Bundle, folder: string): LazyChunk[] =>
  Object.values(bundle).flatMap((chunk) => {
    if (chunk.type !== 'chunk' || !chunk.isDynamicEntry) return [];
    const moduleId = chunk.facadeModuleId ?? '';
    return moduleId.includes(folder) ? [{ name: chunk.name, fileName: chunk.fileName, moduleId }] : [];
  });

/** The frame of a screen: those of the session are for guests, all others for signed-in people. */
const layoutOf = (screen: LazyChunk, layouts: LazyChunk[]): LazyChunk | undefined => {
  const name = screen.moduleId.includes('/session/') ? 'guest-layout' : 'home-layout';
  return layouts.find((layout) => layout.name === name);
};

/** Prints what each page loads before it shows, its frame included, and fails the build where the first one is over the limit. */
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
    const layouts = lazyChunks(bundle, '/layouts/');
    for (const screen of lazyChunks(bundle, '/screens/')) {
      const needed = new Set(shared);
      const layout = layoutOf(screen, layouts);
      if (layout !== undefined) withImports(bundle, layout.fileName, needed);
      const total = gzipKb(bundle, withImports(bundle, screen.fileName, needed));
      largest = Math.max(largest, total);
      lines.push(`  ${total.toFixed(1).padStart(7)} kB  ${screen.name}`);
    }
    this.info(lines.join('\n'));
    if (largest > FIRST_ROUTE_LIMIT_KB) {
      this.error(
        `A page needs ${largest.toFixed(1)} kB of JavaScript before it shows; the limit is ${FIRST_ROUTE_LIMIT_KB}.`,
      );
    }
  },
});
