import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import type { DatabaseHandle } from '../../../platform/server/database.ts';
import { type Endpoint, type SignedInInput, tenantEndpoint } from '../../../platform/server/endpoint.ts';
import type { AttemptLimiter } from '../../../platform/server/limits.ts';
import type { Vault } from '../../../platform/server/vault.ts';
import { checkTwoFactor, configureTwoFactor, removeTwoFactor, saveTwoFactor } from '../../api/two-factor-routes.ts';
import { qrCodeOf } from './codes.ts';
import { mailTwoFactorChanged } from './mails.ts';
import { begin, disable, enable, type Proof, prove, readState } from './second-factor.ts';

/**
 * Wrong codes that are evaluated before 429, whatever ticket or session they come with: three of a million codes are right at any moment, so
 * that who has the password gets through in a day with a chance of one in ten thousand.
 */
export const SECOND_FACTOR_LIMITS = {
  shortly: { name: 'second-factor', attempts: 5, perSeconds: 300 },
  daily: { name: 'second-factor-day', attempts: 40, perSeconds: 86_400 },
} as const;

export interface TwoFactorDeps {
  database: DatabaseHandle;
  vault: Vault;
  secondFactor: Record<keyof typeof SECOND_FACTOR_LIMITS, AttemptLimiter>;
}

/** Counts an attempt before it is evaluated, and gives it back when it was right. @throws too_many_requests */
export const countAttempt = async <T>(
  { secondFactor }: Pick<TwoFactorDeps, 'secondFactor'>,
  key: string,
  attempt: () => Promise<T>,
): Promise<T> => {
  await secondFactor.shortly.take(key);
  await secondFactor.daily.take(key);
  const result = await attempt();
  await secondFactor.shortly.giveBack(key);
  await secondFactor.daily.giveBack(key);
  return result;
};

const refuse = (field: string, msg: string): AppError =>
  new AppError('validation_failed', msg, { issues: [{ loc: ['body', field], msg, type: 'second_factor' }] });

/** Exactly one of the two. @throws validation_failed */
export const proofOf = (body: { otp_code?: string; recovery_code?: string }): Proof => {
  const { otp_code: otpCode, recovery_code: recoveryCode } = body;
  if (otpCode !== undefined && recoveryCode === undefined) return { otpCode };
  if (recoveryCode !== undefined && otpCode === undefined) return { recoveryCode };
  throw refuse('otp_code', msg('Give a code of your authenticator or a recovery code, one of the two.'));
};

const keyOf = ({ caller }: Pick<SignedInInput<unknown, unknown, unknown>, 'caller'>): string => caller.userId;

const WRONG = msg('The code is wrong or was used already. Wait for the next one.');

/** Set-up of two-factor by its owner. Source: decisions.md "Wire shapes". */
export const createTwoFactorEndpoints = (deps: TwoFactorDeps): Endpoint[] => [
  tenantEndpoint(checkTwoFactor)(async ({ db, caller }) => ({ success: true, data: await readState(db, caller) })),
  tenantEndpoint(configureTwoFactor)(async ({ db, caller }) => {
    const secret = await begin(db, deps.vault, caller);
    return { success: true, data: { qrcode: qrCodeOf(secret, caller.email), otp_data: { secret } } };
  }),
  tenantEndpoint(saveTwoFactor)(async (input) => {
    const { db, caller, body } = input;
    const recovery_codes = await countAttempt(deps, keyOf(input), async () => {
      const codes = await enable(db, deps.vault, caller, body.otp_code);
      if (codes === undefined) throw refuse('otp_code', WRONG);
      return codes;
    });
    await mailTwoFactorChanged(db, { ...caller, change: 'enabled' });
    return { success: true, data: { recovery_codes } };
  }),
  tenantEndpoint(removeTwoFactor)(async (input) => {
    const { db, caller, body } = input;
    const { enable_2fa } = await readState(db, caller);
    if (!enable_2fa) throw new AppError('conflict', msg('Two-factor is off already.'));
    const proof = proofOf(body);
    await countAttempt(deps, keyOf(input), async () => {
      if (!(await prove(db, deps.vault, caller, proof))) {
        throw refuse('otpCode' in proof ? 'otp_code' : 'recovery_code', WRONG);
      }
    });
    await disable(db, deps.vault, caller);
    await mailTwoFactorChanged(db, { ...caller, change: 'disabled' });
    return { success: true };
  }),
];
