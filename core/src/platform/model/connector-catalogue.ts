import type {
  AnyConnector,
  CategoryKey,
  Check,
  Cloud,
  ConnectorRoute,
  CredentialMigration,
  FindingsSource,
  FindingType,
  Notify,
  Remediator,
  ReportParser,
  Scanner,
  Scm,
  Tickets,
  Webhook,
} from '@breakwater/sdk';

/** What a connector can do, by the name under which features ask for it. The same names as in the sdk. */
export interface Capabilities {
  /** Reads reports as the entry's family of findings. */
  parser: ReportParser;
  /** Asks the service who the credentials belong to. */
  check: Check;
  scm: Scm;
  scanner: Scanner;
  cloud: Cloud;
  remediator: Remediator;
  tickets: Tickets;
  notify: Notify;
  findings: FindingsSource;
  routes: readonly ConnectorRoute[];
  webhook: Webhook;
  migrate: readonly CredentialMigration[];
}

export type CapabilityName = keyof Capabilities;

/** One entry of the catalogue. */
export interface CatalogueEntry {
  /** `<category>/<title in lower case without spaces>` */
  readonly address: string;
  readonly pluginId: string;
  readonly pluginVersion: string;
  /** Who answers for the plugin; null where it does not say. */
  readonly publisher: string | null;
  readonly category: CategoryKey;
  readonly connector: AnyConnector;
}

/** The connectors that the plugins of this process brought. Slices ask for a connector by id, never for a vendor. */
export interface ConnectorCatalogue {
  /** Every entry, in the order of the plugins. */
  entries(): readonly CatalogueEntry[];
  entry(connectorId: string): CatalogueEntry | null;
  /** By address, `sast/opengrep`. */
  entryAt(address: string): CatalogueEntry | null;
  /** What a connector can do, or null where it cannot (or its code is not loaded in this process). */
  capability<K extends CapabilityName>(name: K, connectorId: string): Capabilities[K] | null;
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
  parser: ReportParser;
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
  recogniseTool(head: Uint8Array, fileName?: string): ReportTool | null;
}
