import { AppError } from '../../../platform/model/app-error.ts';
import type { RequestOrigin } from '../../../platform/server/audit.ts';
import type { Db } from '../../../platform/server/database.ts';
import type { Account } from '../accounts.ts';
import { recordFailedSignIn } from '../failed-sign-in.ts';
import { type DeviceSigner, deviceTokenFor, knownDevice, type SignedIn } from '../login.ts';
import { openSession } from '../sessions.ts';
import { countAttempt, type TwoFactorDeps } from './endpoints.ts';
import { type Proof, prove } from './second-factor.ts';
import { readTicket, redeemTicket } from './tickets.ts';

interface SecondStep {
  ticket: string;
  proof: Proof;
  deviceToken: string | undefined;
  origin: RequestOrigin;
}

/** Attempts in a browser that the person has signed in with before count by themselves, so that nobody else locks them out of it. */
const keyOf = (userId: string, deviceId: string | undefined): string =>
  deviceId === undefined ? userId : `${userId} ${deviceId}`;

const readAccount = (db: Db, owner: { clientId: string; userId: string }): Promise<Account> =>
  db
    .selectFrom('users')
    .innerJoin('clients', 'clients.id', 'users.client_id')
    .select(['users.id as userId', 'users.client_id as clientId', 'users.email', 'users.username', 'users.role'])
    .select('clients.organization_name as organizationName')
    .where('users.client_id', '=', owner.clientId)
    .where('users.id', '=', owner.userId)
    .executeTakeFirstOrThrow();

/**
 * Finishes a sign-in that waits for its second factor. Ticket, code and session are one transaction: of several at once one succeeds.
 * @throws sign_in_ticket_invalid, second_factor_wrong, too_many_requests
 */
export const finishSignIn = async (
  deps: TwoFactorDeps & { devices: DeviceSigner },
  { ticket, proof, deviceToken, origin }: SecondStep,
): Promise<SignedIn & { remember: boolean }> => {
  const { database, devices, vault } = deps;
  const owner = await database.forIdentity((db) => readTicket(db, ticket));
  const deviceId = await knownDevice(devices, deviceToken, owner.userId);
  const opened = await countAttempt(deps, keyOf(owner.userId, deviceId), async () => {
    return await database
      .forClient(owner.clientId, async (db) => {
        const { remember, method } = await redeemTicket(db, ticket);
        if (!(await prove(db, vault, owner, proof))) throw new AppError('second_factor_wrong');
        const account = await readAccount(db, owner);
        const secondFactor = 'otpCode' in proof ? 'code' : 'recovery code';
        const token = await openSession(db, { ...account, remember, origin, method, secondFactor });
        return { account, remember, token };
      })
      .catch(async (error: unknown) => {
        if (error instanceof AppError && error.code === 'second_factor_wrong') {
          await recordFailedSignIn(database, { user: owner, origin, reason: 'wrong code' });
        }
        throw error;
      });
  });
  return { ...opened, deviceToken: await deviceTokenFor(devices, owner.userId, deviceId), needsTwoFactor: false };
};
