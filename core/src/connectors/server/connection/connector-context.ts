import { ConnectorError, type Ctx, type Json, type Log, secretKeys } from '@breakwater/sdk';
import {
  createCtx,
  createMemoryStore,
  createSecretMask,
  type HostConnection,
  type SecretMask,
} from '@breakwater/sdk/host';
import type { CatalogueEntry } from '../../../platform/model/connector-catalogue.ts';
import { msg } from '../../../platform/model/message.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';
import type { Db } from '../../../platform/server/database.ts';
import {
  effectiveConfig,
  isOlder,
  type MigratedCredentials,
  migrateCredentials,
} from '../../model/credential-values.ts';
import { addHistory, type ConnectionActor, lockConnection } from './advance-connection.ts';
import { type ConnectionKey, createConnectionStore } from './connection-store.ts';
import { baseUrlOverride, type ConnectionsDeps } from './deps.ts';
import type { ConnectionRecord } from './read-connections.ts';
import { refreshToken } from './refresh-token.ts';

/** Secrets are sealed to the name of their field: a renamed one is opened and sealed anew. */
const moveSecrets = async (
  { vault }: Pick<ConnectionsDeps, 'vault'>,
  db: Db,
  connectionKey: ConnectionKey,
  names: ReadonlyMap<string, string>,
): Promise<void> => {
  const moves = [...names].filter(([before, after]) => before !== after);
  const opened: [string, string][] = [];
  for (const [before, after] of moves) {
    const secret = await vault.read(db, { ...connectionKey, field: before });
    if (secret !== undefined) opened.push([after, secret]);
  }
  for (const [field] of moves) await vault.remove(db, { ...connectionKey, field });
  for (const [field, secret] of opened) await vault.put(db, { ...connectionKey, field }, secret);
};

/** A public field that became a secret goes into the vault. @returns the fields that stay public. */
const sealNewSecrets = async (
  { vault }: Pick<ConnectionsDeps, 'vault'>,
  db: Db,
  connectionKey: ConnectionKey,
  parts: { config: MigratedCredentials['config']; secretNames: ReadonlySet<string> },
): Promise<Record<string, Json>> => {
  const stays: [string, Json][] = [];
  for (const [field, value] of Object.entries(parts.config)) {
    if (!parts.secretNames.has(field)) stays.push([field, value]);
    else if (typeof value === 'string') await vault.put(db, { ...connectionKey, field }, value);
  }
  return Object.fromEntries(stays);
};

/**
 * Makes what an older version of the plugin stored fit the present one: once, in the transaction that holds the connection.
 * What a newer version stored stays as it is.
 */
export const upgradeStored = async (
  deps: Pick<ConnectionsDeps, 'vault' | 'catalogue'>,
  db: Db,
  { connector, pluginVersion }: CatalogueEntry,
  conn: ConnectionActor,
): Promise<void> => {
  const { clientId, connectorId, pluginVersion: version, config: before, hints } = conn.record;
  if (version === null || !isOlder(version, pluginVersion)) return;
  const connectionKey = { clientId, connectorId };
  const steps = deps.catalogue.capability('migrate', connectorId) ?? [];
  const migrated = await migrateCredentials({ version, config: before, secrets: Object.keys(hints) }, steps);
  await moveSecrets(deps, db, connectionKey, migrated.secrets);
  const secretNames = new Set<string>(secretKeys(connector.credentials));
  const config = await sealNewSecrets(deps, db, connectionKey, { config: migrated.config, secretNames });
  const message = sayEnglish('Stored fields of version {version} were brought to {pluginVersion}.', {
    version,
    pluginVersion,
  });
  await conn.update({ config: JSON.stringify(config), plugin_version: pluginVersion }, { event: 'UPGRADE', message });
};

/** A connection ready for its connector's code. */
export interface OpenConnection {
  readonly entry: CatalogueEntry;
  readonly connectionKey: ConnectionKey;
  readonly record: ConnectionRecord;
  /** All that the code gets; one for each step. */
  ctx(signal: AbortSignal): Ctx<CatalogueEntry['connector']['credentials']>;
  /** Takes the secrets that were used out of a text. */
  readonly mask: SecretMask;
}

const CHANGED = msg('The settings of this connection changed meanwhile.');

/**
 * Reads a secret at the moment of its use. The fields beside it must still be those that the code was opened with: a token
 * that was stored for a new host must not go to the old one.
 */
const readSecret = (
  { database, vault }: ConnectionsDeps,
  connectionKey: ConnectionKey,
  parts: { field: string; config: string },
): Promise<string | undefined> =>
  database.forClient(connectionKey.clientId, async (db) => {
    const row = await db
      .selectFrom('connections')
      .select('config')
      .where('client_id', '=', connectionKey.clientId)
      .where('connector_id', '=', connectionKey.connectorId)
      .executeTakeFirst();
    if (JSON.stringify(row?.config) !== parts.config) throw new ConnectorError('config', CHANGED);
    return vault.read(db, { ...connectionKey, field: parts.field });
  });

/** The runtime masks every line before it comes here. */
const createLog = (deps: ConnectionsDeps, connectionKey: ConnectionKey): Log => {
  const log = deps.log.child({ connector: connectionKey.connectorId, client: connectionKey.clientId });
  return {
    debug: (message, facts = {}) => log.debug({ facts }, message),
    info: (message, facts = {}) => log.info({ facts }, message),
    warn: (message, facts = {}) => log.warn({ facts }, message),
  };
};

/** The history tells which secrets the code itself read, once a run. */
const createAudit = ({ database }: ConnectionsDeps, connectionKey: ConnectionKey) => {
  const revealed = new Set<string>();
  return async (field: string): Promise<void> => {
    if (revealed.has(field)) return;
    revealed.add(field);
    await database.forClient(connectionKey.clientId, async (db) => {
      const { state } = await lockConnection(db, connectionKey);
      const message = sayEnglish("The connector's code read {field}.", { field });
      await addHistory(db, connectionKey, {
        event: 'REVEAL',
        from: state,
        to: state,
        code: null,
        message,
        actor: null,
      });
    });
  };
};

/** Whether there is something to renew a token with: of one that was typed in alone, the service's own words tell more. */
const canRenew = ({ connector: { auth } }: CatalogueEntry, { hints }: ConnectionRecord): boolean =>
  auth.type === 'oauth2' && auth.refresh !== 'none' && Object.hasOwn(hints, auth.refreshField ?? 'refresh_token');

/** What is stored, after fields of an older plugin version were upgraded. */
export const readUpgraded = (
  deps: ConnectionsDeps,
  entry: CatalogueEntry,
  connectionKey: ConnectionKey,
): Promise<ConnectionRecord> =>
  deps.database.forClient(connectionKey.clientId, async (db) => {
    const conn = await lockConnection(db, connectionKey);
    await upgradeStored(deps, db, entry, conn);
    return conn.record;
  });

/** Fields to be tried before they are stored, in place of what is. */
export interface TrialFields {
  readonly config: Readonly<Record<string, Json>>;
  /** Secrets as they were entered. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Stored secrets that may not be used with these fields. */
  readonly withheld: readonly string[];
}

/** Builds what the code of a connector is run with. Stored fields of an older plugin version are upgraded first. */
export const createConnectorContext = async (
  deps: ConnectionsDeps,
  entry: CatalogueEntry,
  connectionKey: ConnectionKey,
): Promise<OpenConnection> =>
  openContext(deps, entry, { connectionKey, record: await readUpgraded(deps, entry, connectionKey) });

/** The same for what was read; with `trial` nothing of what the code remembers is kept. */
export const openContext = (
  deps: ConnectionsDeps,
  entry: CatalogueEntry,
  parts: { connectionKey: ConnectionKey; record: ConnectionRecord; trial?: TrialFields },
): OpenConnection => {
  const { connectionKey, record, trial } = parts;
  const { connector } = entry;
  const mask = createSecretMask();
  const config = JSON.stringify(record.config);
  const override = baseUrlOverride(deps, connector.id);
  const host: HostConnection = {
    connector,
    owner: connectionKey.clientId,
    config: effectiveConfig(connector.credentials, trial?.config ?? record.config),
    secret: async (field) => {
      if (trial?.withheld.includes(field)) return undefined;
      const secret = trial?.secrets.get(field) ?? (await readSecret(deps, connectionKey, { field, config }));
      if (secret !== undefined) mask.add(secret);
      return secret;
    },
    ...(override === undefined ? {} : { baseUrlOverride: override }),
    store: trial === undefined ? createConnectionStore(deps.database, connectionKey) : createMemoryStore(),
    log: createLog(deps, connectionKey),
    ...(trial === undefined && canRenew(entry, record)
      ? { refreshToken: () => refreshToken(deps, entry, connectionKey) }
      : {}),
    audit: createAudit(deps, connectionKey),
  };
  return { entry, connectionKey, record, mask, ctx: (signal) => createCtx(deps.gate, host, { signal }) };
};
