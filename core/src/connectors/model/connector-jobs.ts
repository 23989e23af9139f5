/** Job that does what is due for one connection: a check, a retry, a removal cut short. Data: `ConnectionPlace`. */
export const CONNECTION_JOB = 'connections.run';

/** Job that pulls findings through one connection. Data: `ConnectionPlace`. */
export const SYNC_JOB = 'connections.sync';

/** Which connection. */
export interface ConnectionPlace {
  clientId: string;
  connectorId: string;
}
