import type { HtmlTagDescriptor, Plugin, Rollup } from 'vite';

type Bundle = Rollup.OutputBundle;

/** Pages where people begin, by the first part of their path, and the screen that each shows in the frame of signed-in people. */
const FIRST_PAGES: Readonly<Record<string, string>> = { '': 'dashboard-screen', findings: 'findings-screen' };
const FRAME = 'home-layout';
/** The one font that the first paint of every page needs. */
const FONT = /inter-latin-wght-normal.*\.woff2$/;

const withImports = (bundle: Bundle, fileName: string, seen: Set<string>): Set<string> => {
  const chunk = bundle[fileName];
  if (chunk?.type !== 'chunk' || seen.has(fileName)) return seen;
  seen.add(fileName);
  for (const imported of chunk.imports) withImports(bundle, imported, seen);
  return seen;
};

const lazyChunk = (bundle: Bundle, name: string): string | undefined =>
  Object.values(bundle).find((file) => file.type === 'chunk' && file.isDynamicEntry && file.name === name)?.fileName;

/** Chunks that a first page needs besides those that the HTML already names, by the first part of its path. */
export const chunksOfPages = (bundle: Bundle): Record<string, string[]> => {
  const entry = Object.values(bundle).find((file) => file.type === 'chunk' && file.isEntry);
  const known = entry === undefined ? new Set<string>() : withImports(bundle, entry.fileName, new Set());
  return Object.fromEntries(
    Object.entries(FIRST_PAGES).map(([part, screen]) => {
      const needed = new Set<string>();
      for (const name of [FRAME, screen]) {
        const chunk = lazyChunk(bundle, name);
        if (chunk !== undefined) withImports(bundle, chunk, needed);
      }
      return [part, [...needed].filter((fileName) => !known.has(fileName))];
    }),
  );
};

/** Runs before the application: asks for the chunks of the page, so that they come along with it and not after it. */
const scriptOf = (chunks: Record<string, string[]>): string =>
  `(function(){var c=${JSON.stringify(chunks)}[location.pathname.split('/')[1]]||[];` +
  `c.forEach(function(f){var l=document.createElement('link');l.rel='modulepreload';l.href='/'+f;document.head.appendChild(l)})})()`;

/** What of the dashboard and the list the browser may ask for before the application runs: one round trip less. */
export const preloadPages = (): Plugin => ({
  name: 'breakwater:preload-pages',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle }) {
      if (bundle === undefined) return [];
      const font = Object.keys(bundle).find((fileName) => FONT.test(fileName));
      const tags: HtmlTagDescriptor[] = [
        { tag: 'script', children: scriptOf(chunksOfPages(bundle)), injectTo: 'head-prepend' },
      ];
      if (font !== undefined) {
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${font}` };
        tags.push({ tag: 'link', attrs, injectTo: 'head-prepend' });
      }
      return tags;
    },
  },
});
