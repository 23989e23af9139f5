import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { addStoredJobs } from '../jobs/stored-jobs.ts';
import { listSteps, migrate } from '../postgres/migrate.ts';
import {
  type BackupHeader,
  type BackupSummary,
  type BackupTable,
  readBackupFile,
  type StoredJob,
  type StoredSequence,
  verifyBackupFile,
} from './backup-file.ts';
import { stripTables } from './bare-tables.ts';
import { listTables } from './table-catalogue.ts';

/** A restore that was refused before anything was written. The message says why and what to do. */
export class RestoreError extends Error {
  override readonly name = 'RestoreError';
}

export interface RestoreOptions {
  /** Connection string of the owner of the database to fill. */
  url: string;
  file: string;
}

/** Rows of clients, or tables of something else. Migrated tables without an organisation are as good as empty. */
const checkEmpty = async (client: pg.Client): Promise<void> => {
  const { rows: tables } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`,
  );
  const names = new Set(tables.map(({ name }) => name));
  if (names.size === 0) return;
  const refusal =
    'The database is not empty, and nothing was changed. Name an empty one: another BREAKWATER_DATA_DIR, or a new database in DATABASE_URL.';
  if (!names.has('schema_migrations') || !names.has('clients')) throw new RestoreError(refusal);
  await client.query(`set app.identity = 'on'`);
  const { rowCount } = await client.query('select from clients limit 1');
  await client.query('reset app.identity');
  if (rowCount !== 0) throw new RestoreError(refusal);
};

/** Migrations that this Breakwater does not have, or has with another text. */
const checkKnown = async ({ migrations }: BackupHeader): Promise<void> => {
  const steps = new Map((await listSteps()).map((step) => [step.name, step]));
  const unknown = migrations.filter(({ name, sha256 }) => {
    const step = steps.get(name);
    return step === undefined || (!step.isRepeatable && step.sha256 !== sha256);
  });
  if (unknown.length === 0) return;
  throw new RestoreError(
    `The backup was made by a Breakwater that this one cannot follow: ${unknown.map(({ name }) => name).join(', ')}. ` +
      'Restore it with the release that made it, or a newer one.',
  );
};

/** An empty database that is newer than the backup could not take its rows. */
const checkNotNewer = async (client: pg.Client, { migrations }: BackupHeader): Promise<void> => {
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations');
  const known = new Set(migrations.map(({ name }) => name));
  const newer = rows.filter(({ name }) => !known.has(name));
  if (newer.length > 0) {
    throw new RestoreError(
      'The database is empty but newer than the backup, which then does not fit. Name one without any table.',
    );
  }
};

const fillTable = async (client: pg.Client, table: BackupTable, lines: PassThrough): Promise<number> => {
  const columns = table.columns.map((name) => pg.escapeIdentifier(name)).join(', ');
  const stream = client.query(copyFrom(`copy ${pg.escapeIdentifier(table.name)} (${columns}) from stdin`));
  lines.once('error', (error) => stream.destroy(error));
  lines.pipe(stream);
  await finished(stream);
  return stream.rowCount ?? 0;
};

const setSequences = async (client: pg.Client, sequences: readonly StoredSequence[]): Promise<void> => {
  for (const { name, last, isCalled } of sequences) {
    await client.query('select setval($1::regclass, $2::bigint, $3)', [
      `public.${pg.escapeIdentifier(name)}`,
      last,
      isCalled,
    ]);
  }
};

/** A table that is being filled. */
interface Filling {
  table: BackupTable;
  lines: PassThrough;
  done: Promise<number>;
}

const begin = (client: pg.Client, table: BackupTable): Filling => {
  const lines = new PassThrough();
  const done = fillTable(client, table, lines);
  // awaited at the end of the table, or by the write that waits for it
  done.catch(() => undefined);
  return { table, lines, done };
};

const push = async ({ lines, done }: Filling, data: Buffer): Promise<void> => {
  if (!lines.write(data)) await Promise.race([new Promise((resolve) => lines.once('drain', resolve)), done]);
};

const endTable = async ({ table, lines, done }: Filling, rows: number): Promise<void> => {
  lines.end();
  const filled = await done;
  if (filled !== rows) throw new Error(`Of ${rows} rows of ${table.name} the database took ${filled}.`);
};

/** @returns jobs that waited. */
const fillTables = async (client: pg.Client, file: string): Promise<StoredJob[]> => {
  const jobs: StoredJob[] = [];
  let filling: Filling | undefined;
  for await (const part of readBackupFile(file)) {
    if (part.kind === 'table') filling = begin(client, part.table);
    if (part.kind === 'data' && filling !== undefined) await push(filling, part.data);
    if (part.kind === 'table-end' && filling !== undefined) await endTable(filling, part.rows);
    if (part.kind === 'sequences') await setSequences(client, part.sequences);
    if (part.kind === 'jobs') jobs.push(...part.jobs);
  }
  return jobs;
};

/** Fills the empty tables in one transaction: all of the backup or nothing. */
const load = async (client: pg.Client, file: string): Promise<StoredJob[]> => {
  await client.query(
    `begin; set local timezone = 'UTC'; set local datestyle = 'ISO'; set local client_encoding = 'UTF8'`,
  );
  try {
    const tables = (await listTables(client)).map(({ name }) => pg.escapeIdentifier(name));
    const dress = await stripTables(client);
    // rows that migrations write themselves are in the backup as they had become
    await client.query(`truncate ${tables.join(', ')}`);
    const jobs = await fillTables(client, file);
    await dress();
    await client.query('commit');
    return jobs;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
};

/**
 * Fills an empty database from a backup: the tables as of the backup, its rows in one transaction, then the migrations since. The file is
 * read to its end first, so that a broken one changes nothing. @throws BackupFileError, RestoreError
 */
export const restoreBackup = async ({ url, file }: RestoreOptions): Promise<BackupSummary> => {
  const summary = await verifyBackupFile(file);
  await checkKnown(summary.header);
  const client = new pg.Client({ connectionString: url, application_name: 'breakwater-restore' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await checkEmpty(client);
    await migrate(url, new Set(summary.header.migrations.map(({ name }) => name)));
    await checkNotNewer(client, summary.header);
    const jobs = await load(client, file);
    await migrate(url);
    await addStoredJobs(url, jobs);
    await client.query('analyze');
    return summary;
  } finally {
    await client.end().catch(() => undefined);
  }
};
