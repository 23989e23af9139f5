import type { DeliveryEvent } from '@breakwater/sdk';
import type { EgressGate } from '@breakwater/sdk/host';
import type { Logger } from 'pino';
import type { ConnectorCatalogue } from '../../../platform/model/connector-catalogue.ts';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import type { JobQueue } from '../../../platform/server/jobs/define-job.ts';
import type { PlanLimits } from '../../../platform/server/limits.ts';
import type { Vault } from '../../../platform/server/vault.ts';
import type { SchemaCheck } from '../../model/credential-values.ts';
import type { ConnectionKey } from './connection-store.ts';
import type { ConnectorItem } from './connector-item.ts';
import type { AddedConnectors } from './find-entry.ts';

/** An application that the operator registered at a provider. */
export interface OperatorClient {
  clientId: string;
  clientSecret: string;
  /** Its name in the provider's addresses, where people install it. */
  app?: string;
}

/** What the slice is made of. */
export interface ConnectionsDeps {
  database: DatabaseHandle;
  vault: Vault;
  catalogue: ConnectorCatalogue;
  /** What organisations added for themselves. */
  added: AddedConnectors;
  jobs: Pick<JobQueue, 'enqueue'>;
  /** What the plan allows: a sync adds applications. */
  planLimits: PlanLimits;
  log: Logger;
  /** The egress gate of every connector. */
  gate: EgressGate;
  /** Addresses by which the operator replaces a provider's own, by name in capitals: `GITHUB`. */
  providerBaseUrls: ReadonlyMap<string, URL>;
  /** What the operator registered at providers, by the same names: people sign in through it, and tokens are renewed with it. */
  oauthClients: ReadonlyMap<string, OperatorClient>;
  /** Origin of this server as people write it; undefined: the one that they ask at. */
  publicOrigin: string | undefined;
  /** The proof key of a sign-in, from its state. */
  proofKeyOf(state: string): string;
  checkSchema: SchemaCheck;
  /** The same for an object of texts, such as a query: numbers and truth values are read from them, in place. */
  checkTexts: SchemaCheck;
  /** Ids of connectors whose configuration another slice keeps, of those that a client has set up. */
  configuredElsewhere?(db: Db, clientId: string): Promise<ReadonlySet<string>>;
  /** What other slices do after a connector was saved, whichever route saved it. */
  afterSave?(caller: { clientId: string; userId: string }, item: ConnectorItem): Promise<void>;
  /** What other slices do at the service before a person's removal of a connection that works. It ends soon and never fails. */
  beforeRemoval?(connection: ConnectionKey): Promise<void>;
  /** Within the transaction in which what proves the deliveries of a connection was deleted. */
  deliveriesLost?(db: Db, connection: ConnectionKey): Promise<void>;
  /** What other slices do about what a delivery means. Where it fails, the delivery may be sent again. */
  afterDelivery?(
    connection: { clientId: string; connectorId: string },
    events: readonly DeliveryEvent[],
  ): Promise<void>;
}

/** Name by which the environment calls a connector: `kics-ci/cd` is KICS_CI_CD. */
export const environmentName = (connectorId: string): string => connectorId.toUpperCase().replace(/[^A-Z0-9]/g, '_');

/** The operator's address of a connector's service, if there is one. */
export const baseUrlOverride = (
  { providerBaseUrls }: Pick<ConnectionsDeps, 'providerBaseUrls'>,
  connectorId: string,
): URL | undefined => providerBaseUrls.get(environmentName(connectorId));
