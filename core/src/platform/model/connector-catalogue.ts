import type {
  AnyConnector,
  CategoryKey,
  Check,
  Cloud,
  ConnectorRoute,
  CredentialMigration,
  FindingsSource,
  Remediator,
  ReportParser,
  Scanner,
  Scm,
  Webhook,
} from '@breakwater/sdk';

/** What a connector can do, by the name under which features ask for it. The same names as in the sdk. */
export interface Capabilities {
  /** Reads reports as the card's family of findings. */
  parser: ReportParser;
  /** Asks the service who the credentials belong to. */
  check: Check;
  scm: Scm;
  scanner: Scanner;
  cloud: Cloud;
  remediator: Remediator;
  findings: FindingsSource;
  routes: readonly ConnectorRoute[];
  webhook: Webhook;
  migrate: readonly CredentialMigration[];
}

export type CapabilityName = keyof Capabilities;

/** One card of the catalogue. */
export interface Card {
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
  /** Every card, in the order of the plugins. */
  cards(): readonly Card[];
  card(connectorId: string): Card | null;
  /** By address, `sast/opengrep`. */
  cardAt(address: string): Card | null;
  /** What a connector can do, or null where it cannot (or its code is not loaded in this process). */
  capability<K extends CapabilityName>(name: K, connectorId: string): Capabilities[K] | null;
}
