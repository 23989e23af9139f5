import {
  catalogueIds,
  type PluginInUse,
  pluginMark,
  readPluginsInUse,
} from '@breakwater/core/installed-plugins/server/index.ts';
import { addedTool } from '@breakwater/core/platform/model/added-tool.ts';
import type { CatalogueEntry } from '@breakwater/core/platform/model/connector-catalogue.ts';
import type { Db } from '@breakwater/core/platform/server/database.ts';
import { createPluginRegistry, type PluginRegistry } from '@breakwater/core/shell/plugins/index.ts';
import type { Logger } from 'pino';
import type { AddedCatalogue } from '../added-connectors.ts';
import { type AddedReader, addedReader, withoutUse } from '../added-readers.ts';
import type { OpenedPlugin } from './open-unpacked.ts';
import type { PluginCode } from './plugin-code.ts';

/** One that an organisation uses. */
interface InUse extends PluginInUse {
  readonly registry: PluginRegistry;
  readonly entries: readonly CatalogueEntry[];
  /** Set where it reads reports. */
  readonly reader: AddedReader | null;
}

/** Names of a plugin in an organisation: two may use different versions. */
interface Names {
  /** By the id that the author gave a connector. */
  readonly ids: Readonly<Record<string, string>>;
  /** Of the tools, see `addedTool`. */
  readonly mark: string;
}

/** A plugin under the names that it has in an organisation. Its importers are in `reader`. */
const renamed = ({ plugin, server, trust, views, languages }: OpenedPlugin, { ids, mark }: Names): PluginRegistry => {
  const connectors = plugin.connectors.map(({ parser, ...connector }) => ({
    ...connector,
    id: ids[connector.id] ?? connector.id,
    ...(parser && { parser: { ...parser, tool: addedTool(parser.tool, mark) } }),
  }));
  const code = Object.entries(server?.connectors ?? {}).map(([id, own]) => [ids[id] ?? id, own] as const);
  return createPluginRegistry([
    {
      plugin: { ...plugin, connectors, importers: [] },
      server: server && { ...server, connectors: Object.fromEntries(code) },
      parsers: [],
      languages,
      views: new Map([...views].map(([id, html]) => [ids[id] ?? id, html])),
      trust,
    },
  ]);
};

const entriesOf = (
  registry: PluginRegistry,
  clientId: string,
  { publisher, withdrawn }: PluginInUse,
  { ids, mark }: Names,
): CatalogueEntry[] => {
  const byId = new Map(Object.entries(ids).map(([own, id]) => [id, own]));
  const reason = `Disabled by the operator of this installation. ${withdrawn ?? ''}`.trim();
  return registry.entries().map((entry) => ({
    ...entry,
    clientId,
    publisher,
    address: `${entry.category}/${entry.connector.id}`,
    tool: entry.connector.parser?.tool ?? addedTool(byId.get(entry.connector.id) ?? entry.connector.id, mark),
    connector: withdrawn === null ? entry.connector : withoutUse(entry.connector, reason),
  }));
};

/** What a version in use gives an organisation; null where it cannot be opened, which is said. */
const openInUse = async (
  { code, log }: EnabledDeps,
  db: Db,
  clientId: string,
  used: PluginInUse,
): Promise<InUse | null> => {
  try {
    const { opened, origin } = await code.open(db, used);
    const own = opened.plugin.connectors.map(({ id }) => id);
    const mark = pluginMark(clientId, used.pluginId);
    const names: Names = { ids: catalogueIds(clientId, used.pluginId, own), mark };
    const registry = renamed(opened, names);
    const reader = addedReader(opened, { kind: 'folder', ...origin, mark, revision: used.sha256 });
    return { ...used, registry, reader, entries: entriesOf(registry, clientId, used, names) };
  } catch (error) {
    log.error({ err: error, client: clientId, plugin: used.pluginId }, 'an enabled plugin was left out');
    return null;
  }
};

const isSame = (one: InUse | undefined, used: PluginInUse): one is InUse =>
  one?.sha256 === used.sha256 && one.withdrawn === used.withdrawn && one.publisher === used.publisher;

interface EnabledDeps {
  readonly code: PluginCode;
  readonly log: Pick<Logger, 'error'>;
}

/**
 * The catalogue with the plugins that organisations enabled. What one enabled is read when it is asked for, in the transaction that asks, so
 * that all processes use the version that was approved.
 */
export const withEnabledPlugins = (before: AddedCatalogue, deps: EnabledDeps): AddedCatalogue => {
  const { catalogue, added } = before;
  const byClient = new Map<string, readonly InUse[]>();
  const byId = new Map<string, { entry: CatalogueEntry; registry: PluginRegistry }>();

  const replace = (clientId: string, former: readonly InUse[], present: readonly InUse[]): void => {
    for (const { entries } of former) for (const { connector } of entries) byId.delete(connector.id);
    for (const { entries, registry } of present) {
      for (const entry of entries) byId.set(entry.connector.id, { entry, registry });
    }
    if (present.length === 0) byClient.delete(clientId);
    else byClient.set(clientId, present);
  };

  const refresh = async (db: Db, clientId: string): Promise<void> => {
    await added.refresh(db, clientId);
    const former = byClient.get(clientId) ?? [];
    const present: InUse[] = [];
    for (const used of await readPluginsInUse(db, clientId)) {
      const known = former.find(({ pluginId }) => pluginId === used.pluginId);
      const opened = isSame(known, used) ? known : await openInUse(deps, db, clientId, used);
      if (opened !== null) present.push(opened);
    }
    replace(clientId, byClient.get(clientId) ?? [], present);
  };

  const ofClient = (clientId: string): CatalogueEntry[] =>
    (byClient.get(clientId) ?? []).flatMap(({ entries }) => entries);
  return {
    catalogue: {
      entries: () => catalogue.entries(),
      entriesOf: (clientId) => [...catalogue.entriesOf(clientId), ...ofClient(clientId)],
      entry: (id) => byId.get(id)?.entry ?? catalogue.entry(id),
      entryAt: (address) => catalogue.entryAt(address) ?? byId.get(lastPart(address))?.entry ?? null,
      capability: (name, connectorId) => (byId.get(connectorId)?.registry ?? catalogue).capability(name, connectorId),
      texts: (language) => catalogue.texts(language),
      textsOf: (clientId, language) =>
        Object.assign(
          Object.create(null),
          ...(byClient.get(clientId) ?? []).map(({ registry }) => registry.texts(language)).reverse(),
        ),
    },
    added: { refresh },
    readersOf: (clientId) => [
      ...before.readersOf(clientId),
      ...(byClient.get(clientId) ?? []).flatMap(({ reader, withdrawn }) =>
        reader === null || withdrawn !== null ? [] : [reader],
      ),
    ],
  };
};

const lastPart = (address: string): string => address.slice(address.indexOf('/') + 1);
