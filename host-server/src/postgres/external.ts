import { APP_ROLE } from '@breakwater/core/platform/server/database.ts';
import pg from 'pg';

const OLDEST = 150_000;

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers at its address',
  ENOTFOUND: 'its host is not known',
  EAI_AGAIN: 'its host cannot be looked up',
  ETIMEDOUT: 'it does not answer in time',
  '28P01': 'it refuses the password',
  '28000': 'it refuses the user',
  '3D000': 'there is no database of that name',
};

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

interface Facts {
  version: number;
  has_role: boolean;
  is_member: boolean;
  may_create_role: boolean;
  may_create: boolean;
}

const FACTS = `
  select current_setting('server_version_num')::int as version,
    exists (select 1 from pg_roles where rolname = $1) as has_role,
    coalesce((select pg_has_role(current_user, oid, 'member') from pg_roles where rolname = $1), false) as is_member,
    (select rolcreaterole or rolsuper from pg_roles where rolname = current_user) as may_create_role,
    has_database_privilege(current_database(), 'create') and has_schema_privilege('public', 'create') as may_create`;

const issuesOf = (facts: Facts): string[] => {
  const issues: string[] = [];
  if (facts.version < OLDEST) {
    issues.push(`It is PostgreSQL ${Math.floor(facts.version / 10_000)}; version 15 or newer is needed.`);
  }
  if (!facts.has_role && !facts.may_create_role) {
    issues.push(
      `Its user may not create roles. As an administrator run once: create role ${APP_ROLE} nologin; grant ${APP_ROLE} to <user>;`,
    );
  }
  if (facts.has_role && !facts.is_member && !facts.may_create_role) {
    issues.push(`Its user may not act as ${APP_ROLE}. As an administrator run once: grant ${APP_ROLE} to <user>;`);
  }
  if (!facts.may_create) {
    issues.push('Its user may not create tables. As an administrator make the user the owner of the database.');
  }
  return issues;
};

/**
 * Looks whether an outside PostgreSQL can be used.
 * @param name of the setting that names it.
 * @throws in words for the operator, without the address: it may hold a password.
 */
export const checkExternalPostgres = async (url: string, name = 'DATABASE_URL'): Promise<void> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    const { rows } = await client.query<Facts>(FACTS, [APP_ROLE]);
    const issues = rows.flatMap(issuesOf);
    if (issues.length > 0) throw new Error(`The database of ${name} cannot be used. ${issues.join(' ')}`);
  } catch (error) {
    const reason = REASONS[codeOf(error)];
    if (reason === undefined) throw error;
    throw new Error(`The database of ${name} cannot be reached: ${reason}.`, { cause: error });
  } finally {
    await client.end().catch(() => undefined);
  }
};
