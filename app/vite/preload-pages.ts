import type { Plugin, Rollup } from 'vite';

type Bundle = Rollup.OutputBundle;

/** Pages where people begin, by the first part of their path, and the screen that each shows in the frame of signed-in people. */
const FIRST_PAGES: Readonly<Record<string, string>> = { '': 'dashboard-screen', findings: 'findings-screen' };
const FRAME = 'home-layout';

/** The first call of every page for signed-in people. */
const SESSION_PATH = '/api/v1/session';

const withImports = (bundle: Bundle, fileName: string, seen: Set<string>): Set<string> => {
  const chunk = bundle[fileName];
  if (chunk?.type !== 'chunk' || seen.has(fileName)) return seen;
  seen.add(fileName);
  for (const imported of chunk.imports) withImports(bundle, imported, seen);
  return seen;
};

const lazyChunk = (bundle: Bundle, name: string): string | undefined =>
  Object.values(bundle).find((file) => file.type === 'chunk' && file.isDynamicEntry && file.name === name)?.fileName;

const sheetsOf = (bundle: Bundle, fileName: string): string[] => {
  const chunk = bundle[fileName];
  return chunk?.type === 'chunk' ? [...(chunk.viteMetadata?.importedCss ?? [])] : [];
};

/** Chunks and sheets that a first page needs besides those that the HTML already names, by the first part of its path. */
export const filesOfPages = (bundle: Bundle): Record<string, string[]> => {
  const entry = Object.values(bundle).find((file) => file.type === 'chunk' && file.isEntry);
  const known = entry === undefined ? new Set<string>() : withImports(bundle, entry.fileName, new Set());
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
 * Runs before the application: asks for who is signed in and for the chunks of the page, so that they come along with it and not after it.
 * The font is not among them: text shows without it, and would wait for the code behind it.
 */
const scriptOf = (files: Record<string, string[]>): string =>
  `(function(){var c=${JSON.stringify(files)}[location.pathname.split('/')[1]]||[];` +
  `function p(r,h,a){var l=document.createElement('link');l.rel=r;l.href=h;if(a)l.as=a;if(a==='fetch')l.crossOrigin='anonymous';document.head.appendChild(l)}` +
  `if(c.length)p('preload','${SESSION_PATH}','fetch');c.forEach(function(f){/css$/.test(f)?p('preload','/'+f,'style'):p('modulepreload','/'+f)})})()`;

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
