/** Job that does what is due for one connection: a check, a retry, a removal cut short. Data: `ConnectionKey`. */
export const CONNECTION_JOB = 'connections.run';

/** Job that pulls findings through one connection. Data: `ConnectionKey`. */
export const SYNC_JOB = 'connections.sync';

/** Which connection. */
export interface ConnectionKey {
  clientId: string;
  connectorId: string;
}
