import { sql } from 'kysely';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import type { Db } from '../../../platform/server/database.ts';
import type { Vault } from '../../../platform/server/vault.ts';
import { drawRecoveryCodes, drawSecret, hashRecoveryCode, periodOf } from './codes.ts';
import './tables.ts';

interface Person {
  clientId: string;
  userId: string;
}

/** What a person gives besides the password: a code of the authenticator, or one of the recovery codes. */
export type Proof = { otpCode: string } | { recoveryCode: string };

const placeOf = ({ clientId, userId }: Person) => ({ clientId, connectorId: 'two-factor', field: userId });

/** One change or check of a person's second factor at a time, so that of equal codes one counts. */
const lockPerson = (db: Db, { clientId, userId }: Person) =>
  db
    .selectFrom('users')
    .select(['two_factor_at', 'two_factor_step'])
    .where('client_id', '=', clientId)
    .where('id', '=', userId)
    .where('status', '=', 'active')
    .forNoKeyUpdate()
    .executeTakeFirst();

const setColumns = async (
  db: Db,
  { clientId, userId }: Person,
  columns: { two_factor_at?: Date | null; two_factor_step: number },
): Promise<void> => {
  await db.updateTable('users').set(columns).where('client_id', '=', clientId).where('id', '=', userId).execute();
};

const deleteCodes = async (db: Db, { clientId, userId }: Person): Promise<void> => {
  await db.deleteFrom('recovery_codes').where('client_id', '=', clientId).where('user_id', '=', userId).execute();
};

/** Draws a secret, which asks for nothing until `enable`. A second one takes the place of the first. @throws conflict */
export const begin = async (db: Db, vault: Vault, person: Person): Promise<string> => {
  if ((await lockPerson(db, person))?.two_factor_at !== null) {
    throw new AppError('conflict', msg('Two-factor is on. Switch it off first to set up another device.'));
  }
  const secret = drawSecret();
  await vault.put(db, placeOf(person), secret);
  return secret;
};

/**
 * Asks for the second factor from now on.
 * @returns the recovery codes, which are stored nowhere; nothing where the code is wrong. @throws conflict
 */
export const enable = async (db: Db, vault: Vault, person: Person, code: string): Promise<string[] | undefined> => {
  if ((await lockPerson(db, person))?.two_factor_at !== null)
    throw new AppError('conflict', msg('Two-factor is on already.'));
  const secret = await vault.read(db, placeOf(person));
  if (secret === undefined) throw new AppError('conflict', msg('Begin with a new QR code.'));
  const period = periodOf(secret, code, 0);
  if (period === undefined) return undefined;
  await setColumns(db, person, { two_factor_at: new Date(), two_factor_step: period });
  await deleteCodes(db, person);
  const codes = drawRecoveryCodes();
  const { clientId, userId } = person;
  const rows = codes.map((one) => ({ client_id: clientId, user_id: userId, code_hash: hashRecoveryCode(one) }));
  await db.insertInto('recovery_codes').values(rows).execute();
  return codes;
};

/** Whether the proof is right; it is used up by that. */
export const prove = async (db: Db, vault: Vault, person: Person, proof: Proof): Promise<boolean> => {
  const state = await lockPerson(db, person);
  if (state === undefined || state.two_factor_at === null) return false;
  if ('recoveryCode' in proof) {
    const used = await db
      .deleteFrom('recovery_codes')
      .where('client_id', '=', person.clientId)
      .where('user_id', '=', person.userId)
      .where('code_hash', '=', hashRecoveryCode(proof.recoveryCode))
      .executeTakeFirst();
    return used.numDeletedRows > 0n;
  }
  const secret = await vault.read(db, placeOf(person));
  const period = secret === undefined ? undefined : periodOf(secret, proof.otpCode, state.two_factor_step);
  if (period === undefined) return false;
  await setColumns(db, person, { two_factor_step: period });
  return true;
};

/** Forgets secret and recovery codes: the password alone counts again. @returns whether it was on. */
export const disable = async (db: Db, vault: Vault, person: Person): Promise<boolean> => {
  const state = await lockPerson(db, person);
  await vault.remove(db, placeOf(person));
  await deleteCodes(db, person);
  if (state === undefined || state.two_factor_at === null) return false;
  await setColumns(db, person, { two_factor_at: null, two_factor_step: 0 });
  return true;
};

/** What `check-2fa` tells. */
export const readState = async (db: Db, { clientId, userId }: Person) => {
  const row = await db
    .selectFrom('users')
    .innerJoin('clients', 'clients.id', 'users.client_id')
    .select(['users.two_factor_at', 'clients.require_2fa'])
    .select((of) =>
      of
        .selectFrom('recovery_codes')
        .select(sql<number>`count(*)::integer`.as('count'))
        .where('recovery_codes.client_id', '=', clientId)
        .where('recovery_codes.user_id', '=', userId)
        .as('codes'),
    )
    .where('users.client_id', '=', clientId)
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow();
  return {
    enable_2fa: row.two_factor_at !== null,
    require_2fa: row.require_2fa,
    recovery_codes_left: row.codes ?? 0,
  };
};
