import { AppError } from '../../platform/model/app-error.ts';
import { can } from '../../platform/model/permissions.ts';
import type { Db } from '../../platform/server/database.ts';
import type { Caller } from '../../platform/server/endpoint.ts';
import { closeAllSessions } from '../../session/server/index.ts';
import type { InvitedRole } from '../model/roles.ts';
import './tables.ts';

/** Gives what one member owned to another, or to nobody. Each slice that keeps owners offers one. */
export type Handover = (
  db: Db,
  request: { caller: Caller; from: { id: string; username: string }; to: string | null },
) => Promise<void>;

interface Target {
  caller: Caller;
  id: string;
}

/**
 * One change of the organisation's people at a time, so that two admins who remove each other do not both succeed. The caller is looked
 * at again: the change before may have been theirs. @throws forbidden
 */
const lockTeam = async (db: Db, { clientId, userId }: Caller): Promise<void> => {
  await db.selectFrom('clients').select('id').where('id', '=', clientId).forNoKeyUpdate().execute();
  const now = await db
    .selectFrom('users')
    .select('role')
    .where('client_id', '=', clientId)
    .where('id', '=', userId)
    .where('status', '=', 'active')
    .executeTakeFirst();
  if (!can(now?.role, 'team.manage'))
    throw new AppError('forbidden', 'You are no longer an admin of the organisation.');
};

const findMember = (db: Db, { caller, id }: Target) =>
  db
    .selectFrom('users')
    .select(['id', 'username', 'role'])
    .where('client_id', '=', caller.clientId)
    .where('id', '=', id)
    .where('status', '=', 'active')
    .executeTakeFirst();

/** @throws conflict where nobody else could manage the team */
const requireOtherAdmin = async (db: Db, { caller, id }: Target): Promise<void> => {
  const other = await db
    .selectFrom('users')
    .select('id')
    .where('client_id', '=', caller.clientId)
    .where('id', '<>', id)
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .limit(1)
    .executeTakeFirst();
  if (other === undefined) throw new AppError('conflict', 'This is the last admin. Make somebody else admin first.');
};

/** Gives a member or an invitation another role. @throws user_not_found, conflict, forbidden */
export const changeRole = async (db: Db, { role, ...target }: Target & { role: InvitedRole }): Promise<void> => {
  const { caller, id } = target;
  const { clientId } = caller;
  await lockTeam(db, caller);
  const member = await findMember(db, target);
  if (member === undefined) {
    const invited = await db
      .updateTable('invitations')
      .set({ role })
      .where('client_id', '=', clientId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (invited === undefined) throw new AppError('user_not_found');
    return;
  }
  if (member.role === role) return;
  if (member.role === 'admin') await requireOtherAdmin(db, target);
  await db.updateTable('users').set({ role }).where('client_id', '=', clientId).where('id', '=', id).execute();
  await closeAllSessions(db, { clientId, userId: id });
};

/** @throws validation_failed */
const requireHeir = async (db: Db, { caller, id }: Target, heir: string): Promise<void> => {
  if (heir !== id && (await findMember(db, { caller, id: heir })) !== undefined) return;
  const msg = 'Choose another member of the organisation.';
  const issues = [{ loc: ['query', 'hand_over_to'], msg, type: 'unknown_user' }];
  throw new AppError('validation_failed', msg, { issues });
};

/** Their row stays, because history names them; their e-mail and password go, and the e-mail may be used again. */
const disable = async (db: Db, { id, username }: { id: string; username: string }, clientId: string): Promise<void> => {
  const removed = { status: 'disabled', password_hash: '', email: `${id}@removed.invalid` } as const;
  await db
    .updateTable('users')
    .set({ ...removed, username: `${username} (left ${id.slice(-6)})` })
    .where('client_id', '=', clientId)
    .where('id', '=', id)
    .execute();
};

/** Removes a member, or withdraws an invitation. @throws user_not_found, conflict, forbidden, validation_failed */
export const removeMember = async (
  db: Db,
  request: Target & { handOverTo: string | null; handovers: readonly Handover[] },
): Promise<void> => {
  const { caller, id, handOverTo } = request;
  const { clientId } = caller;
  await lockTeam(db, caller);
  const member = await findMember(db, request);
  if (member === undefined) {
    const invited = await db
      .deleteFrom('invitations')
      .where('client_id', '=', clientId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (invited === undefined) throw new AppError('user_not_found');
    return;
  }
  if (id === caller.userId) throw new AppError('conflict', 'You cannot remove yourself. Another admin can.');
  if (handOverTo !== null) await requireHeir(db, request, handOverTo);
  if (member.role === 'admin') await requireOtherAdmin(db, request);
  for (const handOver of request.handovers) await handOver(db, { caller, from: member, to: handOverTo });
  await disable(db, member, clientId);
  await closeAllSessions(db, { clientId, userId: id });
};
