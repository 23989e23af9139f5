import { randomInt } from 'node:crypto';
import { checkRollups, rebuildRollups } from '@breakwater/core/findings/server/index.ts';
import type { DatabaseHandle } from '@breakwater/core/platform/server/database.ts';
import { createKeyRing } from '@breakwater/core/platform/server/key-ring.ts';
import { createVault, type Vault } from '@breakwater/core/platform/server/vault.ts';
import { passwordIssues } from '@breakwater/core/session/model/password-policy.ts';
import { findByIdentifier, resetPassword, resetTwoFactorByOperator } from '@breakwater/core/session/server/index.ts';
import { stopEnforcing } from '@breakwater/core/single-sign-on/server/index.ts';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { openDatabase } from './open-database.ts';
import { findRunningPostgres } from './postgres/running.ts';
import { loadSecretKeys } from './secret-keys.ts';

/** Letters and digits that are not mistaken for each other. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
const GENERATED_LENGTH = 18;

/** A random password that fits the policy. About 105 bits. */
export const generatePassword = (): string => {
  for (;;) {
    const letters = Array.from({ length: GENERATED_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]);
    const password = `${letters.slice(0, 6).join('')}-${letters.slice(6, 12).join('')}-${letters.slice(12).join('')}`;
    if (passwordIssues(password).length === 0) return password;
  }
};

/** Runs `work` on the database of the running server, or starts the database for it. */
export const withDatabase = async <T>(
  config: Config,
  log: Logger,
  work: (database: DatabaseHandle) => Promise<T>,
): Promise<T> => {
  const running = config.databaseUrl ?? (await findRunningPostgres(config.dataDirectory));
  const opened = await openDatabase({ ...config, databaseUrl: running }, log);
  try {
    return await work(opened.database);
  } finally {
    await opened.close();
  }
};

/** Sets a new random password and ends all sessions of the user. @returns the password, to be shown once. @throws when nobody has that e-mail. */
export const resetPasswordOf = async (database: DatabaseHandle, email: string): Promise<string> => {
  const password = generatePassword();
  if (!(await resetPassword(database, { identifier: email, password }))) {
    throw new Error(`Nobody has the e-mail or username ${email}.`);
  }
  return password;
};

const openVault = async (config: Config): Promise<Vault> =>
  createVault(createKeyRing(config.secretKeys ?? (await loadSecretKeys(config.dataDirectory))));

/** Switches two-factor off for who has lost device and recovery codes, and ends all their sessions. @returns whether it was on. @throws when nobody has that e-mail. */
export const resetTwoFactorOf = async (
  database: DatabaseHandle,
  config: Config,
  identifier: string,
): Promise<boolean> => {
  const wasOn = await resetTwoFactorByOperator(database, await openVault(config), identifier);
  if (wasOn === undefined) throw new Error(`Nobody has the e-mail or username ${identifier}.`);
  return wasOn;
};

/** Lets passwords count again in the organisation of a user, whose identity provider is away. @returns whether they did not. @throws when nobody has that e-mail. */
export const allowPasswordsOf = async (database: DatabaseHandle, identifier: string): Promise<boolean> => {
  const user = await database.forIdentity((db) => findByIdentifier(db, identifier));
  if (user === undefined) throw new Error(`Nobody has the e-mail or username ${identifier}.`);
  return database.forClient(user.clientId, (db) => stopEnforcing(db, user.clientId));
};

const listClients = (database: DatabaseHandle): Promise<{ id: string; organization_name: string }[]> =>
  database.forIdentity((db) =>
    db.selectFrom('clients').select(['id', 'organization_name']).orderBy('organization_name').execute(),
  );

/** Compares the rollups of every organisation with its findings. @returns one line for each row that differs; none when all is well. */
export const listRollupDifferences = async (database: DatabaseHandle): Promise<string[]> => {
  const lines: string[] = [];
  for (const { id, organization_name: name } of await listClients(database)) {
    for (const { table, row } of await checkRollups(database, id))
      lines.push(`${name} (${id}): ${table} ${JSON.stringify(row)}`);
  }
  return lines;
};

/** Makes the rollups of every organisation right while the product is in use. @returns how many organisations there are. */
export const rebuildAllRollups = async (database: DatabaseHandle): Promise<number> => {
  const clients = await listClients(database);
  for (const { id } of clients) await rebuildRollups(database, id);
  return clients.length;
};

/** Seals every secret with the newest key, so that older keys may be removed. @returns how many secrets were sealed anew. */
export const rotateKeys = async (database: DatabaseHandle, config: Config): Promise<number> => {
  const vault = await openVault(config);
  const clients = await database.forIdentity((db) => db.selectFrom('clients').select('id').execute());
  let count = 0;
  for (const { id } of clients) count += await database.forClient(id, (db) => vault.rotate(db, id));
  return count;
};
