import type { IncomingMessage } from 'node:http';
import { sql } from 'kysely';
import { AppError } from '../model/app-error.ts';
import { type RequestOrigin, recordAudit } from './audit.ts';
import type { DatabaseHandle, Db } from './database.ts';
import type { Caller } from './endpoint.ts';
/** Who looks into which client, and at what. */
export interface ClientAccess {
  clientId: string;
  caller: Pick<Caller, 'userId' | 'username'>;
  request: Pick<IncomingMessage, 'url'>;
  origin: RequestOrigin;
}

const writeAccess = async (db: Db, { clientId, caller, request, origin }: ClientAccess): Promise<void> => {
  const known = await sql`select from clients where id = ${clientId}`.execute(db);
  if (known.rows.length === 0) throw new AppError('client_not_found');
  await recordAudit(db, {
    clientId,
    kind: 'superadmin.read',
    actor: { type: 'superadmin', id: caller.userId, name: caller.username },
    origin,
    details: { path: request.url ?? '' },
  });
};

/** Short transactions of one client after the other. */
export type ClientReads = Pick<DatabaseHandle, 'forClient'>;

/** Those of a download: a replica may answer them. */
export const readsOf = (database: DatabaseHandle): ClientReads => ({
  forClient: (clientId, work) => database.readClient(clientId, work),
});

/**
 * The same for what is read in several transactions, such as a download: the look is written down first, then none of them may write.
 * @throws client_not_found
 */
export const openInsideClient = async (database: DatabaseHandle, access: ClientAccess): Promise<ClientReads> => {
  await database.forClient(access.clientId, (db) => writeAccess(db, access));
  return {
    forClient: (clientId, work) => {
      if (clientId !== access.clientId) throw new Error('The look that was written down is into another client.');
      return database.forClient(clientId, async (db) => {
        await sql`set transaction read only`.execute(db);
        return work(db);
      });
    },
  };
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
