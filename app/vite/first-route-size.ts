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

/** Files that routes load: screens, and panels with an address of their own. */
const SCREEN = /-(?:screens?|panel)\.tsx$/;
const LAYOUT = /\/layouts\//;

const lazyChunks = (bundle: Bundle, file: RegExp): LazyChunk[] =>
  Object.values(bundle).flatMap((chunk) => {
    if (chunk.type !== 'chunk' || !chunk.isDynamicEntry) return [];
    const moduleId = chunk.facadeModuleId ?? '';
    return file.test(moduleId) ? [{ name: chunk.name, fileName: chunk.fileName, moduleId }] : [];
  });

/** The frame of a screen: those of the session are for guests, all others for signed-in people. */
const layoutOf = (screen: LazyChunk, layouts: LazyChunk[]): LazyChunk | undefined => {
  const name = screen.moduleId.includes('/session/') ? 'guest-layout' : 'home-layout';
  return layouts.find((layout) => layout.name === name);
};

export interface PageSize {
  name: string;
  /** JavaScript, gzip, that has to arrive before the page shows: the shared part, its frame, itself. */
  kb: number;
}

/** Size of every page of a build, largest first. */
export const pageSizes = (bundle: Bundle): PageSize[] => {
  const entry = Object.values(bundle).find((chunk) => chunk.type === 'chunk' && chunk.isEntry);
  if (entry === undefined) return [];
  const shared = withImports(bundle, entry.fileName);
  const layouts = lazyChunks(bundle, LAYOUT);
  const sizes = lazyChunks(bundle, SCREEN).map((screen) => {
    const needed = new Set(shared);
    const layout = layoutOf(screen, layouts);
    if (layout !== undefined) withImports(bundle, layout.fileName, needed);
    return { name: screen.name, kb: gzipKb(bundle, withImports(bundle, screen.fileName, needed)) };
  });
  return sizes.sort((one, other) => other.kb - one.kb);
};

/** Prints what each page loads before it shows. The limit is held by a test: a build must not fail on somebody's server. */
export const firstRouteSize = (): Plugin => ({
  name: 'breakwater:first-route-size',
  apply: 'build',
  generateBundle(_options, bundle) {
    const lines = pageSizes(bundle).map(({ name, kb }) => `  ${kb.toFixed(1).padStart(7)} kB  ${name}`);
    this.info(['JavaScript before a page shows, gzip', ...lines].join('\n'));
  },
});
