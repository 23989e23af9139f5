import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { AppError } from '../../../platform/model/app-error.ts';
import type { Db } from '../../../platform/server/database.ts';
import type { SignInMethod } from '../tables.ts';
import './tables.ts';

/** How long the second factor may be given after the first. */
const TICKET_SECONDS = 300;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

export interface NewTicket {
  clientId: string;
  userId: string;
  remember: boolean;
  method: SignInMethod;
}

/** What stands between the two factors. It opens nothing, and ends with the sessions of its owner. @returns its token, stored nowhere. */
export const issueTicket = async (db: Db, { clientId, userId, remember, method }: NewTicket): Promise<string> => {
  const token = randomBytes(32).toString('base64url');
  await db
    .deleteFrom('sign_in_tickets')
    .where('client_id', '=', clientId)
    .where('user_id', '=', userId)
    .where('expires_at', '<', sql<Date>`now()`)
    .execute();
  await db
    .insertInto('sign_in_tickets')
    .values({
      client_id: clientId,
      user_id: userId,
      remember,
      method,
      token_hash: hashToken(token),
      expires_at: sql`now() + make_interval(secs => ${TICKET_SECONDS})`,
    })
    .execute();
  return token;
};

/** Whose ticket it is, without using it. For transactions over all clients. @throws sign_in_ticket_invalid */
export const readTicket = async (
  db: Db,
  token: string,
): Promise<{ clientId: string; userId: string; username: string }> => {
  if (!TOKEN.test(token)) throw new AppError('sign_in_ticket_invalid');
  const row = await db
    .selectFrom('sign_in_tickets')
    .innerJoin('users', (join) =>
      join.onRef('users.client_id', '=', 'sign_in_tickets.client_id').onRef('users.id', '=', 'sign_in_tickets.user_id'),
    )
    .select(['sign_in_tickets.client_id', 'sign_in_tickets.user_id', 'users.username'])
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('sign_in_ticket_invalid');
  return { clientId: row.client_id, userId: row.user_id, username: row.username };
};

/** Uses a ticket up, in the transaction that checks the second factor: where that is wrong the ticket stays. @throws sign_in_ticket_invalid */
export const redeemTicket = async (db: Db, token: string): Promise<{ remember: boolean; method: SignInMethod }> => {
  const row = await db
    .deleteFrom('sign_in_tickets')
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(['remember', 'method'])
    .executeTakeFirst();
  if (row === undefined) throw new AppError('sign_in_ticket_invalid');
  return row;
};

/** Ends what a person has begun: with their sessions. */
export const removeTickets = async (
  db: Db,
  { clientId, userId }: { clientId: string; userId: string },
): Promise<void> => {
  await db.deleteFrom('sign_in_tickets').where('client_id', '=', clientId).where('user_id', '=', userId).execute();
};
