import { OPERATOR, recordAudit } from '../../../platform/server/audit.ts';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import type { Vault } from '../../../platform/server/vault.ts';
import { findByIdentifier } from '../accounts.ts';
import { closeAllSessions } from '../sessions.ts';
import { mailTwoFactorChanged } from './mails.ts';
import { disable } from './second-factor.ts';

/**
 * For somebody who has lost device and recovery codes: the password alone counts again, every session ends, and its owner is told.
 * @returns whether two-factor was on.
 */
export const resetTwoFactor = async (
  db: Db,
  vault: Vault,
  user: { clientId: string; userId: string; email: string },
  change: 'reset' | 'reset-by-operator' = 'reset',
): Promise<boolean> => {
  if (!(await disable(db, vault, user))) return false;
  await closeAllSessions(db, user);
  await mailTwoFactorChanged(db, { ...user, change });
  return true;
};

/**
 * The operator's help for an only admin, whom nobody in the organisation can help. Written into the organisation's audit log.
 * @returns whether two-factor was on; nothing when nobody has that e-mail or username.
 */
export const resetTwoFactorByOperator = async (
  database: DatabaseHandle,
  vault: Vault,
  identifier: string,
): Promise<boolean | undefined> => {
  const user = await database.forIdentity((db) => findByIdentifier(db, identifier));
  if (user === undefined) return undefined;
  return database.forClient(user.clientId, async (db) => {
    if (!(await resetTwoFactor(db, vault, user, 'reset-by-operator'))) return false;
    await recordAudit(db, {
      clientId: user.clientId,
      kind: 'account.two-factor-disabled',
      actor: OPERATOR,
      origin: undefined,
      subject: user.username,
    });
    return true;
  });
};
