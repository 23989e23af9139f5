import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { APP_ROLE, type DatabaseHandle } from '@breakwater/core/platform/server/database.ts';
import { sql } from 'kysely';
import pg from 'pg';

const SCHEMA = new URL('../../../core/schema/', import.meta.url);
const MIGRATIONS = new URL('../../../core/migrations/', import.meta.url);
const LOCK_KEY = 0x62726561;

/** The files of the baseline, in the order in which they need each other. */
const BASELINE_FILES = [
  'base.sql',
  'identity.sql',
  'repositories.sql',
  'scans.sql',
  'findings.sql',
  'aggregates.sql',
  'connectors.sql',
  'sbom.sql',
  'prioritisation.sql',
  'jobs.sql',
  'notifications.sql',
] as const;
const BASELINE = 'baseline';
/** Applied again whenever its text has changed. */
const ROLLUPS = 'rollups.sql';

/** A database that this code cannot bring up to date. The message says what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

const ensureAppRole = async (client: pg.Client): Promise<void> => {
  const known = await client.query('select 1 from pg_roles where rolname = $1', [APP_ROLE]);
  if (known.rowCount === 0) await client.query(`create role ${APP_ROLE} nologin`);
  const member = await client.query<{ is_member: boolean }>(
    `select pg_has_role(current_user, $1, 'member') as is_member`,
    [APP_ROLE],
  );
  if (member.rows[0]?.is_member !== true) await client.query(`grant ${APP_ROLE} to current_user`);
};

const listMigrations = async (): Promise<string[]> =>
  (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort();

/** Whether the database is at least as new as this code. @throws with what is missing. */
export const checkMigrations = async (database: DatabaseHandle): Promise<void> => {
  const done = await database.forPlatform((db) =>
    sql<{ name: string }>`select name from schema_migrations`.execute(db),
  );
  const known = new Set(done.rows.map((row) => row.name));
  const missing = [BASELINE, ...(await listMigrations()), ROLLUPS].filter((name) => !known.has(name));
  if (missing.length > 0) throw new Error(`Migrations are missing: ${missing.join(', ')}`);
};

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

interface Step {
  name: string;
  text: string;
  isRepeatable: boolean;
}

const readSteps = async (): Promise<Step[]> => {
  const baseline = await Promise.all(BASELINE_FILES.map((name) => readFile(new URL(name, SCHEMA), 'utf8')));
  const migrations = (await listMigrations()).map(async (name) => ({
    name,
    text: await readFile(new URL(name, MIGRATIONS), 'utf8'),
    isRepeatable: false,
  }));
  return [
    { name: BASELINE, text: baseline.join('\n'), isRepeatable: false },
    ...(await Promise.all(migrations)),
    { name: ROLLUPS, text: await readFile(new URL(ROLLUPS, SCHEMA), 'utf8'), isRepeatable: true },
  ];
};

const refuseOtherBaseline = (known: ReadonlyMap<string, string>, sha256: string): void => {
  const isUnknown = known.size > 0 && !known.has(BASELINE);
  if (!isUnknown && (known.get(BASELINE) ?? sha256) === sha256) return;
  throw new MigrationError(
    'This database was made by a development version of Breakwater that no release can read. Delete the data folder ' +
      '(or name an empty database in DATABASE_URL), start again and upload the reports anew.',
  );
};

const apply = async (client: pg.Client, { name, text }: Step, sha256: string): Promise<void> => {
  await client.query('begin');
  try {
    await client.query(text);
    await client.query(
      `insert into schema_migrations (name, sha256) values ($1, $2)
       on conflict (name) do update set sha256 = excluded.sha256, applied_at = now()`,
      [name, sha256],
    );
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`Migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
};

/** All that this code applies to an empty database, in order, with the digest of its text. */
export const listSteps = async (): Promise<(Pick<Step, 'name' | 'isRepeatable'> & { sha256: string })[]> =>
  (await readSteps()).map(({ name, text, isRepeatable }) => ({ name, isRepeatable, sha256: digestOf(text) }));

const applySteps = async (client: pg.Client, only: ReadonlySet<string> | undefined): Promise<string[]> => {
  await client.query(
    'create table if not exists schema_migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
  );
  // requests may look how new the tables are, and never say so themselves
  await client.query(`grant select on schema_migrations to ${APP_ROLE}`);
  const done = await client.query<{ name: string; sha256: string }>('select name, sha256 from schema_migrations');
  const known = new Map(done.rows.map((row) => [row.name, row.sha256]));
  const applied: string[] = [];
  for (const step of await readSteps()) {
    // triggers and views come once the rows are in
    if (only !== undefined && (step.isRepeatable || !only.has(step.name))) continue;
    const sha256 = digestOf(step.text);
    if (step.name === BASELINE) refuseOtherBaseline(known, sha256);
    const before = known.get(step.name);
    if (before === sha256) continue;
    if (before !== undefined && !step.isRepeatable)
      throw new MigrationError(
        `Migration ${step.name} was changed after it had been applied. Add a new migration instead.`,
      );
    await apply(client, step, sha256);
    applied.push(step.name);
  }
  return applied;
};

/**
 * Brings the tables up to date, one process at a time, each step in one transaction: the baseline (core/schema), the migrations since
 * (core/migrations), and rollups.sql where it has changed. @throws MigrationError for a database of before the baseline, and for a
 * migration that was changed after it had been applied.
 * @param only of the steps, those that a backup has, without rollups.sql.
 */
export const migrate = async (url: string, only?: ReadonlySet<string>): Promise<string[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    await ensureAppRole(client);
    return await applySteps(client, only);
  } finally {
    await client.end();
  }
};
