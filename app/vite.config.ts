import { readFileSync } from 'node:fs';
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { iconsDrawnOnce, iconsWithoutNames, textsDrawnOnce, violetBlueprint } from './vite/blueprint.ts';
import { firstLook } from './vite/first-look.ts';
import { firstRouteSize, preloadPages } from './vite/page-chunks.ts';
import { precompress } from './vite/precompress.ts';
import { importersInBrowser, typeboxStub } from './vite/report-reader.ts';
import { withoutUnusedStyles } from './vite/unused-styles.ts';

/** The API server beside `vite`; only for development. */
const API_TARGET = process.env.BREAKWATER_DEV_API ?? 'http://127.0.0.1:8080';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** Parts of a list of findings, as parts of their files' paths; Vite writes them with slashes everywhere. */
const LIST_PARTS = [
  'star-empty\\.js',
  'findings/model/(?:saved-filters|quiet-columns)',
  'findings/api/(?:saved-filters-routes|columns-routes)',
  'findings/ui/data/findings\\.store',
  'findings/ui/list/(?:list-prefetch|finding-columns)',
  'findings/ui/triage/(?:[^/]+\\.store|findings-context|group-keys|job-follower|kept-focus|list-cursor|row-patch|target|use-triage)',
  'findings/ui/views/(?:own-views|star-button|saved-view-href|saved-views\\.store)',
];

/** What many parts share is a file of its own: a page waited for 75 files, most of them under a kilobyte. */
const SHARED_CODE = [
  // Before the icons and the parts of screens, which call it while they are read.
  {
    name: 'react',
    test: /node_modules[\\/](react|react-dom|scheduler|classnames|use-sync-external-store|mobx|mobx-react-lite)[\\/]/,
    priority: 2,
  },
  // Of one page or two, an icon comes with the page.
  {
    name: 'icons',
    test: /@blueprintjs[\\/]icons/,
    priority: 1,
    minShareCount: 3,
    includeDependenciesRecursively: false,
  },
  // Menus open after the page shows; pages without a popover of their own come without it.
  {
    name: 'popover',
    test: /@floating-ui|popover-next|esm[\\/]components[\\/]menu/,
    priority: 1,
    includeDependenciesRecursively: false,
  },
  // of forms and other flows, which neither the list nor the dashboard begins with
  {
    name: 'xstate',
    test: /node_modules[\\/](?:xstate|@xstate)[\\/]/,
    priority: 1,
    includeDependenciesRecursively: false,
  },
  // Forms of passwords and accounts: many pages have one, and none of those that people begin with. It would bring XState along.
  {
    name: 'forms',
    test: /core[\\/]src[\\/]session[\\/](?:ui[\\/](?:password-form|use-submit)|model[\\/]password-policy)/,
    priority: 1,
    includeDependenciesRecursively: false,
  },
  // What lists of findings begin with and other pages have parts of: a file each would be nine requests, and a phone waits for every one.
  {
    name: 'list',
    test: new RegExp(LIST_PARTS.join('|')),
    priority: 1,
    minShareCount: 2,
    includeDependenciesRecursively: false,
  },
  { name: 'shared', minShareCount: 13 },
  {
    name: 'ui',
    // the texts of posture checks are of pages that nobody begins with
    test: /core[\\/]src[\\/](?:platform(?![\\/]model[\\/]posture-checks)|shell[\\/]ui[\\/]layouts[\\/]frame-parts|session[\\/]ui[\\/]person-avatar)|@blueprintjs[\\/]core/,
    minShareCount: 3,
    includeDependenciesRecursively: false,
  },
];

const ROUTER = path.resolve(import.meta.dirname, '../node_modules/react-router/dist/production');

export default defineConfig({
  root: import.meta.dirname,
  define: { 'import.meta.env.BREAKWATER_VERSION': JSON.stringify(version) },
  plugins: [
    typeboxStub(),
    iconsWithoutNames(),
    iconsDrawnOnce(),
    textsDrawnOnce(),
    violetBlueprint(),
    withoutUnusedStyles(),
    react(),
    firstRouteSize(),
    preloadPages(),
    firstLook(),
    precompress(),
  ],
  resolve: {
    alias: [
      // by its name it is always the one with development checks
      { find: /^react-router$/, replacement: `${ROUTER}/index.mjs` },
      { find: /^react-router\/dom$/, replacement: `${ROUTER}/dom-export.mjs` },
    ],
  },
  // One file: reports are read in a worker that nothing of the pages waits for.
  worker: {
    format: 'es',
    plugins: () => [importersInBrowser()],
    rolldownOptions: { output: { codeSplitting: false } },
  },
  server: { proxy: { '/api': { target: API_TARGET } } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Brand images keep their fixed addresses under /assets (specification §9); hashed files go beside them.
    assetsDir: 'static',
    target: 'es2024',
    reportCompressedSize: false,
    chunkSizeWarningLimit: 900,
    rolldownOptions: { output: { codeSplitting: { groups: SHARED_CODE } } },
  },
});
