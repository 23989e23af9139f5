import { sql } from 'kysely';
import { AppError } from '../../../platform/model/app-error.ts';
import type { Db } from '../../../platform/server/database.ts';
import type { Caller } from '../../../platform/server/endpoint.ts';
import type { PlanLimits } from '../../../platform/server/limits.ts';
import type { Vault } from '../../../platform/server/vault.ts';
import { addMember, changeEmail, deactivateMember, type Handover, restoreMember } from '../../../team/server/index.ts';
import { domainOf } from '../../model/identity.ts';
import { scimRefusal } from '../../model/scim/refusals.ts';
import { calledBy, emailOf, type ScimUser } from '../../model/scim/user.ts';
import { roleOf } from '../../model/settings.ts';
import { readSettings } from '../settings-store.ts';
import { isNameTaken, type UserRow } from './read-users.ts';

export interface ScimDeps {
  limits: PlanLimits;
  vault: Vault;
  handovers: readonly Handover[];
  /** How identity providers reach this server: `https://breakwater.example.org`. */
  origin: string;
}

interface Writing {
  db: Db;
  caller: Caller;
}

/** An account is made for addresses of the organisation's own domains alone: another's would be taken from its owner. @throws bad_request */
const requireOwnDomain = (email: string, domains: readonly string[]): void => {
  if (domains.includes(domainOf(email))) return;
  const place = 'Add it to the email domains at /settings/single-sign-on.';
  throw scimRefusal('invalidValue', `${email} is not of a domain of this organisation. ${place}`);
};

const settingsOf = async (db: Db, clientId: string) => {
  const settings = await readSettings(db, clientId);
  return {
    domains: settings?.domains ?? [],
    rules: settings?.role_rules ?? [],
    defaultRole: settings?.default_role ?? ('developer' as const),
  };
};

/** @throws conflict */
const requireFree = async (
  { db, caller }: Writing,
  { user, email, except }: { user: ScimUser; email: string; except: string | null },
): Promise<void> => {
  if (await isNameTaken(db, caller.clientId, { userName: user.userName, email, except }))
    throw scimRefusal('uniqueness', `There is a user named ${user.userName}, or with the address ${email}.`);
};

const store = async (
  { db, caller }: Writing,
  { id, user, email }: { id: string; user: ScimUser; email: string },
): Promise<void> => {
  const { userName, externalId, displayName, title, name, emails } = user;
  const document = sql<never>`${JSON.stringify({ displayName, title, name, emails })}::jsonb`;
  const said = { user_name: userName, external_id: externalId, email, document, updated_at: sql<Date>`now()` };
  await db
    .insertInto('provisioned_users')
    .values({ client_id: caller.clientId, user_id: id, ...said })
    .onConflict((conflict) => conflict.columns(['client_id', 'user_id']).doUpdateSet(said))
    .execute();
};

const isTaken = (error: unknown): boolean => error instanceof AppError && error.code === 'conflict';

/** Makes a member without a password. @returns their id @throws bad_request, conflict, forbidden where the plan allows no more */
export const createUser = async (deps: ScimDeps, writing: Writing, user: ScimUser): Promise<string> => {
  const { db, caller } = writing;
  const { clientId } = caller;
  const email = emailOf(user);
  await requireFree(writing, { user, email, except: null });
  const { domains, rules, defaultRole } = await settingsOf(db, clientId);
  requireOwnDomain(email, domains);
  await deps.limits.check(db, { clientId, kind: 'members', adding: 1 });
  const role = roleOf([], rules, defaultRole) ?? defaultRole;
  const { id } = await addMember(db, { clientId, email, name: calledBy(user), role }).catch((error: unknown) => {
    throw isTaken(error) ? scimRefusal('uniqueness', `${email} has an account already.`) : error;
  });
  await store(writing, { id, user, email });
  if (!user.active) await deactivateMember(db, { caller, id, handovers: deps.handovers, vault: deps.vault });
  return id;
};

/** Makes a member what the provider says. Whoever becomes inactive leaves, and comes back with what is kept of them. @throws bad_request, conflict */
export const changeUser = async (
  deps: ScimDeps,
  writing: Writing,
  { row, user }: { row: UserRow; user: ScimUser },
): Promise<void> => {
  const { db, caller } = writing;
  const { clientId } = caller;
  const email = emailOf(user);
  await requireFree(writing, { user, email, except: row.id });
  const isOther = email.toLowerCase() !== row.email.toLowerCase();
  const { domains, rules, defaultRole } = await settingsOf(db, clientId);
  if (isOther || (user.active && !row.active)) requireOwnDomain(email, domains);
  await store(writing, { id: row.id, user, email });
  if (row.active && !user.active) {
    await deactivateMember(db, { caller, id: row.id, handovers: deps.handovers, vault: deps.vault });
  } else if (!row.active && user.active) {
    await deps.limits.check(db, { clientId, kind: 'members', adding: 1 });
    const groups = row.groups.map(({ name }) => name);
    const role = roleOf(groups, rules, defaultRole) ?? defaultRole;
    await restoreMember(db, { clientId, id: row.id, email, role });
  } else if (row.active && isOther) {
    await changeEmail(db, { clientId, id: row.id, email });
  }
};

/** They leave, and the provider no longer finds them. @throws conflict for the last admin */
export const removeUser = async (deps: ScimDeps, { db, caller }: Writing, row: UserRow): Promise<void> => {
  const { clientId } = caller;
  const key = { caller, id: row.id, handovers: deps.handovers, vault: deps.vault };
  if (row.active) await deactivateMember(db, key);
  for (const table of ['provisioned_group_members', 'provisioned_users'] as const) {
    await db.deleteFrom(table).where('client_id', '=', clientId).where('user_id', '=', row.id).execute();
  }
};
