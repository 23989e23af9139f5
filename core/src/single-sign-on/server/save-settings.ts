import { sql } from 'kysely';
import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import { say } from '../../platform/model/sentence.ts';
import { sayEnglish } from '../../platform/model/translator.ts';
import type { DatabaseHandle, Db } from '../../platform/server/database.ts';
import { domainOf } from '../model/identity.ts';
import type { SingleSignOnDeps } from './deps.ts';
import { issue, refuseIssues, type SettingsBody } from './settings-issues.ts';
import { readSettings, SECRET, type Settings } from './settings-store.ts';

/** What belongs to the provider: a change of it has to be tested anew. */
const PROVIDER_FIELDS = [
  'protocol',
  'oidc_issuer',
  'oidc_client_id',
  'saml_entity_id',
  'saml_sign_in_url',
  'saml_certificates',
] as const;

/** Domains of which somebody of another organisation has an address: nobody may claim those. */
export const domainsOfOthers = (
  database: DatabaseHandle,
  clientId: string,
  domains: readonly string[],
): Promise<string[]> =>
  database.forIdentity(async (db) => {
    if (domains.length === 0) return [];
    const { rows } = await sql<{ domain: string }>`
      select distinct lower(split_part(email, '@', 2)) as domain from users
      where client_id <> ${clientId} and status <> 'disabled'
        and lower(split_part(email, '@', 2)) = any(${[...domains]}::text[])`.execute(db);
    return rows.map(({ domain }) => domain);
  });

/** Whose mail an admin of the organisation receives: they may claim these. */
const domainsOfAdmins = async (db: Db, clientId: string): Promise<Set<string>> => {
  const admins = await db
    .selectFrom('users')
    .select('email')
    .where('client_id', '=', clientId)
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .execute();
  return new Set(admins.map(({ email }) => domainOf(email)));
};

/** @throws validation_failed */
const requireOwnDomains = async (
  db: Db,
  clientId: string,
  { domains, known, foreign }: { domains: readonly string[]; known: readonly string[]; foreign: readonly string[] },
): Promise<void> => {
  const own = await domainsOfAdmins(db, clientId);
  const added = domains.filter((domain) => !known.includes(domain));
  refuseIssues(
    added.flatMap((domain) => {
      if (foreign.includes(domain)) {
        return [
          issue(
            'domains',
            sayEnglish('{domain} cannot be claimed: people of another organisation have addresses there.', { domain }),
          ),
        ];
      }
      if (own.has(domain)) return [];
      return [
        issue(
          'domains',
          sayEnglish('{domain} can be claimed by an admin who has an address there. Invite one first.', { domain }),
        ),
      ];
    }),
  );
};

/** @throws conflict where another organisation has claimed one */
const replaceDomains = async (db: Db, clientId: string, domains: readonly string[]): Promise<void> => {
  await db.deleteFrom('single_sign_on_domains').where('client_id', '=', clientId).execute();
  for (const domain of domains) {
    const added = await db
      .insertInto('single_sign_on_domains')
      .values({ client_id: clientId, domain })
      .onConflict((conflict) => conflict.doNothing())
      .returning('domain')
      .executeTakeFirst();
    if (added === undefined)
      throw new AppError('conflict', say('Another organisation signs in the people of {domain}.', { domain }));
  }
};

const hostOf = (address: string): string => URL.parse(address)?.host ?? '';

/** The secret belongs to the host of its issuer: another host never gets it. */
const storeSecret = async (
  { vault }: SingleSignOnDeps,
  db: Db,
  { before, body }: { before: Settings; body: SettingsBody },
): Promise<void> => {
  const { client_id: clientId, oidc_issuer: old } = before;
  const place = { clientId, ...SECRET };
  const { oidc_client_secret: secret, oidc_issuer: issuer = old } = body;
  if (typeof secret === 'string') await vault.put(db, place, secret);
  else if (secret === null || hostOf(issuer) !== hostOf(old)) await vault.remove(db, place);
};

const lacks = (settings: Settings): boolean =>
  settings.protocol === 'oidc'
    ? settings.oidc_issuer === '' || settings.oidc_client_id === ''
    : settings.saml_entity_id === '' || settings.saml_sign_in_url === '' || settings.saml_certificates.length === 0;

/** @throws validation_failed */
const requireUsable = (settings: Settings): void => {
  const { is_enabled, is_enforced, domains, tested_at } = settings;
  refuseIssues([
    ...(is_enabled && lacks(settings)
      ? [issue('is_enabled', msg('Complete the provider before you switch it on.'))]
      : []),
    ...(is_enabled && domains.length === 0 ? [issue('domains', msg('Name at least one e-mail domain.'))] : []),
    ...(is_enforced && !is_enabled ? [issue('is_enforced', msg('Switch single sign-on on first.'))] : []),
    ...(is_enforced && tested_at === null
      ? [issue('is_enforced', msg('Test the sign-in first: enforced, an error would lock people out.'))]
      : []),
  ]);
};

const isProviderChanged = (body: SettingsBody, before: Settings): boolean =>
  typeof body.oidc_client_secret === 'string' ||
  PROVIDER_FIELDS.some((field) => body[field] !== undefined && String(body[field]) !== String(before[field]));

const lockSettings = async (db: Db, clientId: string): Promise<Settings> => {
  await db
    .insertInto('single_sign_on')
    .values({ client_id: clientId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db.selectFrom('single_sign_on').select('client_id').where('client_id', '=', clientId).forUpdate().execute();
  const settings = await readSettings(db, clientId);
  if (settings === undefined) throw new Error('The settings were not written.');
  return settings;
};

/**
 * Changes how an organisation signs in. Another provider has to be tested anew, and is not enforced until then.
 * @throws validation_failed, conflict
 */
export const saveSettingsOf = async (
  deps: SingleSignOnDeps,
  db: Db,
  { clientId, body, foreign }: { clientId: string; body: SettingsBody; foreign: readonly string[] },
): Promise<void> => {
  const before = await lockSettings(db, clientId);
  const { domains, oidc_client_secret: _secret, role_rules: rules, ...columns } = body;
  if (domains !== undefined) {
    await requireOwnDomains(db, clientId, { domains, known: before.domains, foreign });
    await replaceDomains(db, clientId, domains);
  }
  await storeSecret(deps, db, { before, body });
  const isChanged = isProviderChanged(body, before);
  await db
    .updateTable('single_sign_on')
    .set({
      ...(isChanged ? { tested_at: null, is_enforced: false } : {}),
      ...columns,
      ...(body.is_enabled === false ? { is_enforced: false } : {}),
      ...(rules === undefined ? {} : { role_rules: sql`${JSON.stringify(rules)}::jsonb` }),
      updated_at: sql`now()`,
    })
    .where('client_id', '=', clientId)
    .execute();
  const after = await readSettings(db, clientId);
  if (after !== undefined) requireUsable(after);
};
