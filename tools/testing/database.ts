import { randomUUID } from 'node:crypto';
import { createDatabase, type DatabaseHandle } from '@breakwater/core/platform/server/database.ts';
import { ensureAppLogin } from '@breakwater/host-server/postgres/app-login.ts';
import { createAppPool, createOwnerPool } from '@breakwater/host-server/postgres/pool.ts';
import pg from 'pg';
import { inject } from 'vitest';
import { TEMPLATE_DATABASE } from './global-setup.ts';

export interface TestDatabase {
  /** Connection string of the owner of this test's own database. */
  url: string;
  /** The same as the application logs in. */
  appUrl: string;
  /** Acts as the application's role, under row-level security. */
  database: DatabaseHandle;
  /** Acts as the owner, for looking behind the curtain. */
  owner: pg.Pool;
  drop(): Promise<void>;
}

/** A pool's end() answers before its last connections are gone; ending those by force would be an error nobody awaits. */
const waitForLastConnection = async (maintenance: pg.Client, name: string): Promise<void> => {
  // those that wait for the next import
  await maintenance.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'breakwater-import'`,
    [name],
  );
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const { rows } = await maintenance.query('select 1 from pg_stat_activity where datname = $1 limit 1', [name]);
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

/** A clone of the migrated template, for one test file. */
export const createTestDatabase = async (): Promise<TestDatabase> => {
  const server = inject('postgresUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const maintenance = new pg.Client({ connectionString: server });
  await maintenance.connect();
  // a tenth of the time of writing it to the log (910 files, 13 MB)
  await maintenance.query(`create database ${name} template ${TEMPLATE_DATABASE} strategy file_copy`);
  const url = server.replace(/\/[^/?]*(\?|$)/, `/${name}$1`);
  const { url: appUrl } = await ensureAppLogin(url);
  const pool = createAppPool(appUrl);
  const owner = createOwnerPool(url);
  const database = createDatabase(pool);
  return {
    url,
    appUrl,
    database,
    owner,
    drop: async () => {
      await database.close();
      await owner.end();
      await waitForLastConnection(maintenance, name);
      await maintenance.query(`drop database if exists ${name} with (force)`);
      await maintenance.end();
    },
  };
};
