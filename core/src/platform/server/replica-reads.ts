import { type Kysely, sql, type Transaction } from 'kysely';
import { AppError } from '../model/app-error.ts';

/**
 * Where a read ran, and why: on the replica, or on the primary because the replica had not replayed enough (`behind`), could not be reached
 * (`away`) or did not do the work (`refused`: it writes, or was in the way of what is replayed).
 */
export type ReadPlace = 'replica' | 'behind' | 'away' | 'refused';

export interface ReplicaOptions<Tables> {
  primary: Kysely<Tables>;
  replica: Kysely<Tables>;
  /** Told of each read. */
  onRead(place: ReadPlace, error?: unknown): void;
}

/** Longest wait for what is on its way: replaying takes milliseconds. */
const WAIT_MS = 100;
const POLL_MS = 5;
/** So long nobody asks a replica that was behind or away: readers would wait one after the other for nothing. */
const REST_MS = 500;

/** Where the primary stands: everything that was committed until now lies before it. */
interface Position {
  lsn: string;
  timeline: string;
  system: string;
}

const positionOf = async <Tables>(primary: Kysely<Tables>): Promise<Position> => {
  const { rows } = await sql<Position>`
    select pg_current_wal_insert_lsn()::text as lsn, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as timeline,
      system_identifier::text as system from pg_control_system()`.execute(primary);
  const [position] = rows;
  if (position === undefined) throw new Error('The primary does not say where it stands.');
  return position;
};

/** A replica of another server, or one that was left on an older timeline by a fail-over, may have a later position and other rows. */
const hasReached = async <Tables>(db: Transaction<Tables>, { lsn, timeline, system }: Position): Promise<boolean> => {
  const { rows } = await sql<{ has_reached: boolean | null }>`
    select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn and s.system_identifier::text = ${system}
      and upper(lpad(to_hex(c.timeline_id), 8, '0')) = ${timeline} as has_reached
    from pg_control_system() s, pg_control_checkpoint() c`.execute(db);
  return rows[0]?.has_reached === true;
};

class Behind extends Error {}

const untilReached = async <Tables>(db: Transaction<Tables>, position: Position): Promise<void> => {
  for (const deadline = Date.now() + WAIT_MS; !(await hasReached(db, position)); ) {
    if (Date.now() > deadline) throw new Behind('The replica has not replayed what was committed.'); // no text: of the log
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
};

/** An error that PostgreSQL raised for a statement; what breaks a connection has another code, or none. */
const isOfStatement = (error: unknown): boolean => {
  const code: unknown = Object(error).code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^(?:08|53|57|28|58|XX)/.test(code);
};

/**
 * Reads on a replica that has everything committed before the read began. The primary is asked for its position each time: it is the one
 * place on which all processes agree, and whoever wrote, in whichever tab, process or job, is covered without having to be known.
 */
export const createReplicaReads = <Tables>({ primary, replica, onRead }: ReplicaOptions<Tables>) => {
  let restUntil = 0;
  const rest = (place: ReadPlace, error: unknown): void => {
    restUntil = Date.now() + REST_MS;
    onRead(place, error);
  };

  /**
   * @param work may be begun here and done again there: it only reads.
   * @returns nothing where the primary has to answer. @throws AppError of the work
   */
  return async <T>(
    begin: (db: Transaction<Tables>) => Promise<unknown>,
    work: (db: Transaction<Tables>) => Promise<T>,
  ) => {
    if (Date.now() < restUntil) {
      onRead('behind');
      return undefined;
    }
    const position = await positionOf(primary);
    try {
      const value = await replica.transaction().execute(async (db) => {
        await begin(db);
        await untilReached(db, position);
        return work(db);
      });
      onRead('replica');
      return { value };
    } catch (error) {
      if (error instanceof AppError) {
        onRead('replica');
        throw error;
      }
      if (error instanceof Behind) rest('behind', error);
      else if (isOfStatement(error)) onRead('refused', error);
      else rest('away', error);
      return undefined;
    }
  };
};
