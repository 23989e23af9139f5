import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import type { ConnectionKey } from '../connection/connection-store.ts';
import type { OauthStatesTable } from '../connection/tables.ts';
import '../connection/tables.ts';

/** A person who was sent to the service to consent has this long. */
export const CONSENT_MINUTES = 10;
const STATE_BYTES = 32;

/** What of the person goes along: who comes back must be who went, in the same session. */
export interface Consenter {
  clientId: string;
  userId: string;
  /** SHA-256 of the session's token. */
  sessionHash: Buffer;
}

export type ConsentStep = OauthStatesTable['step'];

export interface PendingConsent {
  connectorId: string;
  step: ConsentStep;
  redirectUri: string;
  isOver: boolean;
}

const hashOf = (state: string): Buffer => createHash('sha256').update(state).digest();

/** Begins a sign-in. What began before for the connection ends: the newest alone may come back. @returns the state for the address. */
export const addState = async (
  db: Db,
  { connectorId, ...consenter }: Consenter & ConnectionKey,
  { step, redirectUri }: { step: ConsentStep; redirectUri: string },
): Promise<string> => {
  const state = randomBytes(STATE_BYTES).toString('base64url');
  await removeStates(db, { clientId: consenter.clientId, connectorId });
  await db
    .insertInto('oauth_states')
    .values({
      client_id: consenter.clientId,
      state_hash: hashOf(state),
      connector_id: connectorId,
      user_id: consenter.userId,
      session_hash: consenter.sessionHash,
      step,
      redirect_uri: redirectUri,
      expires_at: sql<Date>`now() + make_interval(mins => ${CONSENT_MINUTES})`,
    })
    .execute();
  return state;
};

/** Ends the sign-ins that have begun for a connection. */
export const removeStates = async (db: Db, { clientId, connectorId }: ConnectionKey): Promise<void> => {
  await db
    .deleteFrom('oauth_states')
    .where('client_id', '=', clientId)
    .where('connector_id', '=', connectorId)
    .execute();
};

/**
 * Takes a state, once: whoever comes second, or from another session, finds none. The transaction must commit whatever comes
 * of the sign-in. Key: primary key.
 */
export const takeState = async (db: Db, consenter: Consenter, state: string): Promise<PendingConsent | undefined> => {
  const row = await db
    .deleteFrom('oauth_states')
    .where('client_id', '=', consenter.clientId)
    .where('state_hash', '=', hashOf(state))
    .where('user_id', '=', consenter.userId)
    .where('session_hash', '=', consenter.sessionHash)
    .returning(['connector_id', 'step', 'redirect_uri', sql<boolean>`expires_at <= now()`.as('is_over')])
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { connectorId: row.connector_id, step: row.step, redirectUri: row.redirect_uri, isOver: row.is_over };
};
