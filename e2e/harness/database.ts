import { randomUUID } from 'node:crypto';
import type { Role } from '@breakwater/core/platform/model/permissions.ts';
import { hashPassword } from '@breakwater/core/session/server/index.ts';
import pg from 'pg';
import { cloneTemplate, type Template } from './templates.ts';

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
