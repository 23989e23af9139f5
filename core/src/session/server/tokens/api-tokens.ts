import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { AppError } from '../../../platform/model/app-error.ts';
import { PIPELINE_SCOPES, type TokenScope } from '../../../platform/model/permissions.ts';
import { say } from '../../../platform/model/sentence.ts';
import type { Db } from '../../../platform/server/database.ts';
import type { Caller } from '../../../platform/server/endpoint.ts';
import type { Paging } from '../../../platform/server/paging.ts';
import { PERSONAL_PREFIX, TOKEN_PREFIX, type TokenKind } from '../../model/api-token.ts';
import '../tables.ts';

/** Tokens that one organisation, or one person, may hold at once. */
const MAX_TOKENS: Record<TokenKind, number> = { organization: 100, personal: 20 };
const HINT_LENGTH = 4;

const PREFIXES: Record<TokenKind, string> = { organization: TOKEN_PREFIX, personal: PERSONAL_PREFIX };

/**
 * What is stored of a token. A personal one is digested with a word before it: a process of the release before knows no owners, does not find it
 * by its plain digest, and so never takes it for a token of the organisation.
 */
export const hashToken = (token: string): Buffer =>
  createHash('sha256')
    .update(token.startsWith(PERSONAL_PREFIX) ? `personal:${token}` : token)
    .digest();

/** A token of 256 random bits. */
export const drawToken = (kind: TokenKind): string => `${PREFIXES[kind]}${randomBytes(32).toString('base64url')}`;

/** Whose tokens are meant. */
export type TokenOwner = 'organization' | 'everybody' | { userId: string };

const belongsTo = (owner: TokenOwner) => {
  if (owner === 'everybody') return sql<boolean>`true`;
  return owner === 'organization'
    ? sql<boolean>`api_tokens.owner_id is null`
    : sql<boolean>`api_tokens.owner_id = ${owner.userId}`;
};

export interface NewToken {
  token: string;
  name: string;
  expiresAt: Date;
  scopes: readonly TokenScope[];
  kind: TokenKind;
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
    .leftJoin('users as owners', (join) =>
      join.onRef('owners.client_id', '=', 'api_tokens.client_id').onRef('owners.id', '=', 'api_tokens.owner_id'),
    )
    .select(columns)
    .select(['users.username as created_by', 'owners.username as owner', 'api_tokens.revoked_at'])
    .select(sql<boolean>`api_tokens.expires_at <= now()`.as('is_expired'))
    .where('api_tokens.client_id', '=', clientId);

/**
 * A page of the tokens not revoked: those of the organisation before those of people, newest first. Reads api_tokens_newest, or api_tokens_owner for
 * one person.
 */
export const listApiTokens = (
  db: Db,
  clientId: string,
  { owner, offset, pageSize }: Pick<Paging, 'offset' | 'pageSize'> & { owner: TokenOwner },
) =>
  tokens(db, clientId)
    .where('api_tokens.revoked_at', 'is', null)
    .where(belongsTo(owner))
    .orderBy(sql`api_tokens.owner_id is not null`)
    .orderBy('api_tokens.id', 'desc')
    .offset(offset)
    .limit(pageSize)
    .execute();

export type TokenRow = Awaited<ReturnType<typeof listApiTokens>>[number];

/** How many tokens are not revoked. Reads the indexes of `listApiTokens`. */
export const countApiTokens = async (db: Db, clientId: string, owner: TokenOwner): Promise<number> => {
  const { total } = await db
    .selectFrom('api_tokens')
    .select(sql<number>`count(*)`.as('total'))
    .where('client_id', '=', clientId)
    .where('revoked_at', 'is', null)
    .where(belongsTo(owner))
    .executeTakeFirstOrThrow();
  return total;
};

/** Whether a pipeline can call now with a token of the organisation. Walks api_tokens_newest. */
export const hasActiveToken = async (db: Db, clientId: string): Promise<boolean> => {
  const found = await db
    .selectFrom('api_tokens')
    .select('id')
    .where('client_id', '=', clientId)
    .where('revoked_at', 'is', null)
    .where('owner_id', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .where(sql<boolean>`scopes && ${[...PIPELINE_SCOPES]}::text[]`)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
};

/** The organisation's token with this text, also an expired or revoked one. Reads api_tokens_hash. */
export const findApiToken = (db: Db, clientId: string, token: string): Promise<TokenRow | undefined> =>
  tokens(db, clientId)
    .where('api_tokens.token_hash', '=', hashToken(token))
    .where(belongsTo('organization'))
    .executeTakeFirst();

/** Keeps the digest of a token. @throws conflict where its name is taken or too many are held. */
export const storeApiToken = async (db: Db, caller: Caller, made: NewToken): Promise<TokenRow> => {
  const { clientId, userId } = caller;
  const name = made.name.trim();
  const owner: TokenOwner = made.kind === 'personal' ? { userId } : 'organization';
  const most = MAX_TOKENS[made.kind];
  const taken = await db
    .selectFrom('api_tokens')
    .select('id')
    .where('client_id', '=', clientId)
    .where('revoked_at', 'is', null)
    .where(belongsTo(owner))
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .executeTakeFirst();
  if (taken !== undefined)
    throw new AppError('conflict', say('There is a token named "{name}". Choose another name.', { name }));
  if ((await countApiTokens(db, clientId, owner)) >= most) {
    throw new AppError('conflict', say('{most} tokens are the most. Revoke one that is no longer needed.', { most }));
  }
  const { id } = await db
    .insertInto('api_tokens')
    .values({
      client_id: clientId,
      name,
      token_hash: hashToken(made.token),
      hint: made.token.slice(-HINT_LENGTH),
      created_by: userId,
      owner_id: made.kind === 'personal' ? userId : null,
      expires_at: made.expiresAt,
      scopes: [...made.scopes],
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return tokens(db, clientId).where('api_tokens.id', '=', id).executeTakeFirstOrThrow();
};

/** Ends a token. @returns its name, and whose it was where it is personal. @throws token_not_found */
export const revokeApiToken = async (
  db: Db,
  clientId: string,
  { id, owner }: { id: string; owner: TokenOwner },
): Promise<{ name: string; owner: string | null }> => {
  const revoked = await db
    .updateTable('api_tokens')
    .set({ revoked_at: sql`now()` })
    .where('client_id', '=', clientId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where(belongsTo(owner))
    .returning((row) => [
      'name',
      row
        .selectFrom('users')
        .select('username')
        .whereRef('users.client_id', '=', 'api_tokens.client_id')
        .whereRef('users.id', '=', 'api_tokens.owner_id')
        .as('owner'),
    ])
    .executeTakeFirst();
  if (revoked === undefined) throw new AppError('token_not_found');
  return revoked;
};
