import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { AppError } from '../../platform/model/app-error.ts';
import { PIPELINE_SCOPES, type TokenScope } from '../../platform/model/permissions.ts';
import type { DatabaseHandle, Db } from '../../platform/server/database.ts';
import type { Caller } from '../../platform/server/endpoint.ts';
import type { Paging } from '../../platform/server/paging.ts';
import { isTokenShaped, TOKEN_PREFIX } from '../model/api-token.ts';
import './tables.ts';
import { Type } from 'typebox';
import { notify } from '../../notifications/server/index.ts';
import { defineJob } from '../../platform/server/jobs/define-job.ts';

/** Tokens that one organisation may hold at once. */
const MAX_TOKENS = 100;
/** `last_used_at` is written at most this often. */
const TOUCH_SECONDS = 60;
const HINT_LENGTH = 4;

const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** A token of 256 random bits. */
export const drawToken = (): string => `${TOKEN_PREFIX}${randomBytes(32).toString('base64url')}`;

export interface NewToken {
  token: string;
  name: string;
  expiresAt: Date;
  scopes: readonly TokenScope[];
}

const columns = [
  'api_tokens.id',
  'api_tokens.name',
  'api_tokens.hint',
  'api_tokens.scopes',
  'api_tokens.created_at',
  'api_tokens.expires_at',
  'api_tokens.last_used_at',
] as const;

const tokens = (db: Db, clientId: string) =>
  db
    .selectFrom('api_tokens')
    .leftJoin('users', (join) =>
      join.onRef('users.client_id', '=', 'api_tokens.client_id').onRef('users.id', '=', 'api_tokens.created_by'),
    )
    .select(columns)
    .select(['users.username as created_by', 'api_tokens.revoked_at'])
    .select(sql<boolean>`api_tokens.expires_at <= now()`.as('is_expired'))
    .where('api_tokens.client_id', '=', clientId);

/** A page of the tokens not revoked, newest first. Walks api_tokens_newest. */
export const listApiTokens = (db: Db, clientId: string, page: Pick<Paging, 'offset' | 'pageSize'>) =>
  tokens(db, clientId)
    .where('api_tokens.revoked_at', 'is', null)
    .orderBy('api_tokens.id', 'desc')
    .offset(page.offset)
    .limit(page.pageSize)
    .execute();

export type TokenRow = Awaited<ReturnType<typeof listApiTokens>>[number];

/** How many tokens are not revoked. Walks api_tokens_newest. */
export const countApiTokens = async (db: Db, clientId: string): Promise<number> => {
  const { total } = await db
    .selectFrom('api_tokens')
    .select(sql<number>`count(*)`.as('total'))
    .where('client_id', '=', clientId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return total;
};

/** Whether a pipeline can call now. Walks api_tokens_newest. */
export const hasActiveToken = async (db: Db, clientId: string): Promise<boolean> => {
  const found = await db
    .selectFrom('api_tokens')
    .select('id')
    .where('client_id', '=', clientId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .where(sql<boolean>`scopes && ${[...PIPELINE_SCOPES]}::text[]`)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
};

/** The client's token with this text, also an expired or revoked one. Reads api_tokens_hash. */
export const findApiToken = (db: Db, clientId: string, token: string): Promise<TokenRow | undefined> =>
  tokens(db, clientId).where('api_tokens.token_hash', '=', hashToken(token)).executeTakeFirst();

/** Keeps the digest of a token. @throws conflict where its name is taken or too many are held. */
export const storeApiToken = async (db: Db, caller: Caller, made: NewToken): Promise<TokenRow> => {
  const { clientId, userId } = caller;
  const name = made.name.trim();
  const taken = await db
    .selectFrom('api_tokens')
    .select('id')
    .where('client_id', '=', clientId)
    .where('revoked_at', 'is', null)
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .executeTakeFirst();
  if (taken !== undefined) throw new AppError('conflict', `There is a token named "${name}". Choose another name.`);
  if ((await countApiTokens(db, clientId)) >= MAX_TOKENS) {
    throw new AppError('conflict', `${MAX_TOKENS} tokens are the most. Revoke one that is no longer needed.`);
  }
  const { id } = await db
    .insertInto('api_tokens')
    .values({
      client_id: clientId,
      name,
      token_hash: hashToken(made.token),
      hint: made.token.slice(-HINT_LENGTH),
      created_by: userId,
      expires_at: made.expiresAt,
      scopes: [...made.scopes],
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return tokens(db, clientId).where('api_tokens.id', '=', id).executeTakeFirstOrThrow();
};

/** Ends a token. @throws token_not_found */
export const revokeApiToken = async (db: Db, clientId: string, id: string): Promise<string> => {
  const revoked = await db
    .updateTable('api_tokens')
    .set({ revoked_at: sql`now()` })
    .where('client_id', '=', clientId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('name')
    .executeTakeFirst();
  if (revoked === undefined) throw new AppError('token_not_found');
  return revoked.name;
};

/** The machine that holds this token, while it is neither expired nor revoked. For transactions over all clients. */
export const findMachine = async (db: Db, token: string): Promise<Caller | undefined> => {
  if (!isTokenShaped(token)) return undefined;
  const sessionHash = hashToken(token);
  const row = await db
    .selectFrom('api_tokens')
    .select(['client_id', 'id', 'name', 'scopes'])
    .select(sql<boolean>`coalesce(last_used_at < now() - make_interval(secs => ${TOUCH_SECONDS}), true)`.as('is_stale'))
    .where('token_hash', '=', sessionHash)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  if (row.is_stale) {
    await db
      .updateTable('api_tokens')
      .set({ last_used_at: sql`now()` })
      .where('client_id', '=', row.client_id)
      .where('id', '=', row.id)
      .execute();
  }
  const { id: userId, client_id: clientId, name: username, scopes: tokenScopes } = row;
  return { userId, clientId, role: 'cyberoper', username, email: '', sessionHash, tokenScopes };
};

/** How long before its end people are told of a token. */
const WARN_DAYS = 7;

/** Organisations with a token that ends soon. Reads api_tokens_expiring. */
const clientsToWarn = async (db: Db): Promise<string[]> => {
  const rows = await db
    .selectFrom('api_tokens')
    .select('client_id')
    .distinct()
    .where('revoked_at', 'is', null)
    .where('warned_at', 'is', null)
    .where('expires_at', '<', sql<Date>`now() + make_interval(days => ${WARN_DAYS})`)
    .where('expires_at', '>', sql<Date>`now()`)
    .execute();
  return rows.map((row) => row.client_id);
};

const warnClient = async (db: Db, clientId: string): Promise<number> => {
  const ending = await db
    .updateTable('api_tokens')
    .set({ warned_at: sql`now()` })
    .where('client_id', '=', clientId)
    .where('revoked_at', 'is', null)
    .where('warned_at', 'is', null)
    .where('expires_at', '<', sql<Date>`now() + make_interval(days => ${WARN_DAYS})`)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(['name', 'expires_at', 'scopes'])
    .execute();
  for (const { name, expires_at, scopes } of ending) {
    await notify(db, {
      clientId,
      type: 'token_expiring',
      title: `The token "${name}" ends soon`,
      message: `It is refused from ${expires_at.toISOString().slice(0, 16).replace('T', ' ')} UTC on. Make a new one and give it to whatever calls with it.`,
      link: scopes.includes('scim') ? '/settings/single-sign-on' : '/connector/tools?open=miscellaneous/plexalyzer',
      to: { permission: 'tokens.manage' },
    });
  }
  return ending.length;
};

/** Notifies admins once of each token that ends within seven days, whichever process asks first. @returns how many tokens. */
export const warnOfExpiringTokens = async (database: DatabaseHandle): Promise<number> => {
  let count = 0;
  for (const clientId of await database.forIdentity(clientsToWarn)) {
    count += await database.forClient(clientId, (db) => warnClient(db, clientId));
  }
  return count;
};

export const warnOfTokenExpiry = defineJob({
  name: 'session.warn-of-token-expiry',
  input: Type.Object({}),
  retry: { limit: 5 },
  schedule: { cron: '23 * * * *' },
  run: ({ database }: { database: DatabaseHandle }) => warnOfExpiringTokens(database),
});
