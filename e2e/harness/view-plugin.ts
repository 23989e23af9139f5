import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { monogram } from '@breakwater/sdk';

/** A connector with a view, as one of a stranger: its code runs in a process of its own, and its view in a frame. */
export interface ViewSpec {
  /** Id of the connector. */
  readonly id: string;
  /** Title of its card; by default the id. */
  readonly title?: string;
  /** Its HTML after the doctype. */
  readonly html: string;
}

const cardOf = ({ id, title = id }: ViewSpec) => ({
  id,
  title,
  category: 'sast',
  image: monogram('HV'),
  description: 'Shows a page of its own.',
  credentials: {
    type: 'object',
    required: ['team'],
    properties: {
      team: { type: 'string', title: 'Team' },
      token: { type: 'string', title: 'Token', writeOnly: true },
    },
  },
  view: { title: 'Projects of the team', entry: `view/${id}.html` },
});

/** What each of the connectors can do: it knows its team, and takes notes of what it is sent. */
const CODE = `
const notes = [];
const connector = {
  check: async () => ({ identity: 'harbour' }),
  routes: [
    { method: 'GET', path: '/projects', role: 'developer', handle: async ({ config }) => [
      { name: 'Tug', team: config.team, open: 4, state: 'passing' },
      { name: '<img src=x onerror=alert(1)>', team: config.team, open: 12, state: 'failing' },
      { name: 'Barge', team: config.team, open: 0, state: 'passing' },
    ] },
    { method: 'POST', path: '/notes', role: 'admin',
      input: { type: 'object', required: ['text'], additionalProperties: false, properties: { text: { type: 'string', maxLength: 100 } } },
      handle: async (_ctx, { text }) => { notes.push(text); return { kept: notes.length }; } },
    { method: 'GET', path: '/slow', role: 'developer', handle: () => new Promise((resolve) => setTimeout(() => resolve('slow'), 2000)) },
  ],
};
`;

/** Writes the plugin into a folder for BREAKWATER_PLUGINS_DIR. */
export const writeViewPlugin = async (folder: string, views: readonly ViewSpec[]): Promise<void> => {
  const own = path.join(folder, 'harbour-views');
  await mkdir(path.join(own, 'view'), { recursive: true });
  const plugin = { id: 'harbour-views', version: '1.0.0', publisher: 'Harbour', connectors: views.map(cardOf) };
  const connectors = views.map(({ id }) => `${JSON.stringify(id)}: connector`).join(', ');
  const files: Record<string, string> = {
    'package.json': JSON.stringify({
      name: 'harbour-views',
      type: 'module',
      exports: { '.': './plugin.js', './server': './server.js' },
    }),
    'plugin.js': `export const plugin = ${JSON.stringify(plugin)};`,
    'server.js': `${CODE}\nexport const server = { pluginId: 'harbour-views', connectors: { ${connectors} } };`,
    ...Object.fromEntries(views.map(({ id, html }) => [`view/${id}.html`, `<!doctype html>${html}`])),
  };
  for (const [file, text] of Object.entries(files)) await writeFile(path.join(own, file), text);
};
