import { cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@breakwater/host-server/postgres/embedded.ts';
import pg from 'pg';
import { emptyFolder, removeFolder } from './server.ts';

/** A PostgreSQL that one test has for itself, because it does to it what others would notice. */
export interface OwnPostgres {
  /** Folder of its sockets. */
  sockets: string;
  /** Address of a database of it, as its owner. */
  url(database: string): string;
  /** The rows of the last statement. */
  query(text: string, database?: string): Promise<Record<string, unknown>[]>;
  /** A streaming replica of it, as it stands now. */
  startReplica(): Promise<OwnPostgres>;
  stop(): Promise<void>;
}

/** Asks one address once. Several statements in one text are allowed; the rows are those of the last. */
export const ask = async (url: string, text: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const results: unknown = await client.query(text);
    return Object(Array.isArray(results) ? results.at(-1) : results).rows ?? [];
  } finally {
    await client.end();
  }
};

const socketsOf = ({ url }: EmbeddedPostgres): string => decodeURIComponent(url.replace(/^.*host=/, ''));

/** What it says itself is of no interest, unless it would not stop. */
const log = (line: string): void => {
  if (/did not stop/.test(line)) process.stderr.write(`${line}\n`);
};

/** A base backup by PostgreSQL's own functions: the embedded one ships without pg_basebackup. */
const copyData = async (primary: EmbeddedPostgres, from: string, to: string): Promise<void> => {
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  try {
    await client.query(`select pg_backup_start('replica', true)`);
    const isKept = (file: string): boolean => !['postmaster.pid', 'postmaster.opts'].includes(path.basename(file));
    await cp(from, to, { recursive: true, filter: isKept });
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    await writeFile(path.join(to, 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
  await writeFile(path.join(to, 'standby.signal'), '');
  await writeFile(
    path.join(to, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${socketsOf(primary)} user=breakwater'\n`,
  );
};

const wrap = (server: EmbeddedPostgres, folder: string): OwnPostgres => {
  const url = (database: string): string => server.url.replace('/postgres?', `/${database}?`);
  return {
    sockets: socketsOf(server),
    url,
    query: (text, database = 'breakwater') => ask(url(database), text),
    startReplica: async () => {
      const copy = await emptyFolder();
      await copyData(server, path.join(folder, 'postgres'), path.join(copy, 'postgres'));
      return wrap(await startEmbeddedPostgres({ dataDirectory: copy, log }), copy);
    },
    stop: async () => {
      await server.stop();
      await removeFolder(folder);
    },
  };
};

/**
 * Starts it in a new folder, with a database `breakwater`.
 * @param isDurable whether what is committed is on the disk.
 * @param isLogical whether changes may be sent to other databases by logical replication.
 */
export const startOwnPostgres = async ({ isDurable = false, isLogical = false } = {}): Promise<OwnPostgres> => {
  const folder = await emptyFolder();
  const start = (): Promise<EmbeddedPostgres> => startEmbeddedPostgres({ dataDirectory: folder, isDurable, log });
  let server = await start();
  await ask(server.url, 'create database breakwater');
  if (isLogical) {
    await ask(server.url, 'alter system set wal_level = logical');
    await server.stop();
    server = await start();
  }
  return wrap(server, folder);
};
