import type { Db } from '../../../platform/server/database.ts';
import type { Vault } from '../../../platform/server/vault.ts';
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
): Promise<boolean> => {
  if (!(await disable(db, vault, user))) return false;
  await closeAllSessions(db, user);
  await mailTwoFactorChanged(db, { ...user, change: 'reset' });
  return true;
};
