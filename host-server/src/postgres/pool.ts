import pg from 'pg';
import { APP_ROLE } from './migrate.ts';

pg.types.setTypeParser(20, Number);

/** Connections that act as the application's role from their first statement on. */
export const createAppPool = (url: string, max = 10): pg.Pool =>
  new pg.Pool({
    connectionString: url,
    max,
    options: `-c role=${APP_ROLE} -c timezone=UTC`,
    application_name: 'breakwater',
  });

/** Connections of the owner: migrations and the job queue only. */
export const createOwnerPool = (url: string, max = 4): pg.Pool =>
  new pg.Pool({ connectionString: url, max, options: '-c timezone=UTC', application_name: 'breakwater-jobs' });
