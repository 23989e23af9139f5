import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import { can, type Role } from '../../platform/model/permissions.ts';
import type { Db } from '../../platform/server/database.ts';
import type { Caller } from '../../platform/server/endpoint.ts';
import type { Vault } from '../../platform/server/vault.ts';
import { closeAllSessions, forgetTwoFactor, resetTwoFactor, revokePersonalTokens } from '../../session/server/index.ts';
import type { InvitedRole } from '../model/roles.ts';
import './tables.ts';

/** Gives what one member owned to another, or to nobody, or deletes what was theirs alone. Each slice that keeps either offers one. */
export type Handover = (
  db: Db,
  request: { caller: Caller; from: { id: string; username: string }; to: string | null },
) => Promise<void>;

/** A member of an organisation. */
export interface MemberKey {
  clientId: string;
  id: string;
}

interface Target {
  caller: Caller;
  id: string;
}

const keyOf = ({ caller, id }: Target): MemberKey => ({ clientId: caller.clientId, id });

/** One change of the organisation's people at a time, so that two admins who remove each other do not both succeed. */
export const lockMembers = async (db: Db, clientId: string): Promise<void> => {
  await db.selectFrom('clients').select('id').where('id', '=', clientId).forNoKeyUpdate().execute();
};

/** The caller is looked at again: the change before may have been theirs. @throws forbidden */
const lockTeam = async (db: Db, { clientId, userId }: Caller): Promise<void> => {
  await lockMembers(db, clientId);
  const now = await db
    .selectFrom('users')
    .select('role')
    .where('client_id', '=', clientId)
    .where('id', '=', userId)
    .where('status', '=', 'active')
    .executeTakeFirst();
  if (!can(now?.role, 'team.manage'))
    throw new AppError('forbidden', msg('You are no longer an admin of the organisation.'));
};

/** The member while they are active. */
export const findMember = (db: Db, { clientId, id }: MemberKey) =>
  db
    .selectFrom('users')
    .select(['id', 'username', 'role', 'email'])
    .where('client_id', '=', clientId)
    .where('id', '=', id)
    .where('status', '=', 'active')
    .executeTakeFirst();

/** @throws conflict where nobody else could manage the team */
export const requireOtherAdmin = async (db: Db, { clientId, id }: MemberKey): Promise<void> => {
  const other = await db
    .selectFrom('users')
    .select('id')
    .where('client_id', '=', clientId)
    .where('id', '<>', id)
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .limit(1)
    .executeTakeFirst();
  if (other === undefined)
    throw new AppError('conflict', msg('This is the last admin. Make somebody else admin first.'));
};

/**
 * Gives a member or an invitation another role. @returns whom, and the role before.
 * @throws user_not_found, conflict, forbidden
 */
export const changeRole = async (
  db: Db,
  { role, ...target }: Target & { role: InvitedRole },
): Promise<{ name: string; from: Role }> => {
  const { caller, id } = target;
  const { clientId } = caller;
  await lockTeam(db, caller);
  const member = await findMember(db, keyOf(target));
  if (member === undefined) {
    const invited = await db
      .selectFrom('invitations')
      .select(['email', 'role'])
      .where('client_id', '=', clientId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (invited === undefined) throw new AppError('user_not_found');
    await db.updateTable('invitations').set({ role }).where('client_id', '=', clientId).where('id', '=', id).execute();
    return { name: invited.email, from: invited.role };
  }
  const before = { name: member.username, from: member.role };
  if (member.role === role) return before;
  if (member.role === 'admin') await requireOtherAdmin(db, keyOf(target));
  await db.updateTable('users').set({ role }).where('client_id', '=', clientId).where('id', '=', id).execute();
  await closeAllSessions(db, { clientId, userId: id });
  return before;
};

/** Ends every session of a member. @returns whose. @throws user_not_found, forbidden */
export const endSessions = async (db: Db, target: Target): Promise<string> => {
  const { caller, id } = target;
  await lockTeam(db, caller);
  const member = await findMember(db, keyOf(target));
  if (member === undefined) throw new AppError('user_not_found');
  await closeAllSessions(db, { clientId: caller.clientId, userId: id });
  return member.username;
};

/** @throws validation_failed */
const requireHeir = async (db: Db, { caller, id }: Target, heir: string): Promise<void> => {
  if (heir !== id && (await findMember(db, { clientId: caller.clientId, id: heir })) !== undefined) return;
  const text = msg('Choose another member of the organisation.');
  const issues = [{ loc: ['query', 'hand_over_to'], msg: text, type: 'unknown_user' }];
  throw new AppError('validation_failed', text, { issues });
};

/** What follows the name of who left, so that somebody else may have it. */
export const leftMark = (id: string): string => ` (left ${id.slice(-6)})`;

/** Their row stays, because history names them; their e-mail and password go, and the e-mail may be used again. */
const disable = async (db: Db, { id, username }: { id: string; username: string }, clientId: string): Promise<void> => {
  const removed = { status: 'disabled', password_hash: '', email: `${id}@removed.invalid` } as const;
  await db
    .updateTable('users')
    .set({ ...removed, username: `${username}${leftMark(id)}` })
    .where('client_id', '=', clientId)
    .where('id', '=', id)
    .execute();
};

interface Leaving {
  member: { id: string; username: string; role: Role };
  handOverTo: string | null;
  handovers: readonly Handover[];
  vault: Vault;
}

/** What they owned is handed over, then nothing lets them in any more. The team is locked. @throws conflict for the last admin */
export const leave = async (db: Db, caller: Caller, { member, handOverTo, ...deps }: Leaving): Promise<void> => {
  const { clientId } = caller;
  const { id } = member;
  if (member.role === 'admin') await requireOtherAdmin(db, { clientId, id });
  for (const handOver of deps.handovers) await handOver(db, { caller, from: member, to: handOverTo });
  await forgetTwoFactor(db, deps.vault, { clientId, userId: id });
  await disable(db, member, clientId);
  await revokePersonalTokens(db, { clientId, userId: id });
  await closeAllSessions(db, { clientId, userId: id });
};

/**
 * Removes a member, or withdraws an invitation. @returns whose.
 * @throws user_not_found, conflict, forbidden, validation_failed
 */
export const removeMember = async (
  db: Db,
  request: Target & { handOverTo: string | null; handovers: readonly Handover[]; vault: Vault },
): Promise<string> => {
  const { caller, id, handOverTo } = request;
  const { clientId } = caller;
  await lockTeam(db, caller);
  const member = await findMember(db, keyOf(request));
  if (member === undefined) {
    const invited = await db
      .deleteFrom('invitations')
      .where('client_id', '=', clientId)
      .where('id', '=', id)
      .returning('email')
      .executeTakeFirst();
    if (invited === undefined) throw new AppError('user_not_found');
    return invited.email;
  }
  if (id === caller.userId) throw new AppError('conflict', msg('You cannot remove yourself. Another admin can.'));
  if (handOverTo !== null) await requireHeir(db, request, handOverTo);
  await leave(db, caller, { member, handOverTo, handovers: request.handovers, vault: request.vault });
  return member.username;
};

/** Switches two-factor off for a member who can no longer give a code. @returns whose. @throws user_not_found, conflict, forbidden */
export const resetMemberTwoFactor = async (db: Db, vault: Vault, target: Target): Promise<string> => {
  const { caller, id } = target;
  await lockTeam(db, caller);
  const member = await findMember(db, keyOf(target));
  if (member === undefined) throw new AppError('user_not_found');
  if (id === caller.userId)
    throw new AppError('conflict', msg('Switch your own two-factor off in your settings, with a code.'));
  if (!(await resetTwoFactor(db, vault, { clientId: caller.clientId, userId: id, email: member.email }))) {
    throw new AppError('conflict', msg('Two-factor is off for this person.'));
  }
  return member.username;
};
