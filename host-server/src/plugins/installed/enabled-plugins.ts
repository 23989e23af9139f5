import type { AddedConnectors } from '@breakwater/core/connectors/server/index.ts';
import { catalogueIds, type PluginInUse, readPluginsInUse } from '@breakwater/core/installed-plugins/server/index.ts';
import type { CatalogueEntry, ConnectorCatalogue } from '@breakwater/core/platform/model/connector-catalogue.ts';
import type { Db } from '@breakwater/core/platform/server/database.ts';
import { createPluginRegistry, type PluginRegistry } from '@breakwater/core/shell/plugins/index.ts';
import type { Logger } from 'pino';
import type { OpenedPlugin } from './open-unpacked.ts';
import type { PluginCode } from './plugin-code.ts';

/** One that an organisation uses. */
interface InUse extends PluginInUse {
  readonly registry: PluginRegistry;
  readonly entries: readonly CatalogueEntry[];
}

/** A plugin under the ids that its connectors have in an organisation: two may use different versions. */
const renamed = (
  { plugin, server, trust, views }: OpenedPlugin,
  ids: Readonly<Record<string, string>>,
): PluginRegistry => {
  const connectors = plugin.connectors.map(({ parser: _, ...connector }) => ({
    ...connector,
    id: ids[connector.id] ?? connector.id,
  }));
  const code = Object.entries(server?.connectors ?? {}).map(([id, own]) => [ids[id] ?? id, own] as const);
  return createPluginRegistry([
    {
      plugin: { ...plugin, connectors, importers: [] },
      server: server && { ...server, connectors: Object.fromEntries(code) },
      parsers: [],
      views: new Map([...views].map(([id, html]) => [ids[id] ?? id, html])),
      trust,
    },
  ]);
};

const entriesOf = (
  registry: PluginRegistry,
  clientId: string,
  { publisher, withdrawn }: PluginInUse,
): CatalogueEntry[] => {
  const reason = `Disabled by the operator of this installation. ${withdrawn ?? ''}`.trim();
  return registry.entries().map((entry) => ({
    ...entry,
    clientId,
    publisher,
    address: `${entry.category}/${entry.connector.id}`,
    connector: withdrawn === null ? entry.connector : { ...entry.connector, disabled: { reason } },
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
    const opened = await code.open(db, used);
    const own = opened.plugin.connectors.map(({ id }) => id);
    const registry = renamed(opened, catalogueIds(clientId, used.pluginId, own));
    return { ...used, registry, entries: entriesOf(registry, clientId, used) };
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

/** The catalogue, and how it is brought to what an organisation has by now. */
export interface AddedCatalogue {
  readonly catalogue: ConnectorCatalogue;
  readonly added: AddedConnectors;
}

/**
 * The catalogue with the plugins that organisations enabled. What one enabled is read when it is asked for, in the transaction that asks, so
 * that all processes use the version that was approved.
 */
export const withEnabledPlugins = ({ catalogue, added }: AddedCatalogue, deps: EnabledDeps): AddedCatalogue => {
  const byClient = new Map<string, readonly InUse[]>();
  const byId = new Map<string, { entry: CatalogueEntry; registry: PluginRegistry }>();

  const replace = (clientId: string, before: readonly InUse[], present: readonly InUse[]): void => {
    for (const { entries } of before) for (const { connector } of entries) byId.delete(connector.id);
    for (const { entries, registry } of present) {
      for (const entry of entries) byId.set(entry.connector.id, { entry, registry });
    }
    if (present.length === 0) byClient.delete(clientId);
    else byClient.set(clientId, present);
  };

  const refresh = async (db: Db, clientId: string): Promise<void> => {
    await added.refresh(db, clientId);
    const before = byClient.get(clientId) ?? [];
    const present: InUse[] = [];
    for (const used of await readPluginsInUse(db, clientId)) {
      const known = before.find(({ pluginId }) => pluginId === used.pluginId);
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
    },
    added: { refresh },
  };
};

const lastPart = (address: string): string => address.slice(address.indexOf('/') + 1);
