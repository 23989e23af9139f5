import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';

const at = (address: string): string => fileURLToPath(new URL(address, import.meta.url));

const ENTRY = at('../src/first-look/first-look.ts');
const SHEETS = [
  fileURLToPath(import.meta.resolve('@breakwater/core/shell/ui/styles/tokens.css')),
  at('../src/first-look/first-look.css'),
];
const ROOT = '<div id="app"></div>';
const SHEET_LINK = /\s*<link rel="stylesheet"[^>]*>/g;

const script = async (): Promise<string> => {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      target: 'es2024',
      lib: { entry: ENTRY, formats: ['iife'], name: 'firstLook' },
      rolldownOptions: { treeshake: { moduleSideEffects: (id) => id === ENTRY } },
    },
  });
  const [output] = Array.isArray(built) ? built : [built];
  const chunk = output !== undefined && 'output' in output ? output.output[0] : undefined;
  if (chunk?.type !== 'chunk') throw new Error('The first look was not built.');
  return chunk.code.trim();
};

/**
 * Puts the first look into the page, behind the element it is drawn into. The sheets of the application move to the end: before, no script of
 * the page would run and nothing would be painted until they are there. The application's own script waits for them.
 */
export const firstLook = (): Plugin => ({
  name: 'breakwater:first-look',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    async handler(html) {
      const sheets = html.match(SHEET_LINK) ?? [];
      const styles = (await Promise.all(SHEETS.map((file) => readFile(file, 'utf8')))).join('');
      const look = `${ROOT}\n    <script>${await script()}</script>`;
      return html
        .replaceAll(SHEET_LINK, '')
        .replace('</head>', () => `  <style>${styles}</style>\n  </head>`)
        .replace(ROOT, () => look)
        .replace('</body>', () => `${sheets.join('')}\n  </body>`);
    },
  },
});
