import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Type } from 'typebox';
import { CAPABILITY_NAMES } from '../../../categories.ts';
import type { Plugin } from '../../../plugin.ts';
import { SDK_API } from '../../../sdk-api.ts';
import type { PluginServer } from '../../../server.ts';
import { TIERS } from '../check.ts';
import type { ConnectorReport } from '../run-kit.ts';

const strict = { additionalProperties: false } as const;
const Text = Type.String({ minLength: 1 });
const Tier = Type.Union([Type.Literal('gold'), Type.Literal('silver'), Type.Literal('bronze')]);

export const BuildManifestShape = Type.Object(
  {
    format: Type.Literal(1),
    id: Text,
    version: Text,
    publisher: Text,
    kind: Type.Union([Type.Literal('code'), Type.Literal('document')]),
    sdk: Type.Object({ api: Text, range: Text }, strict),
    tier: Tier,
    permissions: Type.Object({ hosts: Type.Array(Text), reveals: Type.Array(Text) }, strict),
    connectors: Type.Array(
      Type.Object(
        {
          id: Text,
          title: Text,
          category: Text,
          tier: Tier,
          silverNotApplicable: Type.Union([Text, Type.Null()]),
          capabilities: Type.Array(Text),
          hosts: Type.Array(Text),
          reveals: Type.Array(Text),
          /** File of its view, which is among `files`. */
          view: Type.Optional(Text),
        },
        strict,
      ),
    ),
    importers: Type.Array(Text),
    files: Type.Array(
      Type.Object(
        { path: Text, bytes: Type.Integer({ minimum: 0 }), sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }) },
        strict,
      ),
      { minItems: 1 },
    ),
  },
  strict,
);

/** One file of a built connector. */
export interface BuiltFile {
  /** With slashes, below the folder of the build. */
  readonly path: string;
  readonly content: Uint8Array;
}

/** How a file stands in the manifest: its size and SHA-256 (FIPS 180-4) in hexadecimal. */
export function fileEntry({ path, content }: BuiltFile): { path: string; bytes: number; sha256: string } {
  return { path, bytes: content.byteLength, sha256: createHash('sha256').update(content).digest('hex') };
}

export interface BuildParts {
  readonly plugin: Plugin;
  readonly publisher: string;
  readonly server: PluginServer | undefined;
  readonly kind: 'code' | 'document';
  readonly reports: readonly ConnectorReport[];
  readonly files: readonly BuiltFile[];
}

/** The manifest of a build. The tier of the whole is the lowest of its connectors. */
export async function buildManifest({ plugin, publisher, server, kind, reports, files }: BuildParts) {
  const connectors = plugin.connectors.map(({ id, title, category, permissions, parser, view }) => {
    const report = reports.find((one) => one.id === id);
    return {
      ...{ id, title, category },
      tier: report?.tier ?? 'none',
      silverNotApplicable: report?.silverNotApplicable ?? null,
      capabilities: [...capabilitiesOf(server, id), ...(parser === undefined ? [] : ['parser'])],
      hosts: sorted(permissions.egress),
      reveals: sorted(permissions.reveal ?? []),
      ...(view === undefined ? {} : { view: view.entry }),
    };
  });
  return {
    format: 1,
    id: plugin.id,
    version: plugin.version,
    publisher,
    kind,
    sdk: { api: SDK_API, range: `^${await ownVersion()}` },
    tier: TIERS.find((tier) => connectors.some((one) => one.tier === tier)) ?? 'bronze',
    permissions: {
      hosts: sorted(connectors.flatMap(({ hosts }) => hosts)),
      reveals: sorted(connectors.flatMap(({ reveals }) => reveals)),
    },
    connectors,
    importers: plugin.importers.map(({ tool }) => tool),
    files: files.map(fileEntry).toSorted((one, other) => (one.path < other.path ? -1 : 1)),
  };
}

function capabilitiesOf(server: PluginServer | undefined, id: string): string[] {
  const code = server?.connectors[id] ?? {};
  const names = new Set<string>(Object.entries(code).flatMap(([name, work]) => (work === undefined ? [] : [name])));
  return CAPABILITY_NAMES.filter((name) => names.has(name));
}

const sorted = (texts: readonly string[]): string[] => [...new Set(texts)].toSorted();

/** Version of the SDK that this file belongs to, in a checkout and in the packed SDK. */
export async function ownVersion(): Promise<string> {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}');
    const { name, version } = JSON.parse(text);
    if (name === '@breakwater/sdk') return String(version);
  }
  throw new Error('The SDK has no package.json.');
}
