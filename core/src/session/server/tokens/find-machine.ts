import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import type { Caller } from '../../../platform/server/endpoint.ts';
import { isTokenShaped } from '../../model/api-token.ts';
import { hashToken } from './api-tokens.ts';
import '../tables.ts';

/** `last_used_at` is written at most this often. */
const TOUCH_SECONDS = 60;

/** The token with this digest that is neither expired nor revoked; a personal one only while its owner is active. */
const readToken = (db: Db, tokenHash: Buffer) =>
  db
    .selectFrom('api_tokens')
    .innerJoin('clients', 'clients.id', 'api_tokens.client_id')
    .leftJoin('users', (join) =>
      join.onRef('users.client_id', '=', 'api_tokens.client_id').onRef('users.id', '=', 'api_tokens.owner_id'),
    )
    .select(['api_tokens.client_id', 'api_tokens.id', 'api_tokens.name', 'api_tokens.scopes', 'api_tokens.owner_id'])
    .select(['users.role', 'users.username', 'users.email'])
    .select(sql<boolean>`clients.require_2fa and users.two_factor_at is null`.as('lacks_two_factor'))
    .select(
      sql<boolean>`coalesce(api_tokens.last_used_at < now() - make_interval(secs => ${TOUCH_SECONDS}), true)`.as(
        'is_stale',
      ),
    )
    .where('api_tokens.token_hash', '=', tokenHash)
    .where('api_tokens.revoked_at', 'is', null)
    .where('api_tokens.expires_at', '>', sql<Date>`now()`)
    .where((where) => where.or([where('api_tokens.owner_id', 'is', null), where('users.status', '=', 'active')]))
    .executeTakeFirst();

type FoundToken = NonNullable<Awaited<ReturnType<typeof readToken>>>;

const callerOf = (row: FoundToken, sessionHash: Buffer): Caller | undefined => {
  const { client_id: clientId, scopes: tokenScopes } = row;
  if (row.owner_id === null) {
    return { userId: row.id, clientId, role: 'cyberoper', username: row.name, email: '', sessionHash, tokenScopes };
  }
  const { owner_id: userId, role, username, email, name: personalToken } = row;
  if (role === null || username === null || email === null) return undefined;
  const caller = { userId, clientId, role, username, email, sessionHash, tokenScopes, personalToken };
  return row.lacks_two_factor ? { ...caller, needsTwoFactor: true } : caller;
};

/**
 * Who calls with this token: the organisation's machine, or the person who owns it, in the role they have now. For transactions over all clients.
 */
export const findMachine = async (db: Db, token: string): Promise<Caller | undefined> => {
  if (!isTokenShaped(token)) return undefined;
  const tokenHash = hashToken(token);
  const row = await readToken(db, tokenHash);
  if (row === undefined) return undefined;
  if (row.is_stale) {
    await db
      .updateTable('api_tokens')
      .set({ last_used_at: sql`now()` })
      .where('client_id', '=', row.client_id)
      .where('id', '=', row.id)
      .execute();
  }
  return callerOf(row, tokenHash);
};
