import { createHash, timingSafeEqual } from 'node:crypto';
import { AppError, type FieldIssue } from '../../platform/model/app-error.ts';
import type { DatabaseHandle } from '../../platform/server/database.ts';
import { callerEndpoint, type Endpoint, type HandlerInput, publicEndpoint } from '../../platform/server/endpoint.ts';
import { createSetup, getSession, getSetup, login, logout } from '../api/routes.ts';
import { passwordFieldIssues, usernameIssues } from '../model/password-policy.ts';
import { type Account, createFirstAccount, hashPassword, isSetupNeeded } from './accounts.ts';
import { warnOfTokenExpiry } from './api-tokens.ts';
import { DEVICE_SECONDS, type DeviceSigner, deviceTokenFor, type LoginLimiters, signIn } from './login.ts';
import { closeSession, openSession, SESSION_SECONDS } from './sessions.ts';
import { createTokenEndpoints } from './token-endpoints.ts';

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
export { hasActiveToken, listApiTokens } from './api-tokens.ts';
export { LOGIN_LIMITS, type LoginLimiters } from './login.ts';
export { type Authenticator, closeAllSessions, createAuthenticator, openSession, TOKEN_GUESSES } from './sessions.ts';

export interface SessionDeps {
  database: DatabaseHandle;
  limiters: LoginLimiters;
  devices: DeviceSigner;
  /** Printed at start: opens the first start to who sits at another machine. */
  setupCode: string;
}

/** API clients that name this type get the token in the body too. Source: decisions.md "Session". */
const TOKEN_MEDIA_TYPE = 'application/vnd.breakwater.token+json';

const sessionData = (account: Account) => ({
  user: { _id: account.userId, email: account.email, username: account.username, role: account.role },
  client: { _id: account.clientId, organization_name: account.organizationName },
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

const identifiersOf = (body: { email?: string; username?: string }): [string, ...string[]] => {
  const [first, ...others] = [body.email ?? '', body.username ?? ''].filter((value) => value.trim() !== '');
  if (first === undefined) {
    throw new AppError('validation_failed', 'Give an e-mail or a username.', {
      issues: [{ loc: ['body', 'email'], msg: 'Give an e-mail or a username.', type: 'missing' }],
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
    const msg = 'Enter the setup code that the server printed at its start.';
    return [{ loc: ['body', 'setup_code'], msg, type: 'setup_code' }];
  }
  await deps.limiters.address.giveBack(remoteAddress);
  return [];
};

const setupEndpoint = (deps: SessionDeps): Endpoint =>
  publicEndpoint(createSetup)(async ({ body, reply, request, isLocal, remoteAddress }) => {
    const { database, devices } = deps;
    if (!(await database.forIdentity(isSetupNeeded))) throw new AppError('setup_already_done');
    const issues = [
      ...(isLocal ? [] : await codeFaults(deps, body.setup_code, remoteAddress)),
      ...usernameIssues(body.username, body.email),
      ...passwordFieldIssues(body.password, body.confirm_password),
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
      const token = await openSession(db, { ...made, remember: false });
      return { account: made, token, deviceToken: await deviceTokenFor(devices, made.userId) };
    });
    return {
      success: true,
      data: { ...sessionData(account), ...deliverToken({ reply, request }, { token, deviceToken }, false) },
    };
  });

const loginEndpoint = (deps: SessionDeps): Endpoint =>
  publicEndpoint(login)(async ({ body, reply, request, remoteAddress, deviceToken }) => {
    const remember = body.rememberMe ?? false;
    const identifiers = identifiersOf(body);
    const { password } = body;
    const { account, ...tokens } = await signIn(deps, { identifiers, password, remember, remoteAddress, deviceToken });
    return { success: true, data: { ...sessionData(account), ...deliverToken({ reply, request }, tokens, remember) } };
  });

/** Sign-in, sign-out, first start, tokens of machines. */
export const createSessionEndpoints = (deps: SessionDeps): Endpoint[] => [
  publicEndpoint(getSetup)(async ({ isLocal }) => {
    const needed = await deps.database.forIdentity(isSetupNeeded);
    return { data: { needed, ...(needed && !isLocal ? { needs_code: true } : {}) } };
  }),
  setupEndpoint(deps),
  loginEndpoint(deps),
  callerEndpoint(logout)(async ({ caller, reply }) => {
    await deps.database.forIdentity((db) => closeSession(db, caller));
    reply.clearSessionCookie();
    return { success: true };
  }),
  callerEndpoint(getSession)(async ({ caller }) => {
    const { organization_name } = await deps.database.forIdentity((db) =>
      db.selectFrom('clients').select('organization_name').where('id', '=', caller.clientId).executeTakeFirstOrThrow(),
    );
    const account = { ...caller, organizationName: organization_name };
    return { success: true, data: { ...sessionData(account), enable_2fa: false, google_auth: 0 } };
  }),
  ...createTokenEndpoints(),
];

/** Jobs of this slice; the server runs them. A new one is one more name. */
export const sessionJobs = [warnOfTokenExpiry] as const;
