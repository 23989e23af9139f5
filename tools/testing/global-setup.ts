import { chmod, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { startJobQueue } from '@breakwater/host-server/jobs/pg-boss-queue.ts';
import { createLogger } from '@breakwater/host-server/logger.ts';
import { startEmbeddedPostgres } from '@breakwater/host-server/postgres/embedded.ts';
import { migrate } from '@breakwater/host-server/postgres/migrate.ts';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { scratchFolder } from './scratch-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the test server's owner; the database named there is the maintenance one. */
    postgresUrl: string;
    /** Every sample report is imported, which takes minutes; else two for each tool. */
    importsAllSamples: boolean;
  }
}

export const TEMPLATE_DATABASE = 'breakwater_template';

/**
 * What is written is read by nobody but the tests of this run, whose databases live for seconds: no log that another server could
 * follow, and nobody who looks for rows to clear away.
 */
const SETTINGS = {
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '512MB',
  wal_compression: 'off',
  autovacuum: 'off',
};

const withDatabase = (url: string, database: string): string => url.replace(/\/[^/?]*(\?|$)/, `/${database}$1`);

const prepareTemplate = async (url: string): Promise<void> => {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  await owner.query(`drop database if exists ${TEMPLATE_DATABASE} with (force)`);
  await owner.query(`create database ${TEMPLATE_DATABASE}`);
  await owner.end();
  const template = withDatabase(url, TEMPLATE_DATABASE);
  await migrate(template);
  // The tables of the queue are part of the template, so that no server of a test has to install them.
  const queue = await startJobQueue({ url: template, log: createLogger('silent') });
  await queue.stop();
};

/** One server and one migrated template per run; each test file clones the template. `TEST_DATABASE_URL` names an outside server instead. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const outside = process.env['TEST_DATABASE_URL'];
  if (outside !== undefined && outside !== '') {
    await prepareTemplate(outside);
    project.provide('postgresUrl', outside);
    return async () => undefined;
  }
  const folder = await mkdtemp(path.join(await scratchFolder(), 'breakwater-test-'));
  await chmod(folder, 0o755);
  const server = await startEmbeddedPostgres({ dataDirectory: folder, isDurable: false, settings: SETTINGS });
  await prepareTemplate(server.url);
  project.provide('postgresUrl', server.url);
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
};
