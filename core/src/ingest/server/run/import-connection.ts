import pg from 'pg';

declare module 'pg' {
  /** Whether an open connection keeps the process running; missing in the types of the package. */
  interface ClientBase {
    ref(): void;
    unref(): void;
  }
}

/** How a worker reaches the database. Plain data, so that it can be handed to a thread. */
export interface ImportConnection {
  connectionString: string;
  /** PostgreSQL start-up options that make the session act as the application's role. */
  options: string;
  /** Folder of the embedded database, whose disk is watched. */
  dataDirectory?: string | undefined;
}

/** bigint columns hold ids that stay far below 2^53. */
const INT8 = 20;
pg.types.setTypeParser(INT8, Number);

/** For as long as the connection is open, or until another client is named. */
const limitTo = (client: pg.Client, clientId: string): Promise<unknown> =>
  client.query("select set_config('app.client_id', $1, false)", [clientId]);

/** A connection of its own, limited by row-level security to one client. */
export const connectFor = async (
  { connectionString, options }: Pick<ImportConnection, 'connectionString' | 'options'>,
  clientId: string,
): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString, options, application_name: 'breakwater-import' });
  // a connection that is lost while idle is noticed by the next statement
  client.on('error', () => undefined);
  await client.connect();
  await limitTo(client, clientId);
  return client;
};

/** `main` holds the lock of the scan and its one transaction; `side` reads the report and writes where the work stands. */
type Use = 'main' | 'side';

const SETTINGS: Readonly<Record<Use, string>> = {
  // with the default of 8 MB most of what is staged is written to files and read again
  main: "set temp_buffers = '64MB'; set client_connection_check_interval = '2s'",
  // what a crash of the database takes of the progress is done again
  side: 'set synchronous_commit = off',
};

interface Idle {
  client: pg.Client;
  timer: NodeJS.Timeout;
}

/** Connections of this thread that the import before this one left as they began, by what they are for. */
const idle = new Map<string, Idle[]>();
const IDLE_MS = 10_000;

/** @returns undefined where there is none that still answers. */
const takeIdle = async (key: string, clientId: string): Promise<pg.Client | undefined> => {
  for (let found = idle.get(key)?.pop(); found !== undefined; found = idle.get(key)?.pop()) {
    const { client, timer } = found;
    clearTimeout(timer);
    client.ref();
    try {
      await limitTo(client, clientId);
      return client;
    } catch {
      await client.end().catch(() => undefined);
    }
  }
  return undefined;
};

/** Nothing of the organisation is left in it but what PostgreSQL knows of the tables. */
const keepIdle = async (key: string, client: pg.Client): Promise<void> => {
  await client.query("select pg_advisory_unlock_all(), set_config('app.client_id', '', false)");
  const kept: Idle = {
    client,
    timer: setTimeout(() => {
      idle.set(key, idle.get(key)?.filter((one) => one !== kept) ?? []);
      void client.end().catch(() => undefined);
    }, IDLE_MS).unref(),
  };
  client.unref();
  idle.set(key, [...(idle.get(key) ?? []), kept]);
};

export interface LentConnection {
  client: pg.Client;
  /** @param isClean whether no transaction of it failed: then the next import of this thread goes on with it, else it is ended. */
  giveBack(isClean: boolean): Promise<void>;
}

/**
 * A connection for one import, limited by row-level security to one client. A new one takes 40 ms until it knows the tables,
 * and the two of an import are a quarter of the processor time of a small report, so they are kept for ten seconds.
 */
export const lendConnection = async (
  connection: Pick<ImportConnection, 'connectionString' | 'options'>,
  clientId: string,
  use: Use,
): Promise<LentConnection> => {
  const key = JSON.stringify([use, connection.connectionString, connection.options]);
  let client = await takeIdle(key, clientId);
  if (client === undefined) {
    client = await connectFor(connection, clientId);
    await client.query(SETTINGS[use]);
  }
  const lent = client;
  return {
    client: lent,
    giveBack: (isClean) => (isClean ? keepIdle(key, lent).catch(() => lent.end()) : lent.end()),
  };
};
