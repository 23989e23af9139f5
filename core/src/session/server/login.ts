import { AppError } from '../../platform/model/app-error.ts';
import type { DatabaseHandle } from '../../platform/server/database.ts';
import type { AttemptLimiter } from '../../platform/server/limits.ts';
import { type Account, findByIdentifier, type KnownUser, pretendToVerify, verifyPassword } from './accounts.ts';
import { openSession } from './sessions.ts';

/** Bad sign-ins that are evaluated before 429. Per account whoever asks, and per address whomever it asks for. */
export const LOGIN_LIMITS = {
  account: { name: 'login-account', attempts: 10, perSeconds: 900 },
  address: { name: 'login-address', attempts: 10, perSeconds: 300 },
} as const;

export interface LoginLimiters {
  account: AttemptLimiter;
  address: AttemptLimiter;
}

export interface Credentials {
  /** E-mail, username or both; each given one must belong to the user. */
  identifiers: [string, ...string[]];
  password: string;
  remember: boolean;
  remoteAddress: string;
}

const matches = (user: KnownUser, identifier: string): boolean => {
  const wanted = identifier.trim().toLowerCase();
  return user.email.toLowerCase() === wanted || user.username.toLowerCase() === wanted;
};

const BAD_CREDENTIALS = 'The e-mail, username or password is wrong.';

/**
 * Signs in. Unknown users look like known ones in answer and time. Attempts are counted before they are evaluated and
 * given back when right, so that parallel ones are limited too.
 * @throws bad_credentials, too_many_requests
 */
export const signIn = async (
  deps: { database: DatabaseHandle; limiters: LoginLimiters },
  credentials: Credentials,
): Promise<{ account: Account; token: string }> => {
  const { database, limiters } = deps;
  const [first, ...others] = credentials.identifiers;
  const found = await database.forIdentity((db) => findByIdentifier(db, first));
  const user = found !== undefined && others.every((identifier) => matches(found, identifier)) ? found : undefined;
  const accountKey = user?.userId ?? first.trim().toLowerCase();
  await limiters.address.take(credentials.remoteAddress);
  await limiters.account.take(accountKey);
  const isRight =
    user === undefined
      ? await pretendToVerify(credentials.password)
      : await verifyPassword(credentials.password, user.passwordHash);
  if (user === undefined || !isRight || !user.isActive) throw new AppError('bad_credentials', BAD_CREDENTIALS);
  await limiters.address.giveBack(credentials.remoteAddress);
  await limiters.account.reset(accountKey);
  const { clientId, userId } = user;
  const token = await database.forIdentity((db) =>
    openSession(db, { clientId, userId, remember: credentials.remember }),
  );
  return { account: user, token };
};
