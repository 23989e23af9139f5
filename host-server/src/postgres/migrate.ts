import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';

/** Role that requests act as. It owns no table, so row-level security binds it. */
export const APP_ROLE = 'breakwater_app';

const MIGRATIONS = new URL('../../../core/migrations/', import.meta.url);
const LOCK_KEY = 0x62726561;

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
export const checkMigrations = async (pool: pg.Pool): Promise<void> => {
  const done = await pool.query<{ name: string }>('select name from schema_migrations');
  const known = new Set(done.rows.map((row) => row.name));
  const missing = (await listMigrations()).filter((name) => !known.has(name));
  if (missing.length > 0) throw new Error(`Migrations are missing: ${missing.join(', ')}`);
};

/** Applies what is missing, each file in one transaction, one process at a time. A file that changed after it was applied is refused. */
export const migrate = async (url: string): Promise<string[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const applied: string[] = [];
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    await ensureAppRole(client);
    await client.query(
      'create table if not exists schema_migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
    );
    const done = await client.query<{ name: string; sha256: string }>('select name, sha256 from schema_migrations');
    const known = new Map(done.rows.map((row) => [row.name, row.sha256]));
    for (const name of await listMigrations()) {
      const text = await readFile(new URL(name, MIGRATIONS), 'utf8');
      const sha256 = createHash('sha256').update(text).digest('hex');
      const before = known.get(name);
      if (before === sha256) continue;
      if (before !== undefined)
        throw new Error(`Migration ${name} was changed after it had been applied. Add a new migration instead.`);
      await client.query('begin');
      try {
        await client.query(text);
        await client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [name, sha256]);
        await client.query('commit');
      } catch (error) {
        await client.query('rollback');
        throw new Error(`Migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        });
      }
      applied.push(name);
    }
    // requests may look how new the tables are, and never say so themselves
    if (applied.length > 0) await client.query(`revoke insert, update, delete on schema_migrations from ${APP_ROLE}`);
  } finally {
    await client.end();
  }
  return applied;
};
