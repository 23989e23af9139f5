import { randomUUID } from 'node:crypto';
import type { Role } from '@breakwater/core/platform/model/permissions.ts';
import { hashPassword } from '@breakwater/core/session/server/index.ts';
import pg from 'pg';
import { inject } from 'vitest';
import { TEMPLATE_DATABASE } from '../../tools/testing/global-setup.ts';

export const PASSWORD = 'Tidal-Wave-42!';

export interface OutsideDatabase {
  /** For DATABASE_URL. */
  url: string;
  /** Puts a user into the only organisation, as an invitation will once there is one. @returns username; the password is PASSWORD. */
  addUser(role: Role): Promise<{ id: string; username: string }>;
  query(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

/** A database outside the server, so that a journey can look behind the curtain and prepare what no screen offers yet. */
export const openDatabase = async (template: Template): Promise<OutsideDatabase> => {
  const { url, drop } = await cloneTemplate(template);
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  pool.on('error', () => undefined);
  const query = async (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
    (await pool.query(text, values)).rows;
  return {
    url,
    query,
    addUser: async (role) => {
      const username = `${role}-${randomUUID().slice(0, 8)}`;
      const rows = await query(
        `insert into users (client_id, email, username, password_hash, role)
         select id, $1 || '@harbour.example', $1, $2, $3 from clients order by account_setup_at limit 1 returning id`,
        [username, await hashPassword(PASSWORD), role],
      );
      return { id: String(rows[0]?.['id']), username };
    },
    stop: async () => {
      await pool.end();
      await drop();
    },
  };
};

/** A database that journeys clone: made of `base` by `prepare`, once a run, by whoever needs it first. */
export interface Template {
  name: string;
  base?: Template;
  /** Leaves no connection behind. @param url connection string of the owner. */
  prepare(url: string): Promise<void>;
}

const PATIENCE = 500;

const urlOf = (name: string): string => inject('postgresUrl').replace(/\/[^/?]*(\?|$)/, `/${name}$1`);

/** A process that ended is still known to PostgreSQL for a moment, and what somebody is connected to cannot be copied. */
const untilNobodyIsIn = async (maintenance: pg.Client, name: string): Promise<void> => {
  for (let attempt = 0; attempt < PATIENCE; attempt += 1) {
    const { rows } = await maintenance.query('select 1 from pg_stat_activity where datname = $1 limit 1', [name]);
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

const copy = async (maintenance: pg.Client, from: string, to: string): Promise<void> => {
  await untilNobodyIsIn(maintenance, from);
  // 0.1 s for 50 MB, where writing it to the log takes 2.5 s
  await maintenance.query(`create database ${to} template ${from} strategy file_copy`);
};

const ensure = async (maintenance: pg.Client, template: Template): Promise<void> => {
  const { rows } = await maintenance.query('select 1 from pg_database where datname = $1', [template.name]);
  if (rows.length > 0) return;
  if (template.base !== undefined) await ensure(maintenance, template.base);
  const draft = `${template.name}_draft`;
  await maintenance.query(`drop database if exists ${draft} with (force)`);
  await copy(maintenance, template.base?.name ?? TEMPLATE_DATABASE, draft);
  await template.prepare(urlOf(draft));
  await untilNobodyIsIn(maintenance, draft);
  await maintenance.query(`alter database ${draft} rename to ${template.name}`);
};

/** A clone on the server that all journeys share. @returns connection string of the owner, and what drops it. */
export const cloneTemplate = async (template: Template): Promise<{ url: string; drop(): Promise<void> }> => {
  const maintenance = new pg.Client({ connectionString: inject('postgresUrl') });
  // Stopping the server ends this connection; that is not caused by a journey.
  maintenance.on('error', () => undefined);
  await maintenance.connect();
  const name = `journey_${crypto.randomUUID().replaceAll('-', '')}`;
  await maintenance.query(`select pg_advisory_lock(hashtext('templates of the journeys'))`);
  try {
    await ensure(maintenance, template);
    await copy(maintenance, template.name, name);
    await maintenance.query('select pg_advisory_unlock_all()');
  } catch (error) {
    // the lock goes with the connection, or every other journey would wait
    await maintenance.end();
    throw error;
  }
  return {
    url: urlOf(name),
    drop: async () => {
      await maintenance.query(`drop database ${name} with (force)`);
      await maintenance.end();
    },
  };
};

/** Another organisation, with an admin whose password is PASSWORD. @returns the admin's name */
export const addOrganization = async (database: OutsideDatabase, name: string): Promise<string> => {
  const { username, id } = await database.addUser('admin');
  await database.query(
    `with made as (insert into clients (organization_name) values ($2) returning id)
     update users set client_id = made.id from made where users.id = $1`,
    [id, name],
  );
  return username;
};
