import pg from 'pg';

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

/** A connection of its own, limited by row-level security to one client. */
export const connectFor = async (
  { connectionString, options }: Pick<ImportConnection, 'connectionString' | 'options'>,
  clientId: string,
): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString, options, application_name: 'breakwater-import' });
  // a connection that is lost while idle is noticed by the next statement
  client.on('error', () => undefined);
  await client.connect();
  await client.query("select set_config('app.client_id', $1, false)", [clientId]);
  return client;
};
