import { createHash, randomBytes } from 'node:crypto';
import { type ExpressionBuilder, sql } from 'kysely';
import { type RequestOrigin, recordAudit } from '../../platform/server/audit.ts';
import type { Database, DatabaseHandle, Db } from '../../platform/server/database.ts';
import type { Caller } from '../../platform/server/endpoint.ts';
import { publish } from '../../platform/server/events.ts';
import type { AttemptLimiter } from '../../platform/server/limits.ts';
import { isTokenShaped } from '../model/api-token.ts';
import type { SignInMethod } from './tables.ts';
import { findMachine } from './tokens/find-machine.ts';
import { removeTickets } from './two-factor/tickets.ts';

/** Absolute life of a session. Source: decisions.md "Session". */
export const SESSION_SECONDS = 24 * 3600;
/** How long a session without "remember me" may rest. */
const IDLE_SECONDS = 2 * 3600;
/** `last_seen_at` is written at most this often. */
const TOUCH_SECONDS = 60;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Whether a text looks like the token of a session: as hard to guess as one. */
export const isSessionShaped = (token: string): boolean => TOKEN.test(token);

const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

export interface NewSession {
  clientId: string;
  userId: string;
  username: string;
  remember: boolean;
  origin: RequestOrigin;
  method: SignInMethod;
  /** What was given besides, as the audit log calls it. */
  secondFactor?: 'code' | 'recovery code';
}

/**
 * Makes a session, writes the sign-in down, and returns the session's token, which is stored nowhere. Ended sessions of the same user
 * are removed. Every way of signing in ends here.
 */
export const openSession = async (db: Db, owner: NewSession): Promise<string> => {
  const { clientId, userId, username, origin, method } = owner;
  const token = randomBytes(32).toString('base64url');
  await db
    .deleteFrom('sessions')
    .where('client_id', '=', owner.clientId)
    .where('user_id', '=', owner.userId)
    .where('expires_at', '<', sql<Date>`now()`)
    .execute();
  await db
    .insertInto('sessions')
    .values({
      client_id: owner.clientId,
      user_id: owner.userId,
      remember: owner.remember,
      method: owner.method,
      token_hash: hashToken(token),
      expires_at: sql`now() + make_interval(secs => ${SESSION_SECONDS})`,
      address: origin.address,
      agent: origin.agent,
    })
    .execute();
  if (origin.language !== null)
    await db
      .updateTable('users')
      .set({ browser_language: origin.language })
      .where('client_id', '=', clientId)
      .where('id', '=', userId)
      .where(sql<boolean>`browser_language is distinct from ${origin.language}`)
      .execute();
  await recordAudit(db, {
    clientId,
    kind: 'sign-in.succeeded',
    actor: { type: 'person', id: userId, name: username },
    origin,
    details: { method, ...(owner.secondFactor === undefined ? {} : { second_factor: owner.secondFactor }) },
  });
  return token;
};

/** Whether a session lives: neither at its end nor at rest for too long. */
export const isAwake = (where: ExpressionBuilder<Database, 'sessions'>) =>
  where.and([
    where('sessions.expires_at', '>', sql<Date>`now()`),
    where.or([
      where('sessions.remember', '=', true),
      where('sessions.last_seen_at', '>', sql<Date>`now() - make_interval(secs => ${IDLE_SECONDS})`),
    ]),
  ]);

/** Who holds this token, as long as the session lives and the user is active. */
export const findCaller = async (db: Db, token: string): Promise<Caller | undefined> => {
  if (!isSessionShaped(token)) return undefined;
  const sessionHash = hashToken(token);
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', (join) =>
      join.onRef('users.client_id', '=', 'sessions.client_id').onRef('users.id', '=', 'sessions.user_id'),
    )
    .innerJoin('clients', 'clients.id', 'sessions.client_id')
    .select(['users.id', 'users.client_id', 'users.role', 'users.username', 'users.email'])
    .select(
      sql<boolean>`clients.require_2fa and users.two_factor_at is null and sessions.method not in ('oidc', 'saml')`.as(
        'needs_two_factor',
      ),
    )
    .select(sql<boolean>`sessions.last_seen_at < now() - make_interval(secs => ${TOUCH_SECONDS})`.as('is_stale'))
    .where('sessions.token_hash', '=', sessionHash)
    .where(isAwake)
    .where('users.status', '=', 'active')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  if (row.is_stale) {
    await db
      .updateTable('sessions')
      .set({ last_seen_at: sql`now()` })
      .where('client_id', '=', row.client_id)
      .where('token_hash', '=', sessionHash)
      .execute();
  }
  const { id: userId, client_id: clientId, role, username, email } = row;
  const caller = { userId, clientId, role, username, email, sessionHash };
  return row.needs_two_factor ? { ...caller, needsTwoFactor: true } : caller;
};

/** Open event streams of the user look again whether they may go on. */
export const notifyClosed = (db: Db, user: { clientId: string; userId: string }): Promise<void> =>
  publish(db, {
    clientId: user.clientId,
    type: 'session.closed',
    data: { user_id: user.userId },
    audience: { userIds: [user.userId] },
  });

/** Ends one session. */
export const closeSession = async (
  db: Db,
  caller: Pick<Caller, 'clientId' | 'userId' | 'sessionHash'>,
): Promise<void> => {
  await db
    .deleteFrom('sessions')
    .where('client_id', '=', caller.clientId)
    .where('token_hash', '=', caller.sessionHash)
    .execute();
  await notifyClosed(db, caller);
};

/** Ends every session of a user: after a change of password or role, and on removal. */
export const closeAllSessions = async (db: Db, user: { clientId: string; userId: string }): Promise<void> => {
  await db.deleteFrom('sessions').where('client_id', '=', user.clientId).where('user_id', '=', user.userId).execute();
  await removeTickets(db, user);
  await notifyClosed(db, user);
};

/** Wrong API tokens that an address may send before it is told to wait. A right one always passes. */
export const TOKEN_GUESSES = { name: 'api-token', attempts: 20, perSeconds: 300 } as const;

/** Turns a token into a caller. What the HTTP layer needs of this slice. */
export interface Authenticator {
  /** Who holds the session of this token. */
  authenticate(token: string): Promise<Caller | undefined>;
  /** Which machine or person holds this API token. @throws too_many_requests after many wrong ones from one address. */
  authenticateMachine(token: string, remoteAddress: string): Promise<Caller | undefined>;
}

/** @param guesses counts wrong API tokens by address, see `TOKEN_GUESSES`. */
export const createAuthenticator = (database: DatabaseHandle, guesses: AttemptLimiter): Authenticator => ({
  authenticate: async (token) =>
    isSessionShaped(token) ? database.forIdentity((db) => findCaller(db, token)) : undefined,
  authenticateMachine: async (token, remoteAddress) => {
    if (!isTokenShaped(token)) return undefined;
    const machine = await database.forIdentity((db) => findMachine(db, token));
    // programs often send the token of a session that has ended
    if (machine === undefined && !isSessionShaped(token)) await guesses.take(remoteAddress);
    return machine;
  },
});
