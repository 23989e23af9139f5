import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { withOwnDatabase } from '@breakwater/benchmarks/own-database.ts';
import { seedFindings } from '@breakwater/benchmarks/seed.ts';
import { checkRollups } from '@breakwater/core/findings/server/index.ts';
import { createDatabase } from '@breakwater/core/platform/server/database.ts';
import { migrate } from '@breakwater/host-server/postgres/migrate.ts';
import { createAppPool } from '@breakwater/host-server/postgres/pool.ts';
import pg from 'pg';
import { startExternalPostgres } from '../suites/machine.ts';
import { run } from '../suites/run.ts';

/** A dump of Debian's PostgreSQL, restored into the embedded one of another major version: every count is right, before and after a change. */
const FINDINGS = 20_000;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const must = async (program: string, args: string[]): Promise<void> => {
  const { code, output } = await run(program, args, { isQuiet: true });
  if (code !== 0) throw new Error(`${path.basename(program)} failed: ${output}`);
};

const checkCounts = async (url: string, clientId: string, when: string): Promise<void> => {
  const database = createDatabase(createAppPool(url));
  const differences = await checkRollups(database, clientId);
  await database.close();
  if (differences.length > 0) throw new Error(`${when}: ${JSON.stringify(differences.slice(0, 5))}`);
  say(`${when}: all counts equal the findings`);
};

const connected = async <T>(url: string, work: (owner: pg.Client) => Promise<T>): Promise<T> => {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  try {
    return await work(owner);
  } finally {
    await owner.end();
  }
};

const change = (url: string): Promise<void> =>
  connected(url, async (owner) => {
    await owner.query(
      `update findings set verdict = 'false_positive', priority = least(100, priority + 1) where severity = 2`,
    );
    await owner.query('delete from findings where severity = 0');
  });

const external = await startExternalPostgres();
const folder = await mkdtemp(path.join(os.tmpdir(), 'breakwater-dump-'));
const dump = path.join(folder, 'dump');
const bin = `/usr/lib/postgresql/${external.version}/bin`;
try {
  await migrate(external.url);
  const { clientId } = await connected(external.url, (owner) => seedFindings(owner, { findings: FINDINGS }));
  await change(external.url);
  await checkCounts(external.url, clientId, `PostgreSQL ${external.version}`);
  await must(path.join(bin, 'pg_dump'), ['--format=custom', '--file', dump, external.url]);
  await withOwnDatabase(async (owner, own) => {
    const { rows } = await owner.query('show server_version');
    // the role of the application belongs to the server and exists already; everything else comes from the dump
    await owner.query('create database restored');
    const url = own.replace(/\/[^/?]*(\?|$)/, '/restored$1');
    await must(path.join(bin, 'pg_restore'), ['--exit-on-error', '--no-owner', '--dbname', url, dump]);
    const applied = await migrate(url);
    if (applied.length > 0) throw new Error(`The restored database was not up to date: ${applied.join(', ')}`);
    const version = String(Object(rows[0]).server_version);
    await checkCounts(url, clientId, `restored into PostgreSQL ${version}`);
    await connected(url, (restored) => restored.query('analyze'));
    await change(url);
    await checkCounts(url, clientId, 'changed after it was restored');
  });
} finally {
  await external.stop();
  await rm(folder, { recursive: true, force: true });
}
