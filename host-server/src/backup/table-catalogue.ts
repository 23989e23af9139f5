import type pg from 'pg';
import type { BackupTable, StoredSequence } from './backup-file.ts';

/** A table as it is copied: its name, and its columns without those that the database computes. */
export interface CopiedTable extends BackupTable {
  /** Its rows belong to clients. */
  hasClient: boolean;
  /** Row-level security binds whoever is asking: it sees the rows of one client at a time. */
  isLimited: boolean;
}

/** Our own tables. What says which migrations were applied is part of the header; the job queue makes its tables itself. */
const TABLES = `
  select c.relname as name, row_security_active(c.oid) as is_limited,
    array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns,
    bool_or(a.attname = 'client_id') as has_client
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'schema_migrations'
  group by c.oid, c.relname order by c.relname`;

/** The tables of the product, by name. */
export const listTables = async (client: pg.ClientBase): Promise<CopiedTable[]> => {
  const { rows } = await client.query<{ name: string; is_limited: boolean; columns: string[]; has_client: boolean }>(
    TABLES,
  );
  return rows.map((row) => ({
    name: row.name,
    columns: row.columns,
    hasClient: row.has_client,
    isLimited: row.is_limited,
  }));
};

const SEQUENCES = `
  select sequencename as name, coalesce(last_value, start_value)::text as last, last_value is not null as is_called
  from pg_sequences where schemaname = 'public' order by sequencename`;

/** How far the sequences are. Read after the tables: they know no transaction, so that none lags behind the rows. */
export const readSequences = async (client: pg.ClientBase): Promise<StoredSequence[]> => {
  const { rows } = await client.query<{ name: string; last: string; is_called: boolean }>(SEQUENCES);
  return rows.map(({ name, last, is_called }) => ({ name, last, isCalled: is_called }));
};
