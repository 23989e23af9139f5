import type { ConnectionState, Json } from '@breakwater/sdk';
import type { Caller } from '../../platform/server/endpoint.ts';
import type { Db } from '../../platform/server/database.ts';
import type { ConnectorItem } from './connector-item.ts';

/** Who acts, as the history names them. */
export type ActingCaller = Pick<Caller, 'clientId' | 'userId' | 'username'>;

/** What is stored of one connection. Of a secret there is only its hint: the last four characters, or empty. */
export interface StoredCredentials {
  /** Public fields, with the defaults of the form. */
  readonly config: Readonly<Record<string, Json>>;
  /** Hint by field, for the secrets that are set. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly isConfigured: boolean;
  readonly state: ConnectionState;
}

/** Connections of organisations to services, for other slices. A connector is named by its id or its address. */
export interface Connections {
  /**
   * Stores fields (left out stay, null clears, an empty secret stays) and, once they suffice, checks the connection. Runs up to
   * 10 s and opens its own transactions. @throws connector_not_found, validation_failed, conflict
   */
  save(caller: ActingCaller, connector: string, values: Readonly<Record<string, unknown>>): Promise<ConnectorItem>;
  /** Deletes configuration, secrets and memory; findings and history stay. @throws connector_not_found, conflict */
  remove(caller: ActingCaller, connector: string): Promise<void>;
  /** Tests the connection now; a refusal of the service is told by the state. @throws conflict, integration_not_configured */
  check(caller: ActingCaller, connector: string): Promise<ConnectorItem>;
  /** Every card with the state of its connection. */
  catalogue(db: Db, clientId: string): Promise<ConnectorItem[]>;
  /** One card. @throws connector_not_found */
  item(db: Db, clientId: string, connector: string): Promise<ConnectorItem>;
  /** What is stored. @throws connector_not_found */
  stored(db: Db, clientId: string, connector: string): Promise<StoredCredentials>;
}
