import { createHash, timingSafeEqual } from 'node:crypto';
import type { Static } from 'typebox';
import { AppError, type FieldIssue } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import { organizationNameIssues } from '../../platform/model/plain-name.ts';
import { callerEndpoint, type Endpoint, type HandlerInput, publicEndpoint } from '../../platform/server/endpoint.ts';
import { loginByGoogle } from '../api/google-routes.ts';
import {
  createSetup,
  getSession,
  getSetup,
  getSignInOptions,
  login,
  logout,
  type SignInOptions,
} from '../api/routes.ts';
import { finishLogin } from '../api/two-factor-routes.ts';
import { newAccountIssues } from '../model/password-policy.ts';
import { type Account, createFirstAccount, hashPassword, isSetupNeeded, type KnownUser } from './accounts.ts';
import { recordFailedSignIn } from './failed-sign-in.ts';
import { createGoogleEndpoints } from './google/endpoints.ts';
import { readGoogleState } from './google/profile.ts';
import { type GoogleSignInDeps, signInByGoogle } from './google/sign-in.ts';
import { DEVICE_SECONDS, deviceTokenFor, type LoginLimiters, type SignedIn, signIn } from './login.ts';
import { createProfileEndpoints, type ProfileDeps } from './profile/endpoints.ts';
import { readLocale } from './profile/locale.ts';
import { createSessionListEndpoints } from './session-endpoints.ts';
import { closeSession, openSession, SESSION_SECONDS } from './sessions.ts';
import { createPersonalTokenEndpoints } from './tokens/personal-tokens.ts';
import { createTokenEndpoints } from './tokens/token-endpoints.ts';
import { warnOfTokenExpiry } from './tokens/token-expiry.ts';
import { createTwoFactorEndpoints, proofOf, type TwoFactorDeps } from './two-factor/endpoints.ts';
import { finishSignIn } from './two-factor/finish-sign-in.ts';

export { newAccountIssues, passwordFieldIssues } from '../model/password-policy.ts';
export {
  createAccount,
  ensureFirstAdmin,
  ensureSuperadmin,
  findByIdentifier,
  hashPassword,
  isSetupNeeded,
  resetPassword,
  setPassword,
  verifyPassword,
} from './accounts.ts';
export { createGoogle } from './google/google-provider.ts';
export { GOOGLE_TOKEN } from './google/profile.ts';
export { GOOGLE_LIMIT } from './google/sign-in.ts';
export { LOGIN_LIMITS, type LoginLimiters } from './login.ts';
export { isFreshSession, readProofs, sessionPersonalData } from './personal-data.ts';
export { createAvatarService } from './profile/avatar-service.ts';
export { forgetProfile } from './profile/forget-profile.ts';
export { readReader } from './reader.ts';
export {
  type Authenticator,
  closeAllSessions,
  createAuthenticator,
  openSession,
  TOKEN_GUESSES,
} from './sessions.ts';
export { refuseTakenName } from './taken-names.ts';
export { hasActiveToken, listApiTokens } from './tokens/api-tokens.ts';
export { revokePersonalTokens } from './tokens/personal-tokens.ts';
export { countAttempt, SECOND_FACTOR_LIMITS, type TwoFactorDeps } from './two-factor/endpoints.ts';
export { resetTwoFactor, resetTwoFactorByOperator } from './two-factor/reset-two-factor.ts';
export { disable as forgetTwoFactor, prove } from './two-factor/second-factor.ts';

export interface SessionDeps extends TwoFactorDeps, GoogleSignInDeps, ProfileDeps {
  limiters: LoginLimiters;
  /** Printed at start: opens the first start to who sits at another machine. */
  setupCode: string;
  /** What this installation offers to who is not signed in. */
  signInOptions: Omit<Static<typeof SignInOptions>, 'google'>;
}

/** API clients that name this type get the token in the body too. Source: decisions.md "Session". */
const TOKEN_MEDIA_TYPE = 'application/vnd.breakwater.token+json';

const sessionData = ({ avatars }: Pick<SessionDeps, 'avatars'>, account: Account, needsTwoFactor = false) => ({
  user: { _id: account.userId, email: account.email, username: account.username, role: account.role },
  client: { _id: account.clientId, organization_name: account.organizationName },
  ...(needsTwoFactor ? { needs_2fa: true as const } : {}),
  ...(avatars === undefined ? {} : { has_avatars: true as const }),
});

/** Sets the cookies, and hands the token to clients that asked for it. */
const deliverToken = (
  input: Pick<HandlerInput<unknown, unknown, unknown>, 'reply' | 'request'>,
  { token, deviceToken }: { token: string; deviceToken: string },
  remember: boolean,
) => {
  input.reply.setSessionCookie(token, remember ? { maxAgeSeconds: SESSION_SECONDS } : {});
  input.reply.setDeviceCookie(deviceToken, { maxAgeSeconds: DEVICE_SECONDS });
  const accepts = input.request.headers.accept ?? '';
  return accepts.includes(TOKEN_MEDIA_TYPE) ? { access_token: token } : {};
};

/** Sets the cookies of a sign-in that is complete. */
const signedInData = async (
  deps: SessionDeps,
  input: Pick<HandlerInput<unknown, unknown, unknown>, 'reply' | 'request'>,
  { account, needsTwoFactor, ...tokens }: SignedIn,
  remember: boolean,
) => ({
  ...sessionData(deps, account, needsTwoFactor),
  locale: await deps.database.forIdentity((db) => readLocale(db, account)),
  ...deliverToken(input, tokens, remember),
});

/** The second step of a sign-in: ticket and code. */
const finishLoginEndpoint = (deps: SessionDeps): Endpoint =>
  publicEndpoint(finishLogin)(async ({ body, reply, request, deviceToken, origin }) => {
    const proof = proofOf(body);
    const { remember, ...signedIn } = await finishSignIn(deps, { ticket: body.ticket, proof, deviceToken, origin });
    return { success: true, data: await signedInData(deps, { reply, request }, signedIn, remember) };
  });

const identifiersOf = (body: { email?: string; username?: string }): [string, ...string[]] => {
  const [first, ...others] = [body.email ?? '', body.username ?? ''].filter((value) => value.trim() !== '');
  if (first === undefined) {
    throw new AppError('validation_failed', msg('Give an e-mail or a username.'), {
      issues: [{ loc: ['body', 'email'], msg: msg('Give an e-mail or a username.'), type: 'missing' }],
    });
  }
  return [first, ...others];
};

const isCode = (given: string, code: string): boolean => {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given.toUpperCase().replace(/[^0-9A-Z]/g, '')), digest(code.replaceAll('-', '')));
};

/** From another machine only who can read what the server printed may make the first organisation. @throws too_many_requests */
const codeFaults = async (
  deps: SessionDeps,
  given: string | undefined,
  remoteAddress: string,
): Promise<FieldIssue[]> => {
  await deps.limiters.address.take(remoteAddress);
  if (given === undefined || !isCode(given, deps.setupCode)) {
    const text = msg('Enter the setup code that the server printed at its start.');
    return [{ loc: ['body', 'setup_code'], msg: text, type: 'setup_code' }];
  }
  await deps.limiters.address.giveBack(remoteAddress);
  return [];
};

const setupEndpoint = (deps: SessionDeps): Endpoint =>
  publicEndpoint(createSetup)(async ({ body, reply, request, isLocal, remoteAddress, origin }) => {
    const { database, devices } = deps;
    if (!(await database.forIdentity(isSetupNeeded))) throw new AppError('setup_already_done');
    const issues = [
      ...(isLocal ? [] : await codeFaults(deps, body.setup_code, remoteAddress)),
      ...organizationNameIssues(body.organization_name),
      ...newAccountIssues(body),
    ];
    if (issues.length > 0) throw new AppError('validation_failed', undefined, { issues });
    const passwordHash = await hashPassword(body.password);
    const { account, token, deviceToken } = await database.forIdentity(async (db) => {
      const { email, username, password } = body;
      const made = await createFirstAccount(
        db,
        { organizationName: body.organization_name.trim(), email: email.trim(), username: username.trim(), password },
        passwordHash,
      );
      const token = await openSession(db, { ...made, remember: false, origin, method: 'setup' });
      return { account: made, token, deviceToken: await deviceTokenFor(devices, made.userId) };
    });
    return {
      success: true,
      data: { ...sessionData(deps, account), ...deliverToken({ reply, request }, { token, deviceToken }, false) },
    };
  });

const loginEndpoint = (deps: SessionDeps): Endpoint =>
  publicEndpoint(login)(async (input) => {
    const { body, reply, request, remoteAddress, deviceToken, origin, log } = input;
    const remember = body.rememberMe ?? false;
    const identifiers = identifiersOf(body);
    const { password } = body;
    const onRefused = (user: KnownUser): void => {
      const reason = user.isActive ? 'wrong password' : 'not active';
      recordFailedSignIn(deps.database, { user, origin, reason }).catch((error) =>
        log.error({ err: error }, 'a failed sign-in'),
      );
    };
    const result = await signIn(deps, {
      identifiers,
      password,
      remember,
      remoteAddress,
      deviceToken,
      origin,
      onRefused,
    });
    if ('ticket' in result) return { requires_2fa: true, ticket: result.ticket };
    return { success: true, data: await signedInData(deps, { reply, request }, result, remember) };
  });

const googleEndpoint = (deps: SessionDeps): Endpoint =>
  publicEndpoint(loginByGoogle)(async ({ body, reply, request, remoteAddress, deviceToken, signInToken, origin }) => {
    const result = await signInByGoogle(deps, {
      ...body,
      browserToken: signInToken,
      deviceToken,
      remoteAddress,
      origin,
    });
    if ('ticket' in result) return { requires_2fa: true, ticket: result.ticket };
    return { success: true, data: await signedInData(deps, { reply, request }, result, false) };
  });

/** Sign-in, sign-out, first start, tokens of machines and people. */
export const createSessionEndpoints = (deps: SessionDeps): Endpoint[] => [
  publicEndpoint(getSetup)(async ({ isLocal }) => {
    const needed = await deps.database.forIdentity(isSetupNeeded);
    return { data: { needed, ...(needed && !isLocal ? { needs_code: true } : {}) } };
  }),
  setupEndpoint(deps),
  publicEndpoint(getSignInOptions)(() => ({
    data: { ...deps.signInOptions, google: deps.google !== undefined },
  })),
  loginEndpoint(deps),
  googleEndpoint(deps),
  finishLoginEndpoint(deps),
  callerEndpoint(logout)(async ({ caller, reply }) => {
    await deps.database.forIdentity((db) => closeSession(db, caller));
    reply.clearSessionCookie();
    return { success: true };
  }),
  callerEndpoint(getSession)(async ({ caller }) => {
    const { organization_name, two_factor_at, google, locale } = await deps.database.forIdentity(async (db) => ({
      ...(await db
        .selectFrom('users')
        .innerJoin('clients', 'clients.id', 'users.client_id')
        .select(['clients.organization_name', 'users.two_factor_at'])
        .where('users.client_id', '=', caller.clientId)
        .where('users.id', '=', caller.userId)
        .executeTakeFirstOrThrow()),
      google: await readGoogleState(db, caller),
      locale: await readLocale(db, caller),
    }));
    const account = { ...caller, organizationName: organization_name };
    const data = sessionData(deps, account, caller.needsTwoFactor);
    return { success: true, data: { ...data, locale, enable_2fa: two_factor_at !== null, ...google } };
  }),
  ...createGoogleEndpoints(deps),
  ...createProfileEndpoints(deps),
  ...createTokenEndpoints(),
  ...createPersonalTokenEndpoints(),
  ...createSessionListEndpoints(),
  ...createTwoFactorEndpoints(deps),
];

/** Jobs of this slice; the server runs them. A new one is one more name. */
export const sessionJobs = [warnOfTokenExpiry] as const;
