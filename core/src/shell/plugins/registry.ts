import { type AnyConnector, connectorAddress, type ReportParser } from '@breakwater/sdk';
import type { Container } from 'inversify';
import type { Card, ConnectorCatalogue, ReportTools } from '../../platform/model/connector-catalogue.ts';
import { CAPABILITY, createPluginContainer, type LoadedPlugin } from './container.ts';
import { createReportTools } from './report-tools.ts';

/** Everything that the plugins of this process brought. Made once at start; the same in the server and in a parse worker. */
export interface PluginRegistry extends ReportTools, ConnectorCatalogue {
  /** One per importer, with or without a card. */
  parsers(): readonly ReportParser[];
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
  const cards = plugins.flatMap(({ plugin }) => plugin.connectors.map((connector) => cardOf(plugin, connector)));
  const byId = new Map(cards.map((card) => [card.connector.id, card]));
  const byAddress = new Map(cards.map((card) => [card.address, card]));
  const parsers = plugins.flatMap((loaded) => loaded.parsers);
  return {
    ...createReportTools(plugins),
    cards: () => cards,
    card: (connectorId) => byId.get(connectorId) ?? null,
    cardAt: (address) => byAddress.get(address) ?? null,
    capability: (name, connectorId) => container.get(CAPABILITY[name], { name: connectorId, optional: true }) ?? null,
    parsers: () => parsers,
    container,
  };
}

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
    // An upload may name a card too, so a card with a parser must not hide another plugin's importer.
    ...plugin.connectors.filter((connector) => connector.parser).map((connector) => `importer "${connector.id}"`),
    ...parsers.flatMap((parser) => parser.aliases ?? []).map((alias) => `importer "${alias}"`),
  ];
}

function cardOf(plugin: LoadedPlugin['plugin'], connector: AnyConnector): Card {
  return {
    address: connectorAddress(connector.category, connector.title),
    pluginId: plugin.id,
    pluginVersion: plugin.version,
    publisher: plugin.publisher ?? null,
    category: connector.category,
    connector,
  };
}
