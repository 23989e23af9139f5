import { randomUUID } from 'node:crypto';
import { createDatabase, type DatabaseHandle } from '@breakwater/core/platform/server/database.ts';
import { createAppPool, createOwnerPool } from '@breakwater/host-server/postgres/pool.ts';
import pg from 'pg';
import { inject } from 'vitest';
import { TEMPLATE_DATABASE } from './global-setup.ts';

export interface TestDatabase {
  /** Connection string of the owner of this test's own database. */
  url: string;
  /** Acts as the application's role, under row-level security. */
  database: DatabaseHandle;
  /** Acts as the owner, for looking behind the curtain. */
  owner: pg.Pool;
  drop(): Promise<void>;
}

/** A clone of the migrated template, for one test file. */
export const createTestDatabase = async (): Promise<TestDatabase> => {
  const server = inject('postgresUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const maintenance = new pg.Client({ connectionString: server });
  await maintenance.connect();
  await maintenance.query(`create database ${name} template ${TEMPLATE_DATABASE} strategy wal_log`);
  const url = server.replace(/\/[^/?]*(\?|$)/, `/${name}$1`);
  const pool = createAppPool(url);
  const owner = createOwnerPool(url);
  const database = createDatabase(pool);
  return {
    url,
    database,
    owner,
    drop: async () => {
      await database.close();
      await owner.end();
      await maintenance.query(`drop database if exists ${name} with (force)`);
      await maintenance.end();
    },
  };
};
