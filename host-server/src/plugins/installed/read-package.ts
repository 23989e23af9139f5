import { createHash } from 'node:crypto';
import type { InstallablePlugin } from '@breakwater/core/installed-plugins/server/index.ts';
import { AppError } from '@breakwater/core/platform/model/app-error.ts';
import type { ConnectorCatalogue, ReportTools } from '@breakwater/core/platform/model/connector-catalogue.ts';
import { msg } from '@breakwater/core/platform/model/message.ts';
import { sayEnglish } from '@breakwater/core/platform/model/translator.ts';
import {
  type AnyConnector,
  CAPABILITY_NAMES,
  OWN_ROUTE_PATH,
  type Plugin,
  PluginError,
  type PluginServer,
} from '@breakwater/sdk';
import type { Described } from '@breakwater/sdk/host';
import { BUILD_MANIFEST } from '../plugin-entries.ts';
import { property } from '../property.ts';
import { type OpenedPlugin, openUnpacked } from './open-unpacked.ts';
import { ArchiveError, readArchive } from './plugin-archive.ts';
import { deleteUnpacked, unpackInto } from './unpacked-folders.ts';

const MAX_ISSUES = 20;

const refuse = (issues: readonly string[]): never => {
  throw new AppError('validation_failed', msg('The plugin cannot be installed.'), {
    issues: issues.slice(0, MAX_ISSUES).map((text) => ({ loc: ['body'], msg: text, type: 'plugin' })),
  });
};

/** What the build says of itself. Its shape was checked with its files. */
export interface BuildFacts {
  readonly id: string;
  readonly version: string;
  readonly publisher: string;
  readonly tier: string;
  readonly kind: 'code' | 'document';
  readonly hosts: readonly string[];
  readonly reveals: readonly string[];
}

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one: unknown) => typeof one === 'string') : [];

const factsOf = (manifest: Uint8Array | undefined): BuildFacts => {
  const build: unknown = JSON.parse(new TextDecoder().decode(manifest));
  const text = (name: string): string => String(property(build, name));
  const permissions = property(build, 'permissions');
  return {
    id: text('id'),
    version: text('version'),
    publisher: text('publisher'),
    tier: text('tier'),
    kind: text('kind') === 'code' ? 'code' : 'document',
    hosts: texts(property(permissions, 'hosts')),
    reveals: texts(property(permissions, 'reveals')),
  };
};

const sorted = (names: readonly string[]): string => JSON.stringify([...new Set(names)].toSorted());

/** What is approved is what the manifest of the build says, so the plugin itself has to say the same. */
const differences = (facts: BuildFacts, { id, version, publisher, connectors }: Plugin): string[] => {
  const pairs: [name: string, said: string, is: string][] = [
    ['id', facts.id, id],
    ['version', facts.version, version],
    ['publisher', facts.publisher, publisher ?? ''],
    ['hosts', sorted(facts.hosts), sorted(connectors.flatMap(({ permissions }) => permissions.egress))],
    ['reveals', sorted(facts.reveals), sorted(connectors.flatMap(({ permissions }) => permissions.reveal ?? []))],
  ];
  return pairs.flatMap(([name, said, is]) =>
    said === is
      ? []
      : [
          sayEnglish('{file} says other {name} than the plugin ({said}; {is}): build it anew.', {
            file: BUILD_MANIFEST,
            name,
            said: said.slice(0, 200),
            is: is.slice(0, 200),
          }),
        ],
  );
};

const takenNames = (catalogue: Pick<ConnectorCatalogue, 'entries'>, { id, connectors }: Plugin): string[] => {
  const entries = catalogue.entries();
  return [
    ...(entries.some(({ pluginId }) => pluginId === id)
      ? [sayEnglish('"{id}" is the name of a plugin that this server has already: give yours another id.', { id })]
      : []),
    ...connectors
      .filter((own) => entries.some(({ connector }) => connector.id === own.id))
      .map((own) =>
        sayEnglish('"{id}" is a connector that this server has already: give yours another id.', { id: own.id }),
      ),
  ];
};

/** A tool of ours would win over one of that name, and people could not tell one from the other. */
const importerIssues = (tools: Pick<ReportTools, 'resolveTool'>, { importers }: Plugin): string[] =>
  importers
    .filter(({ tool }) => tools.resolveTool(tool) !== null)
    .map(({ tool }) =>
      sayEnglish('"{tool}" is a tool whose reports this server reads already: give your importer another name.', {
        tool,
      }),
    );

/** What is announced is there: a card whose reports nothing reads would take them in vain. */
const parserIssues = ({ plugin, parsers }: OpenedPlugin): string[] =>
  plugin.importers
    .filter(({ tool }) => !parsers.some((parser) => parser.tool === tool))
    .map(({ tool }) =>
      sayEnglish('"{tool}" is announced as an importer and has no parser: add it, or leave it out.', { tool }),
    );

/** Host of an address, which may follow fields of the form: `{{protocol}}://{{hosted_domain}}:{{port}}/login`. Nothing that ends a host in a browser is part of it. */
const HOST = /^(?:https|\{\{\w+\}\}):\/\/([\w.:{}-]+)(?:[/?#]|$)/;

const isAmong = (hosts: readonly string[], address: string): boolean => {
  const host = HOST.exec(address)?.[1]?.toLowerCase();
  return (
    host !== undefined &&
    hosts.some((one) => one.toLowerCase() === host || (one.startsWith('*.') && host.endsWith(one.slice(1))))
  );
};

/** An admin approves hosts, and the page to which people are sent to sign in is one of them. */
const signInIssues = ({ connectors }: Plugin): string[] =>
  connectors.flatMap(({ id, auth, permissions }) => {
    if (auth.type !== 'oauth2') return [];
    const addresses = [auth.authorizeUrl, auth.tokenUrl, auth.revokeUrl, auth.installation?.url];
    return addresses.every((address) => address === undefined || isAmong(permissions.egress, address))
      ? []
      : [sayEnglish('"{id}" signs people in at a host that is not among permissions.egress: name it there.', { id })];
  });

/** What no address would lead to is not announced to people. */
const routeIssues = ({ server }: OpenedPlugin): string[] =>
  Object.values(server?.connectors ?? {}).flatMap(({ routes = [] }) =>
    routes
      .filter(({ path }) => !OWN_ROUTE_PATH.test(path))
      .map(({ path }) =>
        sayEnglish('"{path}" is no path of an own route: give it one or two segments in lower case.', {
          path: String(path).slice(0, 200),
        }),
      ),
  );

const capabilitiesOf = (server: PluginServer | null, { id, parser }: AnyConnector): string[] => {
  const code = server?.connectors[id];
  const coded = CAPABILITY_NAMES.filter((name) => code !== undefined && property(code, name) !== undefined);
  return [...coded, ...(parser === undefined ? [] : ['parser'])];
};

const shownOf = ({ plugin, server }: OpenedPlugin): InstallablePlugin['connectors'] =>
  plugin.connectors.map((connector) => {
    const { id, title, category, description, credentials } = connector;
    return { id, title, category, description, credentials, capabilities: capabilitiesOf(server, connector) };
  });

const soundFolder = async (folder: string): Promise<void> => {
  // the conformance kit comes along, which nothing else of a server needs
  const { checkBuild } = await import('@breakwater/sdk/testing');
  const reasons = await checkBuild(folder);
  if (reasons.length > 0) refuse(reasons);
};

const said = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message.slice(0, 300)})` : '';
  return `${error instanceof Error ? error.message : String(error)}${cause}`;
};

/**
 * Reads a packed build: its files are what its manifest says, and the plugin, described once in a process of its own, says the same. Nothing
 * of it stays on the disk. @throws AppError validation_failed
 */
export const readPackage = async (
  archive: Uint8Array,
  options: {
    catalogue: Pick<ConnectorCatalogue, 'entries'> & Pick<ReportTools, 'resolveTool'>;
    mayHaveNetwork: boolean;
  },
): Promise<InstallablePlugin> => {
  const files = await readArchive(archive).catch((error: unknown) => {
    throw error instanceof ArchiveError
      ? new AppError('validation_failed', error.message, {
          issues: [{ loc: ['body'], msg: error.message, type: 'plugin' }],
        })
      : error;
  });
  const folder = unpackInto('new', files);
  try {
    await soundFolder(folder);
    const facts = factsOf(files.get(BUILD_MANIFEST));
    const opened = await openUnpacked(folder, { kind: facts.kind, mayHaveNetwork: options.mayHaveNetwork }).catch(
      (error: unknown): never => refuse(error instanceof PluginError ? error.issues : [said(error)]),
    );
    opened.close();
    const { plugin } = opened;
    const issues = [
      differences(facts, plugin),
      takenNames(options.catalogue, plugin),
      signInIssues(plugin),
      importerIssues(options.catalogue, plugin),
      parserIssues(opened),
      routeIssues(opened),
      opened.viewIssues,
    ].flat();
    if (issues.length > 0) refuse(issues);
    const described: Described | null = opened.described;
    const sha256 = createHash('sha256').update(archive).digest('hex');
    const views = plugin.connectors.flatMap(({ id, view }) => (view === undefined ? [] : [id]));
    return { ...facts, views, connectors: shownOf(opened), described, archive, sha256 };
  } finally {
    deleteUnpacked(folder);
  }
};
