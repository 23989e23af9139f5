import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import type { Db } from '../../platform/server/database.ts';
import type { Caller } from '../../platform/server/endpoint.ts';
import type { Vault } from '../../platform/server/vault.ts';
import { findMember, type Handover, leave, lockMembers } from './members.ts';
import './tables.ts';

/** @throws conflict, with what to do */
const requireOthers = async (db: Db, { clientId, userId, role }: Caller): Promise<void> => {
  const others = await db
    .selectFrom('users')
    .select('role')
    .where('client_id', '=', clientId)
    .where('id', '<>', userId)
    .where('status', '=', 'active')
    .execute();
  if (others.length === 0)
    throw new AppError(
      'conflict',
      msg('You are the last person of your organisation. Delete the organisation instead: Settings, Organisation.'),
    );
  if (role === 'admin' && !others.some((other) => other.role === 'admin'))
    throw new AppError(
      'conflict',
      msg('You are the last admin of your organisation. Make somebody else admin first: Settings, Team.'),
    );
};

/**
 * The caller leaves: what they owned goes to nobody, and nothing lets them in any more. Changes of a team happen one at a time, so of two
 * calls at once one finds nobody. `before` runs once it is certain, while the account still has its name.
 * @throws conflict where others could no longer manage the organisation; not_authenticated where they have left already
 */
export const leaveByOneself = async (
  db: Db,
  caller: Caller,
  deps: { handovers: readonly Handover[]; vault: Vault; before: () => Promise<void> },
): Promise<void> => {
  const { clientId, userId } = caller;
  if (caller.role === 'superadmin')
    throw new AppError(
      'conflict',
      msg('The operator of the installation names its superadmins, and removes them. Ask them.'),
    );
  await lockMembers(db, clientId);
  const member = await findMember(db, { clientId, id: userId });
  if (member === undefined) throw new AppError('not_authenticated');
  await requireOthers(db, { ...caller, role: member.role });
  await deps.before();
  await leave(db, caller, { member, handOverTo: null, handovers: deps.handovers, vault: deps.vault });
};
