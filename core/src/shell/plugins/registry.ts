import { type AnyConnector, connectorAddress, type HostParser } from '@breakwater/sdk';
import type { Container } from 'inversify';
import type {
  CatalogueEntry,
  ConnectorCatalogue,
  PluginTrust,
  ReportTool,
  ReportTools,
} from '../../platform/model/connector-catalogue.ts';
import { CAPABILITY, createPluginContainer, type LoadedPlugin } from './container.ts';

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
    entry: (connectorId) => byId.get(connectorId) ?? null,
    entryAt: (address) => byAddress.get(address) ?? null,
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
  };
}

/** A parser that is less sure than this has not recognised the report. */
const SURE = 0.5;
/** Two parsers closer together than this are equally sure. */
const SAME = 0.05;

/** The importers of the plugins with their entries. Plugins without parser code in this process bring none. */
export function createReportTools(plugins: readonly LoadedPlugin[]): ReportTools {
  const importers = plugins.flatMap(importersOf);
  // An entry whose id is also the name of an importer (`grype`) wins and brings its family.
  const byName = new Map([...importers, ...plugins.flatMap(entriesOf)].map((tool) => [nameKey(tool.id), tool]));
  const aliases = new Map(
    importers.flatMap(({ id, parser }) => (parser.aliases ?? []).map((alias) => [nameKey(alias), nameKey(id)])),
  );
  const sorted = [...byName.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const resolveTool = (name: string) => {
    const key = nameKey(name);
    return byName.get(key) ?? byName.get(aliases.get(key) ?? '') ?? null;
  };

  return {
    tools: () => sorted,
    resolveTool,
    recogniseTool: async (head, fileName) => {
      const parser = await recognise(
        importers.map((tool) => tool.parser),
        head,
        fileName,
      );
      return parser ? resolveTool(parser.tool) : null;
    },
  };
}

function importersOf({ plugin, parsers }: LoadedPlugin): ReportTool[] {
  return plugin.importers.flatMap((importer) => {
    const parser = parsers.find((candidate) => candidate.tool === importer.tool);
    if (!parser) return [];
    return [
      {
        id: importer.tool,
        tool: importer.tool,
        title: importer.title,
        family: null,
        connectorId: null,
        formats: parser.formats,
        parser,
      },
    ];
  });
}

function entriesOf({ plugin, parsers }: LoadedPlugin): ReportTool[] {
  return plugin.connectors.flatMap((connector) => {
    const source = connector.parser;
    const parser = source && parsers.find((candidate) => candidate.tool === source.tool);
    if (!source || !parser) return [];
    return [
      {
        id: connector.id,
        tool: source.tool,
        title: connector.title,
        family: source.family,
        connectorId: connector.id,
        formats: parser.formats,
        parser,
      },
    ];
  });
}

function nameKey(name: string): string {
  return name.trim().toLowerCase();
}

/**
 * The one parser that is sure by the content alone. Where several are equally sure, the file name may decide between them; it
 * never makes a parser sure.
 */
async function recognise(parsers: readonly HostParser[], head: Uint8Array, fileName: string | undefined) {
  const best = await leaders(parsers, (parser) => sureness(parser, head, undefined));
  if (best.length < 2 || fileName === undefined) return only(best);
  return only(await leaders(best, (parser) => sureness(parser, head, fileName)));
}

/** The parsers with the highest score, all that are within a hair of it; none when the highest is not sure. */
async function leaders(
  parsers: readonly HostParser[],
  score: (parser: HostParser) => Promise<number>,
): Promise<HostParser[]> {
  const scored = await Promise.all(parsers.map(async (parser) => ({ parser, score: await score(parser) })));
  const highest = Math.max(0, ...scored.map((entry) => entry.score));
  if (highest < SURE) return [];
  return scored.filter((entry) => highest - entry.score < SAME).map((entry) => entry.parser);
}

/** A parser that trips over another tool's bytes has not recognised them; it must not keep the others from being asked. */
async function sureness(parser: HostParser, head: Uint8Array, fileName: string | undefined): Promise<number> {
  try {
    const score = await (fileName === undefined ? parser.recognise(head) : parser.recognise(head, fileName));
    return Number.isFinite(score) ? Math.min(1, Math.max(0, score)) : 0;
  } catch {
    return 0;
  }
}

function only<T>(items: readonly T[]): T | null {
  const [first] = items;
  return items.length === 1 && first !== undefined ? first : null;
}
