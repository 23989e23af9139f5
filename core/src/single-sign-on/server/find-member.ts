import { sql } from 'kysely';
import { notify } from '../../notifications/server/index.ts';
import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import { ROLE_IN_SENTENCE, type Role } from '../../platform/model/permissions.ts';
import { say, sayLabel } from '../../platform/model/sentence.ts';
import type { Db } from '../../platform/server/database.ts';
import type { PlanLimits } from '../../platform/server/limits.ts';
import { addMember, giveRole } from '../../team/server/index.ts';
import { type ACCOUNT_MATCHES, emailIssue, type ProvenIdentity } from '../model/identity.ts';
import { roleOf } from '../model/settings.ts';
import { refusal } from './refusal.ts';
import { groupNamesOf } from './scim/groups.ts';
import { isDeactivated } from './scim/read-users.ts';
import type { Settings } from './settings-store.ts';

/** Which account of the organisation a proven person has, or would get. */
export interface MemberMatch {
  account: (typeof ACCOUNT_MATCHES)[number];
  user: { id: string; username: string; role: Role } | undefined;
  /** The role that groups or the default give; nothing where it stays as it is. */
  role: Role | undefined;
}

const findLinked = (db: Db, clientId: string, { issuer, subject }: ProvenIdentity) =>
  db
    .selectFrom('single_sign_on_identities')
    .innerJoin('users', (join) =>
      join
        .onRef('users.client_id', '=', 'single_sign_on_identities.client_id')
        .onRef('users.id', '=', 'single_sign_on_identities.user_id'),
    )
    .select(['users.id', 'users.username', 'users.role', 'users.status'])
    .where('single_sign_on_identities.client_id', '=', clientId)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();

const findByEmail = (db: Db, clientId: string, email: string) =>
  db
    .selectFrom('users')
    .select(['id', 'username', 'role', 'status'])
    .where('client_id', '=', clientId)
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .executeTakeFirst();

/** Whoever configures the provider of one organisation must not become the superadmin of all. */
const refuseSuperadmin = (user: { role: Role } | undefined): void => {
  if (user?.role === 'superadmin')
    throw refusal(msg('A superadmin signs in with the password, whatever the organisation uses.'));
};

/**
 * Finds the account of a proven person: by issuer and subject, else by a verified e-mail of the organisation's domains. Changes nothing.
 * @throws single_sign_on_refused
 */
export const matchMember = async (db: Db, settings: Settings, identity: ProvenIdentity): Promise<MemberMatch> => {
  const { client_id: clientId } = settings;
  const groupRole = async (user: { id: string } | undefined): Promise<Role | undefined> => {
    const provisioned = user === undefined ? [] : await groupNamesOf(db, clientId, user.id);
    return roleOf([...identity.groups, ...provisioned], settings.role_rules, settings.default_role);
  };
  const linked = await findLinked(db, clientId, identity);
  refuseSuperadmin(linked);
  if (linked?.status === 'active') return { account: 'linked', user: linked, role: await groupRole(linked) };
  const issue = emailIssue(identity, settings.domains);
  if (issue !== undefined) throw refusal(issue);
  const known = await findByEmail(db, clientId, identity.email ?? '');
  refuseSuperadmin(known);
  if (known !== undefined && known.status !== 'active') throw refusal(msg('Your account is not active. Ask an admin.'));
  if (known !== undefined) return { account: 'matched', user: known, role: await groupRole(known) };
  if (await isDeactivated(db, clientId, identity.email ?? '')) {
    throw refusal(msg('Your identity provider deactivated your account here. Ask who manages it to assign you again.'));
  }
  // whoever was removed comes back by an invitation, not by signing in again
  if (linked !== undefined)
    throw refusal(msg('Your account of this organisation was removed. Ask an admin to invite you.'));
  if (!settings.creates_accounts) {
    throw refusal(
      msg('You have no account in this organisation, and none is made at sign-in. Ask an admin to invite you.'),
    );
  }
  return { account: 'new', user: undefined, role: (await groupRole(undefined)) ?? settings.default_role };
};

const link = async (db: Db, clientId: string, { issuer, subject }: ProvenIdentity, userId: string): Promise<void> => {
  await db
    .insertInto('single_sign_on_identities')
    .values({ client_id: clientId, issuer, subject, user_id: userId })
    .onConflict((conflict) =>
      conflict
        .columns(['client_id', 'issuer', 'subject'])
        .doUpdateSet({ user_id: userId, last_used_at: sql<Date>`now()` }),
    )
    .execute();
};

const create = async (
  db: Db,
  limits: PlanLimits,
  settings: Settings,
  identity: ProvenIdentity,
): Promise<{ id: string; username: string }> => {
  const { client_id: clientId } = settings;
  const email = identity.email ?? '';
  const role = roleOf(identity.groups, settings.role_rules, settings.default_role) ?? settings.default_role;
  await limits.check(db, { clientId, kind: 'members', adding: 1 });
  const made = await addMember(db, { clientId, email, name: identity.name, role }).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'conflict'
      ? refusal(
          say('{email} has an account already that is not of this organisation. Its admin or the operator can help.', {
            email,
          }),
          error,
        )
      : error;
  });
  await notify(db, {
    clientId,
    type: 'invite_accepted',
    title: say('{username} joined the organisation', { username: made.username }),
    message: say('{email} signed in by single sign-on for the first time, as {role}.', {
      email,
      role: sayLabel(ROLE_IN_SENTENCE[role]),
    }),
    link: '/settings/team',
    to: { permission: 'team.manage' },
  });
  return made;
};

/**
 * The member who is signed in: found or made, linked, with the role that their groups give.
 * @returns whom @throws single_sign_on_refused, forbidden where the plan allows no more members
 */
export const admitMember = async (
  db: Db,
  limits: PlanLimits,
  { settings, identity }: { settings: Settings; identity: ProvenIdentity },
): Promise<{ userId: string; username: string }> => {
  const { client_id: clientId } = settings;
  const { user, role } = await matchMember(db, settings, identity);
  const { id, username } = user ?? (await create(db, limits, settings, identity));
  await link(db, clientId, identity, id);
  const isOther = user !== undefined && role !== undefined && role !== user.role && role !== 'superadmin';
  if (isOther && user.role !== 'superadmin') {
    // an only admin stays one: nobody else could put the groups right
    await giveRole(db, { clientId, id, role }).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    });
  }
  return { userId: id, username };
};
