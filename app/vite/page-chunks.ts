import { gzipSync } from 'node:zlib';
import { FIRST_ANSWERS } from '@breakwater/core/platform/ui/data/first-answers.ts';
import { IS_LOGIN_KEY, READS_FINDINGS } from '@breakwater/core/session/model/is-login.ts';
import type { Plugin, Rollup } from 'vite';
import { firstCalls } from './first-calls.ts';

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

/** Pages where people begin, by the first part of their path, and the screen that each shows in the frame of signed-in people. */
const FIRST_PAGES: Readonly<Record<string, string>> = { '': 'dashboard-screen', findings: 'findings-screen' };
const FRAME = 'home-layout';

/** The first call of every page for signed-in people. */
const SESSION_PATH = '/api/v1/session';

const lazyChunk = (bundle: Bundle, name: string): string | undefined =>
  Object.values(bundle).find((file) => file.type === 'chunk' && file.isDynamicEntry && file.name === name)?.fileName;

const sheetsOf = (bundle: Bundle, fileName: string): string[] => {
  const chunk = bundle[fileName];
  return chunk?.type === 'chunk' ? [...(chunk.viteMetadata?.importedCss ?? [])] : [];
};

/** Chunks and sheets that a first page needs besides those that the HTML already names, by the first part of its path. */
export const filesOfPages = (bundle: Bundle): Record<string, string[]> => {
  const entry = Object.values(bundle).find((file) => file.type === 'chunk' && file.isEntry);
  const known = entry === undefined ? new Set<string>() : withImports(bundle, entry.fileName);
  return Object.fromEntries(
    Object.entries(FIRST_PAGES).map(([part, screen]) => {
      const needed = new Set<string>();
      for (const name of [FRAME, screen]) {
        const chunk = lazyChunk(bundle, name);
        if (chunk !== undefined) withImports(bundle, chunk, needed);
      }
      const chunks = [...needed].filter((fileName) => !known.has(fileName));
      return [part, [...chunks, ...chunks.flatMap((fileName) => sheetsOf(bundle, fileName))]];
    }),
  );
};

/**
 * Runs before the application: asks for who is signed in, where somebody is, and for the chunks of the page, so that they come along with it
 * and not after it. Sheets are asked for as the bundler's loader does it (`crossorigin`): otherwise the browser fetches them twice and never
 * uses the first. The font is not among them: text shows without it, and would wait for the code behind it. Where somebody is signed in who
 * may read findings, the first rows are asked for too; the application takes the answers (`first-answers.ts`). The first figure and the first
 * date that a browser writes take it fifty milliseconds, on a phone two hundred: it writes them while it waits for the code.
 */
const scriptOf = (files: Record<string, string[]>): string =>
  `(function(){var c=${JSON.stringify(files)}[location.pathname.split('/')[1]]||[],s=null;` +
  `function p(r,h,a){var l=document.createElement('link');l.rel=r;l.href=h;if(a){l.as=a;l.crossOrigin='anonymous'}document.head.appendChild(l)}` +
  // a browser that keeps nothing throws
  `try{s=localStorage.getItem('${IS_LOGIN_KEY}')}catch(e){}` +
  // where nobody is signed in the application may not ask, and what was preloaded would answer its next question
  `if(c.length&&s!==null)p('preload','${SESSION_PATH}','fetch');` +
  // before the chunks: a browser opens six connections, and what is asked for last waits for all of them
  `if(s==='${READS_FINDINGS}'){var m=window.${FIRST_ANSWERS}=new Map();` +
  `(${JSON.stringify(firstCalls())}[location.pathname+location.search]||[]).forEach(function(u){` +
  `var a=fetch(u,{credentials:'same-origin',headers:{accept:'application/json'}});a.catch(function(){});m.set(u,a)})}` +
  `c.forEach(function(f){/css$/.test(f)?p('preload','/'+f,'style'):p('modulepreload','/'+f)});` +
  `setTimeout(function(){new Intl.NumberFormat('en').format(1);new Intl.DateTimeFormat('en').format(0)})})()`;

/** What of the dashboard and the list the browser may ask for before the application runs: one round trip less. */
export const preloadPages = (): Plugin => ({
  name: 'breakwater:preload-pages',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle }) {
      if (bundle === undefined) return [];
      return [{ tag: 'script', children: scriptOf(filesOfPages(bundle)), injectTo: 'head-prepend' }];
    },
  },
});
