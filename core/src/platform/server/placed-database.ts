import { sql } from 'kysely';
import type pg from 'pg';
import { AppError } from '../model/app-error.ts';
import { ACT_AS_APP, createDatabase, type DatabaseHandle } from './database.ts';

/** Name of the database that knows where every client is, and has the clients of which it says nothing. */
export const MAIN_DATABASE = 'main';

interface PlacementsTable {
  client_id: string;
  database: string;
  changed_at: Date;
  left_digest: string | null;
}

declare module './database.ts' {
  interface Database {
    placements: PlacementsTable;
  }
}

/** What `enter_client` raises where the rows are in another database. */
const PLACED_ELSEWHERE = 'BW001';
/** Between the last commit in one database and the first in the other lie milliseconds; a move that broke off there is finished by hand. */
const MAX_WAIT_MS = 15_000;
const PAUSE_MS = 20;

const isPlacedElsewhere = (error: unknown): boolean => Object(error).code === PLACED_ELSEWHERE;

const openNamed = (name: string, pool: pg.Pool): DatabaseHandle =>
  createDatabase(pool, undefined, (clientId) => sql`${ACT_AS_APP}, enter_client(${clientId}, ${name})`);

/**
 * Several databases as one handle: a transaction of a client runs where the client is placed, all others in `main`. Placements are kept in
 * memory and never trusted: each transaction asks the database itself by the statement that it begins with anyway, and is begun
 * anew elsewhere where the client has been moved. While a move switches, transactions of that client wait. Reads run where writes do: a
 * replica knows nothing of the lock.
 * @param pools by name, `main` among them. @throws where `main` is missing
 */
export const createPlacedDatabase = (pools: ReadonlyMap<string, pg.Pool>): DatabaseHandle => {
  const databases = new Map([...pools].map(([name, pool]) => [name, openNamed(name, pool)]));
  const main = databases.get(MAIN_DATABASE);
  if (main === undefined) throw new Error(`Of several databases one is named "${MAIN_DATABASE}".`);
  const placements = new Map<string, string>();
  const placementOf = async (clientId: string): Promise<string> => {
    const known = placements.get(clientId);
    if (known !== undefined) return known;
    const found = await main.forIdentity((db) =>
      db.selectFrom('placements').select('database').where('client_id', '=', clientId).executeTakeFirst(),
    );
    const name = found?.database ?? MAIN_DATABASE;
    placements.set(clientId, name);
    return name;
  };
  const forClient: DatabaseHandle['forClient'] = async (clientId, work) => {
    for (const deadline = Date.now() + MAX_WAIT_MS; ; ) {
      const name = await placementOf(clientId);
      const database = databases.get(name);
      try {
        if (database !== undefined) return await database.forClient(clientId, work);
      } catch (error) {
        if (!isPlacedElsewhere(error)) throw error;
        if (Date.now() > deadline)
          throw new AppError('unavailable', undefined, { cause: error, isRetryable: true, retryAfterSeconds: 2 });
      }
      placements.delete(clientId);
      if (database === undefined)
        throw new Error(`An organisation is placed in the database "${name}", which this process does not know.`);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  return {
    forClient,
    readClient: forClient,
    forIdentity: main.forIdentity,
    forPlatform: main.forPlatform,
    ping: async () => void (await Promise.all([...databases.values()].map((database) => database.ping()))),
    close: async () => void (await Promise.all([...databases.values()].map((database) => database.close()))),
  };
};
