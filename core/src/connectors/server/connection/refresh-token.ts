import { ConnectorError, type OAuth2 } from '@breakwater/sdk';
import { refreshOAuth } from '@breakwater/sdk/host';
import { sql } from 'kysely';
import type { CatalogueEntry } from '../../../platform/model/connector-catalogue.ts';
import { msg } from '../../../platform/model/message.ts';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import { effectiveConfig } from '../../model/credential-values.ts';
import { lockConnection } from './advance-connection.ts';
import type { ConnectionKey } from './connection-store.ts';
import { baseUrlOverride, type ConnectionsDeps } from './deps.ts';
import { knownClient } from './oauth-client.ts';
import { readConnection } from './read-connections.ts';

/** Requests that were refused with the old token may come this long after its renewal. */
const FRESH_MS = 30_000;

/** In this process, so that many refused requests hold one database connection. */
const underWay = new WeakMap<DatabaseHandle, Map<string, Promise<void>>>();

const lockRefresh = async (db: Db, { clientId, connectorId }: ConnectionKey): Promise<void> => {
  const key = `refresh ${clientId} ${connectorId}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(db);
};

/**
 * The token with which a connection is renewed. A form that asks for both takes the access token twice from people who have only
 * that one: it renews nothing.
 */
export const readRefreshToken = async (
  { vault }: Pick<ConnectionsDeps, 'vault'>,
  db: Db,
  auth: OAuth2,
  connectionKey: ConnectionKey,
): Promise<string | undefined> => {
  const read = (field: string) => vault.read(db, { ...connectionKey, field });
  const refresh = await read(auth.refreshField ?? 'refresh_token');
  return refresh === (await read(auth.tokenField ?? 'oauth_token')) ? undefined : refresh;
};

/** Renews the token under a lock of the database; others that wait for it find it renewed. */
const renew = (deps: ConnectionsDeps, entry: CatalogueEntry, connectionKey: ConnectionKey): Promise<void> =>
  deps.database.forClient(connectionKey.clientId, async (db) => {
    const { connector } = entry;
    const { auth } = connector;
    if (auth.type !== 'oauth2') return;
    await lockRefresh(db, connectionKey);
    const record = await readConnection(db, connectionKey);
    if (record.refreshedAt !== null && Date.now() - record.refreshedAt.getTime() < FRESH_MS) return;
    const field = auth.refreshField ?? 'refresh_token';
    const token = await readRefreshToken(deps, db, auth, connectionKey);
    if (token === undefined || auth.refresh === 'none') {
      throw new ConnectorError('auth', msg('The access token has expired.'), {
        help: msg('Connect again, or enter a new token.'),
      });
    }
    const override = baseUrlOverride(deps, connector.id);
    const renewed = await refreshOAuth(deps.gate, {
      connector,
      config: effectiveConfig(connector.credentials, record.config),
      refreshToken: token,
      ...(await knownClient(deps, db, entry, record)),
      ...(override === undefined ? {} : { baseUrlOverride: override }),
    });
    const conn = await lockConnection(db, connectionKey);
    // removed or edited while the service answered: the new token belongs to nothing any more
    if (conn.state === 'absent' || conn.state === 'removing') return;
    if (JSON.stringify(conn.record.config) !== JSON.stringify(record.config)) return;
    await deps.vault.put(db, { ...connectionKey, field: auth.tokenField ?? 'oauth_token' }, renewed.accessToken);
    if (renewed.refreshToken !== undefined) await deps.vault.put(db, { ...connectionKey, field }, renewed.refreshToken);
    await conn.update({ refreshed_at: new Date(), token_expires_at: renewed.expiresAt ?? null });
  });

/** Renews the access token of a connection once for everybody, over all processes. @throws ConnectorError auth where the service refuses */
export const refreshToken = (
  deps: ConnectionsDeps,
  entry: CatalogueEntry,
  connectionKey: ConnectionKey,
): Promise<void> => {
  const key = JSON.stringify([connectionKey.clientId, connectionKey.connectorId]);
  const ours = underWay.get(deps.database) ?? new Map<string, Promise<void>>();
  underWay.set(deps.database, ours);
  const known = ours.get(key);
  if (known !== undefined) return known;
  const work = renew(deps, entry, connectionKey).finally(() => ours.delete(key));
  ours.set(key, work);
  return work;
};
