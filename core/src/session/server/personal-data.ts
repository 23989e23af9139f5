import { sql } from 'kysely';
import { FORMER_MEMBER } from '../../platform/model/former-member.ts';
import type { Db } from '../../platform/server/database.ts';
import { onePage, type PersonalData, type PersonKey } from '../../platform/server/personal-data.ts';
import './google/tables.ts';
import './profile/tables.ts';
import './tables.ts';

/** How a person proves who they are: what counts when they ask for something that cannot be undone. */
export const readProofs = async (db: Db, { clientId, userId }: Pick<PersonKey, 'clientId' | 'userId'>) => {
  const row = await db
    .selectFrom('users')
    .select(['password_hash', 'two_factor_at'])
    .where('client_id', '=', clientId)
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return { passwordHash: row.password_hash, hasTwoFactor: row.two_factor_at !== null };
};

/** Whether a session was opened in the last minutes. */
export const isFreshSession = async (
  db: Db,
  { clientId, sessionHash, minutes }: { clientId: string; sessionHash: Buffer; minutes: number },
): Promise<boolean> => {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('client_id', '=', clientId)
    .where('token_hash', '=', sessionHash)
    .where('created_at', '>', sql<Date>`now() - make_interval(mins => ${minutes})`)
    .executeTakeFirst();
  return row !== undefined;
};

/** The account itself, with what opens it. */
export const sessionPersonalData: PersonalData = {
  records: [
    onePage('account', (db, { clientId, userId }) =>
      db
        .selectFrom('users')
        .select(['id', 'email', 'username', 'role', 'status', 'created_at', 'two_factor_at'])
        .select(['language', 'browser_language', 'time_zone', 'number_format', 'density'])
        .where('client_id', '=', clientId)
        .where('id', '=', userId)
        .execute(),
    ),
    onePage('sessions', (db, { clientId, userId }) =>
      db
        .selectFrom('sessions')
        .select(['id', 'address', 'agent', 'method', 'created_at', 'last_seen_at', 'expires_at'])
        .where('client_id', '=', clientId)
        .where('user_id', '=', userId)
        .orderBy('id')
        .limit(1000)
        .execute(),
    ),
    onePage('api_tokens', (db, { clientId, userId }) =>
      db
        .selectFrom('api_tokens')
        .select(['name', 'scopes', 'created_at', 'expires_at', 'last_used_at', 'revoked_at'])
        .where('client_id', '=', clientId)
        .where('owner_id', '=', userId)
        .orderBy('id')
        .limit(1000)
        .execute(),
    ),
    onePage('google_account', (db, { clientId, userId }) =>
      db
        .selectFrom('google_identities')
        .select(['email', 'name', 'last_used_at'])
        .where('client_id', '=', clientId)
        .where('user_id', '=', userId)
        .execute(),
    ),
    onePage('picture', (db, { clientId, userId }) =>
      db
        .selectFrom('avatars')
        .select(['media_type', 'checked_at'])
        .select(sql<string | null>`encode(image, 'base64')`.as('image_base64'))
        .where('client_id', '=', clientId)
        .where('user_id', '=', userId)
        .execute(),
    ),
  ],
  erase: async (db, { clientId, userId }) => {
    await db.deleteFrom('api_tokens').where('client_id', '=', clientId).where('owner_id', '=', userId).execute();
    const nothing = { language: null, browser_language: null, time_zone: null, number_format: null, density: null };
    await db
      .updateTable('users')
      .set({ username: FORMER_MEMBER, email: `${userId}@removed.invalid`, ...nothing })
      .where('client_id', '=', clientId)
      .where('id', '=', userId)
      .execute();
  },
};
