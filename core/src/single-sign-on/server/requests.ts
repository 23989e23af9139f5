import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../platform/server/database.ts';
import type { ProvenIdentity } from '../model/identity.ts';
import { SIGN_IN_SECONDS } from '../model/settings.ts';
import './tables.ts';

/** From the answer of a SAML provider until the browser brings its cookie. */
const TICKET_SECONDS = 120;
const STATE_BYTES = 32;

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** An unguessable text that may stand in addresses and cookies. */
export const drawState = (): string => randomBytes(STATE_BYTES).toString('base64url');

/** What became of a SAML response. */
export type ResponseResult = { identity: ProvenIdentity } | { refusal: string };

/** A sign-in that has begun. */
export interface PendingSignIn {
  browserHash: Buffer;
  purpose: 'sign-in' | 'test';
  returnPath: string;
  /** Set once a SAML response came. */
  result: ResponseResult | null;
}

type Stored = Omit<PendingSignIn, 'browserHash'> & { state: string; lifeSeconds: number };

const insertRequest = async (db: Db, clientId: string, request: Stored & { browserHash: Buffer }): Promise<void> => {
  const { state, purpose, returnPath, browserHash, result, lifeSeconds } = request;
  // index: single_sign_on_requests_ended
  await db
    .deleteFrom('single_sign_on_requests')
    .where('client_id', '=', clientId)
    .where('expires_at', '<', sql<Date>`now()`)
    .execute();
  await db
    .insertInto('single_sign_on_requests')
    .values({
      client_id: clientId,
      state_hash: hashOf(state),
      browser_hash: browserHash,
      purpose,
      return_path: returnPath,
      result: result === null ? null : sql`${JSON.stringify(result)}::jsonb`,
      expires_at: sql<Date>`now() + make_interval(secs => ${lifeSeconds})`,
    })
    .execute();
};

/** Begins a sign-in of one browser. @returns the state that the provider hands back. */
export const beginRequest = async (
  db: Db,
  clientId: string,
  { browserToken, ...begun }: Pick<PendingSignIn, 'purpose' | 'returnPath'> & { browserToken: string },
): Promise<string> => {
  const state = drawState();
  const browserHash = hashOf(browserToken);
  await insertRequest(db, clientId, { ...begun, state, browserHash, result: null, lifeSeconds: SIGN_IN_SECONDS });
  return state;
};

/** Keeps what became of a SAML response for the browser that began. @returns the ticket that the browser brings. */
export const keepResult = async (
  db: Db,
  clientId: string,
  request: PendingSignIn & { result: ResponseResult },
): Promise<string> => {
  const state = drawState();
  await insertRequest(db, clientId, { ...request, state, lifeSeconds: TICKET_SECONDS });
  return state;
};

/**
 * Takes a sign-in that has begun, once. The transaction must commit whatever comes of it. Key: primary key.
 * @param browserToken of the browser that comes back; another than the one that began finds nothing. Left out for the provider's own
 * message, which carries no cookie.
 */
export const takeRequest = async (
  db: Db,
  clientId: string,
  { state, browserToken }: { state: string; browserToken?: string },
): Promise<PendingSignIn | undefined> => {
  const found = db
    .deleteFrom('single_sign_on_requests')
    .where('client_id', '=', clientId)
    .where('state_hash', '=', hashOf(state))
    .where('expires_at', '>', sql<Date>`now()`);
  const own = browserToken === undefined ? found : found.where('browser_hash', '=', hashOf(browserToken));
  const row = await own.returning(['browser_hash', 'purpose', 'return_path', 'result']).executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    browserHash: row.browser_hash,
    purpose: row.purpose,
    returnPath: row.return_path,
    result: row.result,
  };
};

/** Remembers an assertion until it would have ended anyway. @returns false where it was accepted before */
export const rememberAssertion = async (
  db: Db,
  clientId: string,
  { id, expiresAt }: { id: string; expiresAt: Date },
): Promise<boolean> => {
  // index: single_sign_on_assertions_ended
  await db
    .deleteFrom('single_sign_on_assertions')
    .where('client_id', '=', clientId)
    .where('expires_at', '<', sql<Date>`now()`)
    .execute();
  const added = await db
    .insertInto('single_sign_on_assertions')
    .values({ client_id: clientId, assertion_hash: hashOf(id), expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('client_id')
    .executeTakeFirst();
  return added !== undefined;
};
