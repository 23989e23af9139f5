import { type Json, secretKeys } from '@breakwater/sdk';
import type { Card } from '../../platform/model/connector-catalogue.ts';
import type { Db } from '../../platform/server/database.ts';
import { isOlder, type MigratedCredentials, migrateCredentials } from '../model/migrate-credentials.ts';
import type { ConnectionActor } from './advance-connection.ts';
import type { ConnectionsDeps } from './deps.ts';

interface Place {
  clientId: string;
  connectorId: string;
}

/** Secrets are sealed to the name of their field: a renamed one is opened and sealed anew. */
const moveSecrets = async (
  { vault }: Pick<ConnectionsDeps, 'vault'>,
  db: Db,
  place: Place,
  names: ReadonlyMap<string, string>,
): Promise<void> => {
  const moves = [...names].filter(([before, after]) => before !== after);
  const opened: [string, string][] = [];
  for (const [before, after] of moves) {
    const secret = await vault.read(db, { ...place, field: before });
    if (secret !== undefined) opened.push([after, secret]);
  }
  for (const [field] of moves) await vault.remove(db, { ...place, field });
  for (const [field, secret] of opened) await vault.put(db, { ...place, field }, secret);
};

/** A public field that became a secret goes into the vault. @returns the fields that stay public. */
const sealNewSecrets = async (
  { vault }: Pick<ConnectionsDeps, 'vault'>,
  db: Db,
  place: Place,
  parts: { config: MigratedCredentials['config']; secretNames: ReadonlySet<string> },
): Promise<Record<string, Json>> => {
  const stays: [string, Json][] = [];
  for (const [field, value] of Object.entries(parts.config)) {
    if (!parts.secretNames.has(field)) stays.push([field, value]);
    else if (typeof value === 'string') await vault.put(db, { ...place, field }, value);
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
  { connector, pluginVersion }: Card,
  conn: ConnectionActor,
): Promise<void> => {
  const { clientId, connectorId, pluginVersion: version, config: before, hints } = conn.record;
  if (version === null || !isOlder(version, pluginVersion)) return;
  const place = { clientId, connectorId };
  const steps = deps.catalogue.capability('migrate', connectorId) ?? [];
  const migrated = migrateCredentials({ version, config: before, secrets: Object.keys(hints) }, steps);
  await moveSecrets(deps, db, place, migrated.secrets);
  const secretNames = new Set<string>(secretKeys(connector.credentials));
  const config = await sealNewSecrets(deps, db, place, { config: migrated.config, secretNames });
  const message = `Stored fields of version ${version} were brought to ${pluginVersion}.`;
  await conn.note({ config: JSON.stringify(config), plugin_version: pluginVersion }, { event: 'UPGRADE', message });
};
