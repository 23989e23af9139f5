import { randomBytes } from 'node:crypto';
import { deliveryPath } from '../../model/delivery-path.ts';
import { lockConnection } from './advance-connection.ts';
import type { ConnectionKey } from './connection-store.ts';
import type { ConnectionsDeps } from './deps.ts';
import { readEntry } from './find-entry.ts';

const BYTES = 24;

/** Last part of the address of a connection's deliveries: nobody guesses it, and it proves nothing. */
export const newHookToken = (): string => randomBytes(BYTES).toString('base64url');

/** Where a service sends its deliveries, and what they prove themselves with. */
export interface DeliveryAddress {
  /** Below the address of this server. */
  readonly path: string;
  readonly secret: string;
}

/**
 * The address and the secret of the deliveries of a connection, made where there are none yet. The secret is for the service alone.
 * @returns null where the connector takes no deliveries, or nothing is configured
 */
export const takeDeliveryAddress = async (
  deps: Pick<ConnectionsDeps, 'catalogue' | 'added' | 'database' | 'vault'>,
  connectionKey: ConnectionKey,
): Promise<DeliveryAddress | null> => {
  const { catalogue, database, vault } = deps;
  const entry = await readEntry(deps, connectionKey.clientId, connectionKey.connectorId);
  const webhook = entry === null ? null : catalogue.capability('webhook', entry.connector.id);
  if (webhook === null) return null;
  return database.forClient(connectionKey.clientId, async (db) => {
    const conn = await lockConnection(db, connectionKey);
    if (conn.state === 'absent' || conn.state === 'removing') return null;
    const place = { ...connectionKey, field: webhook.proof.secret };
    const known = await vault.read(db, place);
    const secret = known ?? randomBytes(BYTES).toString('base64url');
    if (known === undefined) await vault.put(db, place, secret);
    const token = conn.record.hookToken ?? newHookToken();
    if (conn.record.hookToken === null) await conn.update({ hook_token: token });
    return { path: deliveryPath(token), secret };
  });
};
