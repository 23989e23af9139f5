import { ConnectorError, isConnectorError } from '../errors.ts';
import type { HostConnection } from './connection.ts';
import { codeOfError } from './error-code.ts';

interface Renewal {
  /** Counts the tokens that this connection has had. */
  generation: number;
  running: Promise<void> | null;
}

const renewals = new WeakMap<HostConnection, Renewal>();

function renewalOf(connection: HostConnection): Renewal {
  const known = renewals.get(connection) ?? { generation: 0, running: null };
  renewals.set(connection, known);
  return known;
}

/** Which token requests are signed with from now on. */
export function tokenGeneration(connection: HostConnection): number {
  return renewalOf(connection).generation;
}

/**
 * Renews the token with which a request was refused, unless that has happened meanwhile: any number of refused requests of a
 * connection cause one renewal. @returns false where the connection has nothing to renew
 * @throws ConnectorError
 */
export async function renewToken(connection: HostConnection, refused: number): Promise<boolean> {
  if (connection.connector.auth.type !== 'oauth2' || connection.refreshToken === undefined) return false;
  const renewal = renewalOf(connection);
  if (renewal.generation !== refused) return true;
  renewal.running ??= connection
    .refreshToken()
    .then(() => {
      renewal.generation += 1;
    })
    .finally(() => {
      renewal.running = null;
    });
  try {
    await renewal.running;
  } catch (error) {
    if (isConnectorError(error)) throw error;
    throw new ConnectorError('unreachable', 'The access token could not be renewed just now.', {
      cause: new Error(codeOfError(error)),
    });
  }
  return true;
}
