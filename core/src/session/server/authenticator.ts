import type { DatabaseHandle } from '../../platform/server/database.ts';
import type { Caller } from '../../platform/server/endpoint.ts';
import type { AttemptLimiter } from '../../platform/server/limits.ts';
import { isTokenShaped } from '../model/api-token.ts';
import { findMachine } from './api-tokens.ts';
import { findCaller, isSessionShaped } from './sessions.ts';

/** Wrong API tokens that an address may send before it is told to wait. A right one always passes. */
export const TOKEN_GUESSES = { name: 'api-token', attempts: 20, perSeconds: 300 } as const;

/** Turns a token into a caller. What the HTTP layer needs of this slice. */
export interface Authenticator {
  /** Who holds the session of this token. */
  authenticate(token: string): Promise<Caller | undefined>;
  /** Which machine holds this API token. @throws too_many_requests after many wrong ones from one address. */
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
