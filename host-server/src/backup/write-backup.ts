import { rename, rm, stat } from 'node:fs/promises';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { readWaitingJobs } from '../jobs/stored-jobs.ts';
import { type BackupHeader, type BackupWriter, createBackupFile, verifyBackupFile } from './backup-file.ts';
import { type CopiedTable, listTables, readSequences } from './table-catalogue.ts';

/** What a backup became. */
export interface BackupResult {
  tables: number;
  rows: number;
  jobs: number;
  bytes: number;
}

export interface BackupOptions {
  /** Connection string of the owner of the tables. */
  url: string;
  file: string;
  /** The keys that open stored secrets, where they are to lie in the same file. */
  secretKeys?: readonly Buffer[] | undefined;
  /** Of one organisation alone, with what is the same for all. */
  clientId?: string | undefined;
}

const JOBS_A_PART = 1000;

const columnList = (columns: readonly string[]): string => columns.map((name) => pg.escapeIdentifier(name)).join(', ');

const copyRows = async (client: pg.Client, writer: BackupWriter, source: string): Promise<number> => {
  const stream = client.query(copyTo(`copy ${source} to stdout`));
  for await (const data of stream) await writer.write({ kind: 'data', data });
  return stream.rowCount ?? 0;
};

/** Where row-level security binds the owner too (a user of DATABASE_URL without more rights), each client is read by itself. */
const copyLimited = async (
  client: pg.Client,
  writer: BackupWriter,
  table: CopiedTable,
  clientIds: readonly string[],
): Promise<number> => {
  const select = `select ${columnList(table.columns)} from ${pg.escapeIdentifier(table.name)}`;
  if (!table.hasClient) {
    await client.query(`select set_config('app.client_id', '', true), set_config('app.identity', 'on', true)`);
    return copyRows(client, writer, `(${select})`);
  }
  let rows = 0;
  await client.query(`select set_config('app.identity', '', true)`);
  for (const id of clientIds) {
    await client.query(`select set_config('app.client_id', $1, true)`, [id]);
    rows += await copyRows(client, writer, `(${select} where client_id = ${pg.escapeLiteral(id)})`);
  }
  return rows;
};

/** The rows of one organisation; of a table of the platform, all. */
const copyOne = async (client: pg.Client, writer: BackupWriter, table: CopiedTable, clientId: string) => {
  const column = table.name === 'clients' ? 'id' : table.hasClient ? 'client_id' : undefined;
  const where = column === undefined ? '' : ` where ${column} = ${pg.escapeLiteral(clientId)}`;
  await client.query(`select set_config('app.client_id', $1, true), set_config('app.identity', $2, true)`, [
    ...[clientId, column === undefined ? 'on' : ''],
  ]);
  return copyRows(
    client,
    writer,
    `(select ${columnList(table.columns)} from ${pg.escapeIdentifier(table.name)}${where})`,
  );
};

interface Selection {
  clientIds: readonly string[];
  /** Only this one. */
  clientId: string | undefined;
}

const copyTable = (client: pg.Client, writer: BackupWriter, table: CopiedTable, { clientIds, clientId }: Selection) => {
  if (clientId !== undefined) return copyOne(client, writer, table, clientId);
  return table.isLimited
    ? copyLimited(client, writer, table, clientIds)
    : copyRows(client, writer, `${pg.escapeIdentifier(table.name)} (${columnList(table.columns)})`);
};

const listClientIds = async (client: pg.Client): Promise<string[]> => {
  await client.query(`select set_config('app.identity', 'on', true)`);
  const { rows } = await client.query<{ id: string }>('select id from clients order by id');
  return rows.map(({ id }) => id);
};

/** Ids of the keys that secrets are sealed with: a restore says which ones it needs. */
const listKeyIds = async (client: pg.Client, clientIds: readonly string[]): Promise<string[]> => {
  const ids = new Set<string>();
  for (const clientId of clientIds) {
    await client.query(`select set_config('app.client_id', $1, true)`, [clientId]);
    const { rows } = await client.query<{ key_id: string }>('select distinct key_id from vault where client_id = $1', [
      clientId,
    ]);
    for (const { key_id } of rows) ids.add(key_id);
  }
  return [...ids].sort();
};

const headerOf = async (
  client: pg.Client,
  clientIds: readonly string[],
  secretKeys: readonly Buffer[] | undefined,
): Promise<BackupHeader> => {
  const version = await client.query<{ server_version: string }>('show server_version');
  const migrations = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migrations order by name',
  );
  return {
    format: 'breakwater-backup',
    version: 1,
    createdAt: new Date().toISOString(),
    postgres: version.rows[0]?.server_version ?? '',
    migrations: migrations.rows,
    keyIds: await listKeyIds(client, clientIds),
    ...(secretKeys === undefined ? {} : { secretKeys: secretKeys.map((key) => key.toString('base64')) }),
  };
};

/** Everything of one moment, however long the reading takes and whatever is written meanwhile. */
const SNAPSHOT = 'begin isolation level repeatable read, read only';
/** Text that every version of PostgreSQL reads the same way. */
const PORTABLE = `set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set bytea_output = 'hex'; set client_encoding = 'UTF8'`;

const writeParts = async (client: pg.Client, writer: BackupWriter, options: BackupOptions): Promise<void> => {
  await client.query(PORTABLE);
  await client.query(SNAPSHOT);
  const { clientId } = options;
  const clientIds = clientId === undefined ? await listClientIds(client) : [clientId];
  await writer.write({ kind: 'header', header: await headerOf(client, clientIds, options.secretKeys) });
  const tables = await listTables(client);
  let total = 0;
  for (const table of tables) {
    await writer.write({ kind: 'table', table: { name: table.name, columns: table.columns } });
    const rows = await copyTable(client, writer, table, { clientIds, clientId });
    await writer.write({ kind: 'table-end', rows });
    total += rows;
  }
  await writer.write({ kind: 'sequences', sequences: await readSequences(client) });
  const jobs = (await readWaitingJobs(client)).filter(
    ({ data }) => clientId === undefined || Object(data).clientId === clientId,
  );
  for (let at = 0; at < jobs.length; at += JOBS_A_PART) {
    await writer.write({ kind: 'jobs', jobs: jobs.slice(at, at + JOBS_A_PART) });
  }
  await writer.write({ kind: 'end', tables: tables.length, rows: total });
};

/**
 * Writes all of the database into one file while the product runs, as it was at one moment, and reads the file back before it gets its name.
 * Secrets lie in it sealed; the key that opens them only where it was asked for. @throws where the file exists.
 */
export const writeBackup = async (options: BackupOptions): Promise<BackupResult> => {
  const { url, file } = options;
  if ((await stat(file).catch(() => undefined)) !== undefined) throw new Error(`${file} exists already.`);
  const unfinished = `${file}.part`;
  const writer = await createBackupFile(unfinished);
  const client = new pg.Client({ connectionString: url, application_name: 'breakwater-backup' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await writeParts(client, writer, options);
    await writer.close();
    const { tables, rows, jobs } = await verifyBackupFile(unfinished);
    await rename(unfinished, file);
    return { tables, rows, jobs, bytes: (await stat(file)).size };
  } catch (error) {
    writer.abort();
    await rm(unfinished, { force: true });
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
};
