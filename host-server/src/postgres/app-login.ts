import { createHmac } from 'node:crypto';
import { APP_ROLE } from '@breakwater/core/platform/server/database.ts';
import pg from 'pg';
import { appConnection } from './pool.ts';

/** Serialises the processes that start at once on one server. */
const LOCK_KEY = 0x6c6f6769;
/** Codes for a login that is refused: wrong password, no entry in pg_hba.conf; PgBouncer has one for all. */
const REFUSED = new Set(['28P01', '28000', '08P01']);

export interface AppLogin {
  /** Connection string of the application's pool. */
  url: string;
  /** Why the pool had to log in as the owner; nothing where it has a login of its own. */
  reason: string | undefined;
  /** Whether that owner is a superuser: then the operator should know. */
  isSuperuser: boolean;
}

interface Owner {
  name: string;
  is_superuser: boolean;
}

const URL_PARTS = /^(postgres(?:ql)?:\/\/)(?:([^/?#@]*)@)?(.*)$/;

const withUser = (url: string, user: string, password: string | undefined): string => {
  const [, scheme = '', , rest = ''] = URL_PARTS.exec(url) ?? [];
  const secret = password === undefined ? '' : `:${encodeURIComponent(password)}`;
  return `${scheme}${encodeURIComponent(user)}${secret}@${rest}`;
};

/** The address with the user and password of another one. */
export const withLoginOf = (url: string, other: string): string => {
  const [, scheme = '', , rest = ''] = URL_PARTS.exec(url) ?? [];
  const login = URL_PARTS.exec(other)?.[2];
  return login === undefined ? url : `${scheme}${login}@${rest}`;
};

const passwordOf = (url: string): string | undefined => {
  const [, secret] = (URL_PARTS.exec(url)?.[2] ?? '').split(':', 2);
  return secret === undefined || secret === '' ? undefined : decodeURIComponent(secret);
};

/** From the owner's own password, so that all processes with one DATABASE_URL have the same, and nothing more is to be kept. */
const derivedPassword = (ownerPassword: string | undefined, user: string): string | undefined =>
  ownerPassword === undefined
    ? undefined
    : createHmac('sha256', ownerPassword).update(`breakwater application login ${user}`).digest('base64url');

/** A connection for as long as `work` takes. */
export const withClient = async <T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
};

const setPassword = (client: pg.Client, user: string, password: string | undefined): Promise<unknown> =>
  client.query(
    `alter role ${pg.escapeIdentifier(user)} password ${password === undefined ? 'null' : pg.escapeLiteral(password)}`,
  );

const LOGIN = 'login noinherit nosuperuser nocreatedb nocreaterole nobypassrls noreplication';

/** Makes the login where it is missing. It owns nothing and has no right but to act as the application's role. */
const ensureLogin = async (client: pg.Client, user: string, password: string | undefined): Promise<void> => {
  const known = await client.query('select 1 from pg_roles where rolname = $1', [user]);
  if (known.rowCount === 0) {
    await client.query(`create role ${pg.escapeIdentifier(user)} ${LOGIN}`);
    await setPassword(client, user, password);
  }
  const member = await client.query<{ is_member: boolean }>(`select pg_has_role($1, $2, 'member') as is_member`, [
    user,
    APP_ROLE,
  ]);
  if (member.rows[0]?.is_member !== true) await client.query(`grant ${APP_ROLE} to ${pg.escapeIdentifier(user)}`);
};

/** @throws PostgreSQL's own error where the login is refused, and another where it is more than it should be. */
const checkLogin = (url: string): Promise<void> =>
  withClient(appConnection(url), async (client) => {
    const { rows } = await client.query<{ is_harmless: boolean }>(`
      select not (rolsuper or rolcreaterole or rolbypassrls) as is_harmless from pg_roles where rolname = session_user`);
    if (rows[0]?.is_harmless !== true) throw new Error('The role of the application has rights that it must not have.');
  });

const codeOf = (error: unknown): unknown => Object(error).code;

/** Whether the server or the pooler refused who logs in. */
export const isRefused = (error: unknown): boolean => REFUSED.has(String(codeOf(error)));

const openLogin = async (ownerUrl: string, client: pg.Client, owner: Owner): Promise<string> => {
  const user = `breakwater_login_${owner.name}`.slice(0, 63);
  const password = derivedPassword(passwordOf(ownerUrl), user);
  const url = withUser(ownerUrl, user, password);
  await ensureLogin(client, user, password);
  try {
    await checkLogin(url);
  } catch (error) {
    if (!isRefused(error)) throw error;
    // the owner's password is another one than when the login was made
    await setPassword(client, user, password);
    await checkLogin(url);
  }
  return url;
};

/**
 * Gives the application a login of its own, without the owner's rights, so that a statement that slips out of its role (`set role none`) is
 * nobody's rather than a superuser's. Where the owner may make none (DATABASE_URL of a plain user), the pool logs in as the owner and acts
 * as the application's role, as before. Needs the tables to be migrated.
 */
export const ensureAppLogin = (ownerUrl: string): Promise<AppLogin> =>
  withClient({ connectionString: ownerUrl }, async (client) => {
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    const { rows } = await client.query<Owner>(
      'select rolname as name, rolsuper as is_superuser from pg_roles where rolname = current_user',
    );
    const [owner] = rows;
    if (owner === undefined) throw new Error('The database does not say who its user is.');
    try {
      return { url: await openLogin(ownerUrl, client, owner), reason: undefined, isSuperuser: false };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { url: ownerUrl, reason, isSuperuser: owner.is_superuser };
    }
  });
