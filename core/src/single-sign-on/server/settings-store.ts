import { type Selectable, sql } from 'kysely';
import { OPERATOR, recordAudit } from '../../platform/server/audit.ts';
import type { Db } from '../../platform/server/database.ts';
import type { SingleSignOnTable } from './tables.ts';
import './tables.ts';

/** How an organisation signs in, with the domains of its people. */
export type Settings = Selectable<SingleSignOnTable> & { domains: string[] };

/** Place of the OIDC client secret in the vault. */
export const SECRET = { connectorId: 'single-sign-on', field: 'client_secret' } as const;

/** Key: primary keys. @returns nothing where the organisation never configured it. */
export const readSettings = async (db: Db, clientId: string): Promise<Settings | undefined> => {
  const row = await db.selectFrom('single_sign_on').selectAll().where('client_id', '=', clientId).executeTakeFirst();
  if (row === undefined) return undefined;
  const domains = await db
    .selectFrom('single_sign_on_domains')
    .select('domain')
    .where('client_id', '=', clientId)
    .orderBy('domain')
    .execute();
  return { ...row, domains: domains.map(({ domain }) => domain) };
};

/** How single sign-on stands, in a word or two. */
export const describeSignIn = async (
  db: Db,
  clientId: string,
): Promise<'not_set' | 'off' | 'sign_in_enforced' | 'sign_in_optional'> => {
  const row = await db
    .selectFrom('single_sign_on')
    .select(['is_enabled', 'is_enforced'])
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  if (row === undefined) return 'not_set';
  if (!row.is_enabled) return 'off';
  return row.is_enforced ? 'sign_in_enforced' : 'sign_in_optional';
};

/** Whose people have e-mails of a domain. For transactions over all clients. Index: single_sign_on_domains_domain. */
export const findClientOfDomain = async (db: Db, domain: string): Promise<string | undefined> => {
  const row = await db
    .selectFrom('single_sign_on_domains')
    .select('client_id')
    .where('domain', '=', domain)
    .executeTakeFirst();
  return row?.client_id;
};

/** What was configured may be used: a sign-in with it was accepted. */
export const markTested = async (db: Db, clientId: string): Promise<void> => {
  await db.updateTable('single_sign_on').set({ tested_at: sql`now()` }).where('client_id', '=', clientId).execute();
};

/**
 * Whether a member may sign in with a password. Where single sign-on is enforced, only an only admin may, so that an identity provider
 * that is away locks nobody out for good. Superadmins belong to the platform.
 */
export const mayUsePassword = async (
  db: Db,
  { clientId, userId }: { clientId: string; userId: string },
): Promise<boolean> => {
  const { rows } = await sql<{ may: boolean }>`
    select not exists (select from single_sign_on where client_id = ${clientId} and is_enabled and is_enforced)
      or (select role = 'superadmin' from users where client_id = ${clientId} and id = ${userId})
      or not exists (
        select from users where client_id = ${clientId} and role = 'admin' and status = 'active' and id <> ${userId}
      ) and exists (
        select from users where client_id = ${clientId} and role = 'admin' and status = 'active' and id = ${userId}
      ) as may`.execute(db);
  return rows[0]?.may ?? false;
};

/**
 * Lets passwords count again: the operator's help for an organisation that is locked out. Written into its audit log.
 * @returns whether they did not.
 */
export const stopEnforcing = async (db: Db, clientId: string): Promise<boolean> => {
  const changed = await db
    .updateTable('single_sign_on')
    .set({ is_enforced: false })
    .where('client_id', '=', clientId)
    .where('is_enforced', '=', true)
    .executeTakeFirst();
  if (changed.numUpdatedRows === 0n) return false;
  await recordAudit(db, {
    clientId,
    kind: 'settings.changed',
    actor: OPERATOR,
    origin: undefined,
    subject: 'Single sign-on',
    details: { is_enforced: false },
  });
  return true;
};
