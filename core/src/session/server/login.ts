import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import type { RequestOrigin } from '../../platform/server/audit.ts';
import type { DatabaseHandle } from '../../platform/server/database.ts';
import type { DocumentSigner } from '../../platform/server/key-ring.ts';
import type { AttemptLimiter } from '../../platform/server/limits.ts';
import { type Account, findByIdentifier, type KnownUser, pretendToVerify, verifyPassword } from './accounts.ts';
import { openSession } from './sessions.ts';
import { issueTicket } from './two-factor/tickets.ts';

/**
 * Bad sign-ins that are evaluated before 429: per account whoever asks, and per address whomever it asks for. A browser in which the person
 * has signed in before counts by itself, so that strangers who use up the other two lock nobody out of it.
 * Source: OWASP Authentication Cheat Sheet, device cookies.
 */
export const LOGIN_LIMITS = {
  account: { name: 'login-account', attempts: 10, perSeconds: 900 },
  address: { name: 'login-address', attempts: 10, perSeconds: 300 },
  device: { name: 'login-device', attempts: 10, perSeconds: 900 },
} as const;

export interface LoginLimiters {
  account: AttemptLimiter;
  address: AttemptLimiter;
  device: AttemptLimiter;
}

/** How long a browser stays known after the last sign-in. */
export const DEVICE_SECONDS = 180 * 24 * 3600;

const DeviceDocument = Type.Object({ user_id: Type.String(), device_id: Type.String(), iat: Type.Number() });

/** Signs and reads what makes a browser known. */
export type DeviceSigner = DocumentSigner;

/** Id of the browser, where this user has signed in with it lately. */
export const knownDevice = async (
  devices: DeviceSigner,
  token: string | undefined,
  userId: string,
): Promise<string | undefined> => {
  const document = token === undefined ? undefined : await devices.verify(token);
  if (!Value.Check(DeviceDocument, document) || document.user_id !== userId) return undefined;
  return Date.now() / 1000 - document.iat < DEVICE_SECONDS ? document.device_id : undefined;
};

/** For the browser in which somebody has just proved who they are, with all that their account asks for. */
export const deviceTokenFor = (
  devices: DeviceSigner,
  userId: string,
  deviceId: string = randomUUID(),
): Promise<string> => devices.sign({ user_id: userId, device_id: deviceId });

export interface Credentials {
  /** E-mail, username or both; each given one must belong to the user. */
  identifiers: [string, ...string[]];
  password: string;
  remember: boolean;
  remoteAddress: string;
  deviceToken: string | undefined;
  origin: RequestOrigin;
  /** Hears of a bad attempt at an account that exists. Nobody waits for it: the answer must not take longer than for an unknown one. */
  onRefused(user: KnownUser): void;
}

const matches = (user: KnownUser, identifier: string): boolean => {
  const wanted = identifier.trim().toLowerCase();
  return user.email.toLowerCase() === wanted || user.username.toLowerCase() === wanted;
};

/** Asked once a password was found to be right, so that its answer tells strangers nothing. */
export type PasswordRule = (user: { clientId: string; userId: string }) => Promise<boolean>;

const BAD_CREDENTIALS = msg('The e-mail, username or password is wrong.');

export interface SignedIn {
  account: Account;
  token: string;
  deviceToken: string;
  needsTwoFactor: boolean;
}

/**
 * Signs in; where the account asks for a second factor, with its ticket alone. Unknown users look like known ones in answer and time. Attempts are counted before they are evaluated and
 * given back when right, so that parallel ones are limited too.
 * @throws bad_credentials, too_many_requests, single_sign_on_required
 */
export const signIn = async (
  deps: {
    database: DatabaseHandle;
    limiters: LoginLimiters;
    devices: DeviceSigner;
    mayUsePassword: PasswordRule;
  },
  credentials: Credentials,
): Promise<SignedIn | { ticket: string }> => {
  const { database, limiters } = deps;
  const [first, ...others] = credentials.identifiers;
  const found = await database.forIdentity((db) => findByIdentifier(db, first));
  const user = found !== undefined && others.every((identifier) => matches(found, identifier)) ? found : undefined;
  const accountKey = user?.userId ?? first.trim().toLowerCase();
  const deviceId = user && (await knownDevice(deps.devices, credentials.deviceToken, user.userId));
  if (deviceId === undefined) {
    await limiters.address.take(credentials.remoteAddress);
    await limiters.account.take(accountKey);
  } else await limiters.device.take(deviceId);
  const isRight =
    user === undefined || user.passwordHash === ''
      ? await pretendToVerify(credentials.password)
      : await verifyPassword(credentials.password, user.passwordHash);
  if (user === undefined || !isRight || !user.isActive) {
    if (found !== undefined) credentials.onRefused(found);
    throw new AppError('bad_credentials', BAD_CREDENTIALS);
  }
  if (deviceId === undefined) {
    await limiters.address.giveBack(credentials.remoteAddress);
    await limiters.account.reset(accountKey);
  } else await limiters.device.reset(deviceId);
  if (!(await deps.mayUsePassword(user))) throw new AppError('single_sign_on_required');
  const { userId, needsTwoFactor } = user;
  const { remember, origin } = credentials;
  const session = { ...user, remember, origin, method: 'password' } as const;
  if (user.hasTwoFactor) return { ticket: await database.forIdentity((db) => issueTicket(db, session)) };
  const token = await database.forIdentity((db) => openSession(db, session));
  return { account: user, token, deviceToken: await deviceTokenFor(deps.devices, userId, deviceId), needsTwoFactor };
};
