import { FRESH_SIGN_IN_MINUTES, type GivenProof } from '../../platform/api/proof.ts';
import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import type { Db } from '../../platform/server/database.ts';
import type { Caller } from '../../platform/server/endpoint.ts';
import type { AttemptLimiter } from '../../platform/server/limits.ts';
import {
  countAttempt,
  isFreshSession,
  prove,
  readProofs,
  type TwoFactorDeps,
  verifyPassword,
} from '../../session/server/index.ts';

export interface ProofDeps extends Pick<TwoFactorDeps, 'vault' | 'secondFactor'> {
  /** Counts wrong passwords of one user. */
  oldPassword: AttemptLimiter;
}

const refuse = (field: string, text: string): AppError =>
  new AppError('validation_failed', text, { issues: [{ loc: ['body', field], msg: text, type: 'proof' }] });

/** What a person has to give: their password where they have one, a recent sign-in where they have none, a code where two-factor is on. */
export const describeProofs = async (db: Db, caller: Caller) => {
  const { passwordHash, hasTwoFactor } = await readProofs(db, caller);
  const { clientId, sessionHash } = caller;
  return {
    password: passwordHash !== '',
    two_factor: hasTwoFactor,
    is_fresh: await isFreshSession(db, { clientId, sessionHash, minutes: FRESH_SIGN_IN_MINUTES }),
  };
};

const requireCode = async (db: Db, deps: ProofDeps, caller: Caller, given: GivenProof): Promise<void> => {
  const { otp_code: otpCode, recovery_code: recoveryCode } = given;
  const proof = otpCode === undefined ? recoveryCode && { recoveryCode } : { otpCode };
  if (!proof) throw refuse('otp_code', msg('Enter a code of your authenticator, or a recovery code.'));
  await countAttempt(deps, caller.userId, async () => {
    if (!(await prove(db, deps.vault, caller, proof)))
      throw refuse(
        'otpCode' in proof ? 'otp_code' : 'recovery_code',
        msg('The code is wrong or was used already. Wait for the next one.'),
      );
  });
};

/** Whoever sits at an open page is not always who signed in. @throws validation_failed, conflict, too_many_requests */
export const requireProof = async (db: Db, deps: ProofDeps, caller: Caller, given: GivenProof): Promise<void> => {
  const { passwordHash, hasTwoFactor } = await readProofs(db, caller);
  if (passwordHash === '') {
    const { clientId, sessionHash } = caller;
    if (!(await isFreshSession(db, { clientId, sessionHash, minutes: FRESH_SIGN_IN_MINUTES })))
      throw new AppError('conflict', msg('You signed in a while ago. Sign out, sign in again, and repeat this.'));
  } else {
    await deps.oldPassword.take(caller.userId);
    if (given.password === undefined || !(await verifyPassword(given.password, passwordHash)))
      throw refuse('password', msg('The password is wrong.'));
    await deps.oldPassword.giveBack(caller.userId);
  }
  if (hasTwoFactor) await requireCode(db, deps, caller, given);
};
