import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { createGzip } from 'node:zlib';
import { sql } from 'kysely';
import type { DatabaseHandle, Db } from '../../platform/server/database.ts';
import { listTenantTables } from './delete-organization.ts';

const BATCH = 500;

/** What opens something: sealed or hashed, it is of no use to whoever reads the file, and of some to whoever finds it. */
const SECRET_TABLES: ReadonlySet<string> = new Set([
  ...['vault', 'sessions', 'recovery_codes', 'sign_in_tickets', 'account_links', 'oauth_states', 'connection_store'],
  ...['single_sign_on_requests', 'single_sign_on_assertions', 'connection_deliveries', 'report_chunks'],
]);
const SECRET_COLUMN = /password|token_hash|hook_token|secret|_lease$|^claimed_until$|two_factor_step/;

interface Column {
  name: string;
  type: string;
}

/** Columns that are written: no secrets, and no bytes, which are digests and raw reports. */
const readColumns = async (db: Db, table: string): Promise<string[]> => {
  const { rows } = await sql<Column>`
    select a.attname as name, format_type(a.atttypid, a.atttypmod) as type from pg_attribute a
    where a.attrelid = ${`public.${table}`}::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum`.execute(
    db,
  );
  return rows.filter(({ name, type }) => type !== 'bytea' && !SECRET_COLUMN.test(name)).map(({ name }) => name);
};

/** Rows of one table by a cursor of the database, some at a time. */
async function* rowsOf(db: Db, table: string, clientId: string): AsyncGenerator<string[]> {
  const columns = await readColumns(db, table);
  const key = sql.ref(table === 'clients' ? 'id' : 'client_id');
  // a cursor takes no parameters: the id is one of ours
  await sql`
    declare exported no scroll cursor for
    select to_jsonb(r)::text as row from (select ${sql.join(columns.map((name) => sql.ref(name)))} from ${sql.table(table)}
      where ${key} = ${sql.lit(clientId)}) r`.execute(db);
  for (;;) {
    const { rows } = await sql<{ row: string }>`fetch forward ${sql.lit(BATCH)} from exported`.execute(db);
    if (rows.length === 0) break;
    yield rows.map(({ row }) => row);
  }
  await sql`close exported`.execute(db);
}

async function* documentOf(db: Db, clientId: string): AsyncGenerator<string> {
  const now = JSON.stringify(new Date().toISOString());
  yield `{"format":"breakwater-organization","version":1,"created_at":${now},"tables":{`;
  let separator = '\n';
  const tables = (await listTenantTables(db)).filter((name) => !SECRET_TABLES.has(name));
  for (const table of ['clients', ...tables]) {
    yield `${separator}${JSON.stringify(table)}:[`;
    separator = ',\n';
    let between = '\n';
    for await (const rows of rowsOf(db, table, clientId)) {
      yield between + rows.join(',\n');
      between = ',\n';
    }
    yield ']';
  }
  yield '\n}}\n';
}

/**
 * All rows of an organisation as JSON by table, packed with gzip, read in one transaction while it is sent. A reader that goes away ends it.
 */
export const exportOwnOrganization = (
  database: DatabaseHandle,
  { clientId, signal }: { clientId: string; signal: AbortSignal },
): AsyncIterable<Uint8Array> => {
  const text = new PassThrough();
  const packed = text.pipe(createGzip());
  const stop = () => text.destroy(new Error('The reader of the export went away.'));
  signal.addEventListener('abort', stop, { once: true });
  database
    .forClient(clientId, async (db) => {
      await sql`set transaction read only`.execute(db);
      for await (const piece of documentOf(db, clientId)) {
        signal.throwIfAborted();
        if (!text.write(piece)) await once(text, 'drain', { signal });
      }
    })
    .then(
      () => text.end(),
      (error: unknown) => packed.destroy(error instanceof Error ? error : new Error('The export broke off.')),
    )
    .finally(() => signal.removeEventListener('abort', stop));
  text.on('error', () => undefined);
  return packed;
};
