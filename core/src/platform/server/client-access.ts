import type { IncomingMessage } from 'node:http';
import { type Generated, sql } from 'kysely';
import { AppError } from '../model/app-error.ts';
import type { DatabaseHandle, Db } from './database.ts';
import type { Caller } from './endpoint.ts';
import './database.ts';

/** One look of a superadmin into a client. Kept for a year, never changed. */
interface ClientAccessesTable {
  client_id: string;
  id: Generated<string>;
  user_id: string;
  username: string;
  /** Path and query of the request. */
  address: string;
  at: Generated<Date>;
}

declare module './database.ts' {
  interface Database {
    client_accesses: ClientAccessesTable;
  }
}

/** Longer addresses are cut: 200 words of a filter may be long. */
const ADDRESS_LENGTH = 4000;

/** Who looks into which client, and at what. */
export interface ClientAccess {
  clientId: string;
  caller: Pick<Caller, 'userId' | 'username'>;
  request: Pick<IncomingMessage, 'url'>;
}

const writeAccess = async (db: Db, { clientId, caller, request }: ClientAccess): Promise<void> => {
  const known = await sql`select from clients where id = ${clientId}`.execute(db);
  if (known.rows.length === 0) throw new AppError('client_not_found');
  await db
    .insertInto('client_accesses')
    .values({
      client_id: clientId,
      user_id: caller.userId,
      username: caller.username,
      address: (request.url ?? '').slice(0, ADDRESS_LENGTH),
    })
    .execute();
  // index: client_accesses_oldest
  await db
    .deleteFrom('client_accesses')
    .where('client_id', '=', clientId)
    .where('at', '<', sql<Date>`now() - interval '1 year'`)
    .execute();
};

/**
 * Reads inside a client that is not the caller's own, limited to it as its own people are. The look is written down first, in a
 * transaction of its own, so that it stays when nothing was found; then the work may write nothing. For superadmins only: routes say so.
 * @throws client_not_found
 */
export const readInsideClient = async <T>(
  database: DatabaseHandle,
  access: ClientAccess,
  work: (db: Db) => Promise<T>,
): Promise<T> => {
  await database.forClient(access.clientId, (db) => writeAccess(db, access));
  return database.forClient(access.clientId, async (db) => {
    await sql`set transaction read only`.execute(db);
    return work(db);
  });
};
