import { type AnyConnector, connectorAddress, type HostParser, type LanguageTable } from '@breakwater/sdk';
import type { Container } from 'inversify';
import type {
  CatalogueEntry,
  ConnectorCatalogue,
  PluginTrust,
  ReportTools,
} from '../../platform/model/connector-catalogue.ts';
import { CAPABILITY, createPluginContainer, type LoadedPlugin } from './container.ts';
import { createReportTools } from './report-tools.ts';

/** Everything that the plugins of this process brought. Made once at start; the same in the server and in a parse worker. */
export interface PluginRegistry extends ReportTools, ConnectorCatalogue {
  /** One per importer, with or without an entry. */
  parsers(): readonly HostParser[];
  /** Where capabilities are bound. Child containers hold what belongs to a connection and bind no capability. */
  readonly container: Container;
}

/** Two plugins claim the same name. The loader leaves the later one out; see `withoutConflicts`. */
export interface PluginConflict {
  readonly pluginId: string;
  readonly reason: string;
}

/** Makes the registry. Conflicting plugins must have been left out before, see `withoutConflicts`. */
export function createPluginRegistry(plugins: readonly LoadedPlugin[]): PluginRegistry {
  const container = createPluginContainer(plugins);
  const entries = plugins.flatMap(({ plugin, trust }) =>
    plugin.connectors.map((connector) => entryOf(plugin, connector, trust)),
  );
  const byId = new Map(entries.map((entry) => [entry.connector.id, entry]));
  const byAddress = new Map(entries.map((entry) => [entry.address, entry]));
  const parsers = plugins.flatMap((loaded) => loaded.parsers);
  return {
    ...createReportTools(plugins),
    entries: () => entries,
    entriesOf: () => entries,
    entry: (connectorId) => byId.get(connectorId) ?? null,
    entryAt: (address) => byAddress.get(address) ?? null,
    capability: (name, connectorId) => container.get(CAPABILITY[name], { name: connectorId, optional: true }) ?? null,
    parsers: () => parsers,
    texts: textsOf(plugins),
    textsOf: () => ({}),
    container,
  };
}

/** Two plugins may translate the same text: the earlier one decides, and ours come first. */
const textsOf = (plugins: readonly LoadedPlugin[]) => {
  const tables = new Map<string, LanguageTable>();
  return (language: string): LanguageTable => {
    const known = tables.get(language);
    if (known !== undefined) return known;
    const parts = plugins.flatMap(({ languages }): readonly LanguageTable[] => {
      const own = languages?.get(language);
      return own === undefined ? [] : [own];
    });
    const table: LanguageTable = Object.assign(Object.create(null), ...parts.toReversed());
    if (parts.length > 0) tables.set(language, table);
    return table;
  };
};

/** Leaves out each plugin that claims a plugin id, connector id, address or importer of one before it, and says so. */
export function withoutConflicts(plugins: readonly LoadedPlugin[]): {
  plugins: LoadedPlugin[];
  conflicts: PluginConflict[];
} {
  const claimed = new Map<string, string>();
  const kept: LoadedPlugin[] = [];
  const conflicts: PluginConflict[] = [];
  for (const loaded of plugins) {
    const claims = claimsOf(loaded);
    const taken = claims.find((claim) => claimed.has(claim));
    if (taken === undefined) {
      kept.push(loaded);
      for (const claim of claims) claimed.set(claim, loaded.plugin.id);
    } else {
      conflicts.push({
        pluginId: loaded.plugin.id,
        reason: `${taken} belongs to plugin "${claimed.get(taken)}" already`,
      });
    }
  }
  return { plugins: kept, conflicts };
}

function claimsOf({ plugin, parsers }: LoadedPlugin): string[] {
  return [
    `plugin id "${plugin.id}"`,
    ...plugin.connectors.map((connector) => `connector "${connector.id}"`),
    ...plugin.connectors.map(({ category, title }) => `address "${connectorAddress(category, title)}"`),
    ...plugin.importers.map((importer) => `importer "${importer.tool}"`),
    // An upload may name an entry too, so an entry with a parser must not hide another plugin's importer.
    ...plugin.connectors.filter((connector) => connector.parser).map((connector) => `importer "${connector.id}"`),
    ...parsers.flatMap((parser) => parser.aliases ?? []).map((alias) => `importer "${alias}"`),
  ];
}

function entryOf(plugin: LoadedPlugin['plugin'], connector: AnyConnector, trust: PluginTrust = 'own'): CatalogueEntry {
  return {
    address: connectorAddress(connector.category, connector.title),
    pluginId: plugin.id,
    pluginVersion: plugin.version,
    publisher: plugin.publisher ?? null,
    trust,
    category: connector.category,
    connector,
    tool: connector.parser?.tool ?? connector.id,
  };
}
