import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeArchive } from '@breakwater/host-server/plugins/installed/plugin-archive.ts';

/** A plugin of code as `breakwater-connector build` leaves it, written by hand: the kit is not run. */
export interface BuildSpec {
  id: string;
  version: string;
  publisher?: string;
  hosts?: readonly string[];
  reveals?: readonly string[];
  /** Members of the connector's code, besides a check that asks `/user`. */
  code?: string;
  /** At the top of its module. */
  top?: string;
  /** More fields of the connector, as JavaScript. */
  fields?: string;
  /** Name of a tool whose reports it reads: a line with it, then a rule in each. */
  tool?: string;
  /** `parsers` in place of the one that reads lines, as JavaScript. */
  reader?: string;
  /** Title of a finding of a line, as JavaScript: `title: line`. */
  title?: string;
  /** What the manifest of the build says in place of what the plugin says. */
  says?: Record<string, unknown>;
  /** Files besides, which the manifest of the build lists. */
  listed?: Record<string, string>;
  /** Files besides, which it does not list. */
  files?: Record<string, string>;
}

const titleOf = (id: string): string =>
  id
    .split('-')
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join(' ');

/** Each line of a report is a rule that was broken. */
const parserOf = (tool: string, title = 'title: line'): string => `[{
  tool: '${tool}', formats: ['text'],
  recognise: (head) => (new TextDecoder().decode(head).startsWith('${tool}:') ? 1 : 0),
  async *parse(report) {
    let text = '';
    for await (const piece of report) text += new TextDecoder().decode(piece);
    for (const line of text.split('\\n').slice(1).filter(Boolean))
      yield { kind: 'finding', type: 'SAST', ruleId: line, ${title}, severity: 'low', locations: [{ path: 'a.ts' }] };
  },
}]`;

const moduleOf = ({
  id,
  version,
  publisher = 'Acme',
  hosts = ['api.acme.example'],
  reveals = [],
  ...rest
}: BuildSpec) => `
import { ConnectorError, defineConnector, definePlugin, defineServer, monogram } from '@breakwater/sdk';
${rest.top ?? ''}
const connector = defineConnector({
  id: '${id}', title: '${titleOf(id)}', category: 'sast', image: monogram('AC'), description: 'Pulls findings from ${titleOf(id)}.',
  documentation: 'https://acme.example/docs',
  credentials: { type: 'object', required: ['token'], properties: {
    token: { type: 'string', title: 'Token', writeOnly: true },
    project: { type: 'string', title: 'Project' },
  } },
  auth: { type: 'bearer', value: '{{token}}' },
  baseUrl: 'https://${hosts[0] ?? 'api.acme.example'}/v1',
  permissions: { egress: ${JSON.stringify(hosts)}, reveal: ${JSON.stringify(reveals)} },
  ${rest.fields ?? ''}
});
export const plugin = definePlugin({ id: '${id}', version: '${version}', publisher: '${publisher}', connectors: [connector],
  importers: ${JSON.stringify(rest.tool === undefined ? [] : [{ tool: rest.tool, title: rest.tool }])} });
export const parsers = ${rest.reader ?? (rest.tool === undefined ? '[]' : parserOf(rest.tool, rest.title))};
export const server = defineServer(plugin, { '${id}': {
  check: async ({ http }) => {
    const { login } = await http.json({ path: '/user' });
    if (typeof login !== 'string') throw new ConnectorError('upstream', 'The answer names nobody.');
    return { identity: login + ' by ${version}' };
  },
  ${rest.code ?? ''}
} });
`;

const entry = ([file, text]: [string, string]) => ({
  path: file,
  bytes: Buffer.byteLength(text),
  sha256: createHash('sha256').update(text).digest('hex'),
});

const filesOf = (spec: BuildSpec): Record<string, string> => {
  const { id, version, publisher = 'Acme', hosts = ['api.acme.example'], reveals = [] } = spec;
  const files = {
    'connector.js': moduleOf(spec),
    'package.json': JSON.stringify({
      name: `breakwater-plugin-${id}`,
      version,
      type: 'module',
      exports: { '.': './connector.js', './parsers': './connector.js', './server': './connector.js' },
    }),
    'README.md': `# ${titleOf(id)}\n`,
    LICENSE: 'MIT\n',
    ...spec.listed,
  };
  const permissions = { hosts: hosts.toSorted(), reveals: reveals.toSorted() };
  const connector = { id, title: titleOf(id), category: 'sast', tier: 'silver', silverNotApplicable: null };
  const manifest = {
    ...{
      format: 1,
      id,
      version,
      publisher,
      kind: 'code',
      sdk: { api: '1', range: '^0.1.0' },
      tier: 'silver',
      permissions,
    },
    connectors: [{ ...connector, capabilities: ['check'], ...permissions }],
    importers: spec.tool === undefined ? [] : [spec.tool],
    files: Object.entries(files).map(entry),
    ...spec.says,
  };
  return { ...files, 'breakwater-build.json': JSON.stringify(manifest), ...spec.files };
};

/** Writes the build into a folder, which is made. */
export const writeBuild = async (folder: string, spec: BuildSpec): Promise<void> => {
  for (const [file, text] of Object.entries(filesOf(spec))) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
};

/** The build as `npm pack` hands it on. */
export const packBuild = async (spec: BuildSpec): Promise<Buffer> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'breakwater-build-'));
  try {
    await writeBuild(folder, spec);
    return await writeArchive(folder, Object.keys(filesOf(spec)));
  } finally {
    await rm(folder, { recursive: true });
  }
};
