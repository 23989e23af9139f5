import type {
  AnyConnector,
  CategoryKey,
  Check,
  Cloud,
  ConnectorRoute,
  FindingsSource,
  FindingType,
  HostMigration,
  HostParser,
  HostTickets,
  LanguageTable,
  Notify,
  Remediator,
  Scanner,
  Scm,
  Webhook,
} from '@breakwater/sdk';

/** What a connector can do, by the name under which features ask for it. The same names as in the sdk, and its view. */
export interface Capabilities {
  /** Reads reports as the entry's family of findings. */
  parser: HostParser;
  /** Asks the service who the credentials belong to. */
  check: Check;
  scm: Scm;
  scanner: Scanner;
  cloud: Cloud;
  remediator: Remediator;
  tickets: HostTickets;
  notify: Notify;
  findings: FindingsSource;
  routes: readonly ConnectorRoute[];
  webhook: Webhook;
  migrate: readonly HostMigration[];
  /** The HTML of its own page, as its author wrote it. */
  view: string;
}

export type CapabilityName = keyof Capabilities;

/**
 * Where the code of a plugin runs: nowhere, where `connector.json` is all there is (`no_code`); `own` and `trusted` inside the server, `isolated` in a process without network, files and programs, `exposed` in
 * a process whose network could not be cut, because the operator allows that.
 */
export const PLUGIN_TRUSTS = ['own', 'trusted', 'no_code', 'isolated', 'exposed'] as const;
export type PluginTrust = (typeof PLUGIN_TRUSTS)[number];

/** One entry of the catalogue. */
export interface CatalogueEntry {
  /** `<category>/<title in lower case without spaces>` */
  readonly address: string;
  readonly pluginId: string;
  readonly pluginVersion: string;
  /** Who answers for the plugin; null where it does not say. */
  readonly publisher: string | null;
  readonly trust: PluginTrust;
  readonly category: CategoryKey;
  readonly connector: AnyConnector;
  /** Tool whose findings it brings: reports of it that are uploaded meet the same findings. */
  readonly tool: string;
  /** The organisation that added it for itself; left out where all have it. */
  readonly clientId?: string;
}

/** The connectors that the plugins of this process brought. Slices ask for a connector by id, never for a vendor. */
export interface ConnectorCatalogue {
  /** Every entry that all organisations have, in the order of the plugins. */
  entries(): readonly CatalogueEntry[];
  /** Those, and what an organisation added for itself as far as this process has read it. */
  entriesOf(clientId: string): readonly CatalogueEntry[];
  entry(connectorId: string): CatalogueEntry | null;
  /** By address, `sast/opengrep`. */
  entryAt(address: string): CatalogueEntry | null;
  /** What a connector can do, or null where it cannot (or its code is not loaded in this process). */
  capability<K extends CapabilityName>(name: K, connectorId: string): Capabilities[K] | null;
  /** The plugins' texts in a language (BCP 47) by their English; empty where no plugin has it. */
  texts(language: string): LanguageTable;
  /** Likewise of the plugins that an organisation enabled. */
  textsOf(clientId: string, language: string): LanguageTable;
}

/** What an upload may name: an importer, or an entry of the catalogue that stands for one family of an importer's findings. */
export interface ReportTool {
  /**
   * Stable id to store and to scope by: the catalogue id (`trivy-container`) or the tool name (`trivy`).
   * An alias is resolved: an upload as `semgrep` has the id `opengrep`.
   */
  id: string;
  /** Name of the importer, `trivy`. */
  tool: string;
  /** For people. */
  title: string;
  /** Family to hand to `parser.parse`; null leaves it to the parser. */
  family: FindingType | null;
  /** Entry that this is, if it is one. */
  connectorId: string | null;
  formats: readonly string[];
  parser: HostParser;
  /** Which code reads, where it can be replaced while the server runs; a report that was read by other code is read again. */
  revision?: string;
}

/**
 * The importers of all plugins, as the upload handler and the parse worker see them. The implementation is the plugin registry
 * (`core/src/shell/plugins`); it is handed in by the composition root, because slices may not import the shell.
 */
export interface ReportTools {
  /** Every name an upload may carry, entries and importers, sorted by id. */
  tools(): readonly ReportTool[];
  /** By catalogue id, tool name or alias, upper and lower case alike. Null when nothing has that name. */
  resolveTool(name: string): ReportTool | null;
  /**
   * By content: `head` is the first 64 KiB of the unpacked report. Null when no parser is sure, or two are equally sure.
   * `fileName` only breaks ties; a name alone recognises nothing.
   */
  recogniseTool(head: Uint8Array, fileName?: string): Promise<ReportTool | null>;
}
