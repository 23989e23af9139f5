import { AppError, type FieldIssue } from '../../platform/model/app-error.ts';
import type { DatabaseHandle } from '../../platform/server/database.ts';
import { callerEndpoint, type Endpoint, type HandlerInput, publicEndpoint } from '../../platform/server/endpoint.ts';
import { createSetup, getSession, getSetup, login, logout } from '../api/routes.ts';
import { passwordFieldIssues } from '../model/password-policy.ts';
import { type Account, createFirstAccount, hashPassword, isSetupNeeded } from './accounts.ts';
import { type LoginLimiters, signIn } from './login.ts';
import { closeSession, openSession, SESSION_SECONDS } from './sessions.ts';
import { createTokenEndpoints } from './token-endpoints.ts';

export { ensureFirstAdmin, ensureSuperadmin, hashPassword, resetPassword } from './accounts.ts';
export { hasActiveToken, listApiTokens, warnOfTokenExpiry } from './api-tokens.ts';
export { LOGIN_LIMITS, type LoginLimiters } from './login.ts';
export { type Authenticator, createAuthenticator, openSession, TOKEN_GUESSES } from './sessions.ts';
export type { UsersTable } from './tables.ts';

export interface SessionDeps {
  database: DatabaseHandle;
  limiters: LoginLimiters;
}

/** API clients that name this type get the token in the body too. Source: decisions.md "Session". */
const TOKEN_MEDIA_TYPE = 'application/vnd.breakwater.token+json';

const sessionData = (account: Account) => ({
  user: { _id: account.userId, email: account.email, username: account.username, role: account.role },
  client: { _id: account.clientId, organization_name: account.organizationName },
});

/** Sets the cookie, and hands the token to clients that asked for it. */
const deliverToken = (
  input: Pick<HandlerInput<unknown, unknown, unknown>, 'reply' | 'request'>,
  token: string,
  remember: boolean,
) => {
  input.reply.setSessionCookie(token, remember ? { maxAgeSeconds: SESSION_SECONDS } : {});
  const accepts = input.request.headers.accept ?? '';
  return accepts.includes(TOKEN_MEDIA_TYPE) ? { access_token: token } : {};
};

const identifiersOf = (body: { email?: string; username?: string }): [string, ...string[]] => {
  const [first, ...others] = [body.email ?? '', body.username ?? ''].filter((value) => value.trim() !== '');
  if (first === undefined) {
    throw new AppError('validation_failed', 'Give an e-mail or a username.', {
      faults: [{ loc: ['body', 'email'], msg: 'Give an e-mail or a username.', type: 'missing' }],
    });
  }
  return [first, ...others];
};

/** A username that is somebody's e-mail would make two people answer to one name. */
const usernameFaults = (username: string, email: string): FieldIssue[] =>
  username.includes('@') && username.trim().toLowerCase() !== email.trim().toLowerCase()
    ? [{ loc: ['body', 'username'], msg: 'A username holds no @, unless it is your e-mail.', type: 'username' }]
    : [];

const setupEndpoint = ({ database }: SessionDeps): Endpoint =>
  publicEndpoint(createSetup)(async ({ body, reply, request }) => {
    if (!(await database.forIdentity(isSetupNeeded))) throw new AppError('setup_already_done');
    const faults = [
      ...usernameFaults(body.username, body.email),
      ...passwordFieldIssues(body.password, body.confirm_password),
    ];
    if (faults.length > 0) throw new AppError('validation_failed', undefined, { faults });
    const passwordHash = await hashPassword(body.password);
    const { account, token } = await database.forIdentity(async (db) => {
      const { email, username, password } = body;
      const made = await createFirstAccount(
        db,
        { organizationName: body.organization_name.trim(), email: email.trim(), username: username.trim(), password },
        passwordHash,
      );
      return { account: made, token: await openSession(db, { ...made, remember: false }) };
    });
    return { success: true, data: { ...sessionData(account), ...deliverToken({ reply, request }, token, false) } };
  });

const loginEndpoint = (deps: SessionDeps): Endpoint =>
  publicEndpoint(login)(async ({ body, reply, request, remoteAddress }) => {
    const remember = body.rememberMe ?? false;
    const identifiers = identifiersOf(body);
    const { account, token } = await signIn(deps, { identifiers, password: body.password, remember, remoteAddress });
    return { success: true, data: { ...sessionData(account), ...deliverToken({ reply, request }, token, remember) } };
  });

/** Sign-in, sign-out, first start, tokens of machines. */
export const createSessionEndpoints = (deps: SessionDeps): Endpoint[] => [
  publicEndpoint(getSetup)(async () => ({ data: { needed: await deps.database.forIdentity(isSetupNeeded) } })),
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
