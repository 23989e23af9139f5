import type { Logger } from 'pino';
import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import { nextPathOf } from '../../platform/model/next-path.ts';
import { sayEnglish } from '../../platform/model/translator.ts';
import type { RequestOrigin } from '../../platform/server/audit.ts';
import { callerEndpoint, type Endpoint, type HandlerInput, publicEndpoint } from '../../platform/server/endpoint.ts';
import { openSession } from '../../session/server/index.ts';
import * as routes from '../api/routes.ts';
import { domainOf, type ProvenIdentity } from '../model/identity.ts';
import { SIGN_IN_SECONDS } from '../model/settings.ts';
import type { SingleSignOnDeps } from './deps.ts';
import { admitMember, matchMember } from './find-member.ts';
import { type Provider, providerAddress, readProvider, redeemCode } from './providers.ts';
import { NOT_BEGUN, refusal } from './refusal.ts';
import { beginRequest, drawState, type PendingSignIn, takeRequest } from './requests.ts';
import { findClientOfDomain, markTested, readSettings } from './settings-store.ts';

type Input = Pick<HandlerInput<unknown, unknown, unknown>, 'reply' | 'signInToken'>;

interface Begin {
  clientId: string;
  purpose: PendingSignIn['purpose'];
  returnPath: string;
  loginHint: string | undefined;
}

/** Begins a sign-in in this browser. A cookie that is there is used again, so that two windows may sign in side by side. */
const begin = async (deps: SingleSignOnDeps, input: Input, request: Begin): Promise<string> => {
  const { clientId, purpose, returnPath, loginHint } = request;
  const browserToken = input.signInToken ?? drawState();
  const { provider, state } = await deps.database.forClient(clientId, async (db) => ({
    provider: await readProvider(deps, db, clientId),
    state: await beginRequest(db, clientId, { browserToken, purpose, returnPath }),
  }));
  const url = await providerAddress(deps, provider, { state, loginHint });
  input.reply.setSignInCookie(browserToken, { maxAgeSeconds: SIGN_IN_SECONDS });
  return url;
};

interface Back {
  clientId: string;
  provider: Provider;
  pending: PendingSignIn;
  identity: ProvenIdentity;
}

/** What a test shows. */
const testOutcome = (deps: SingleSignOnDeps, { clientId, provider, identity }: Back) =>
  deps.database.forClient(clientId, async (db) => {
    const { account, user, role } = await matchMember(db, provider.settings, identity);
    await markTested(db, clientId);
    return {
      subject: identity.subject,
      email: identity.email,
      email_verified: identity.isEmailVerified,
      groups: identity.groups,
      account,
      username: user?.username ?? null,
      role: role === undefined || role === 'superadmin' ? null : role,
    };
  });

const signIn = async (
  deps: SingleSignOnDeps,
  input: Input & { log: Logger; origin: RequestOrigin },
  back: Back,
): Promise<void> => {
  const { clientId, provider, identity } = back;
  const { settings } = provider;
  if (!settings.is_enabled) throw refusal(msg('Single sign-on of this organisation is switched off.'));
  const { userId, token } = await deps.database.forClient(clientId, async (db) => {
    const member = await admitMember(db, deps.limits, { settings, identity });
    const session = { clientId, ...member, remember: false, origin: input.origin, method: settings.protocol };
    return { userId: member.userId, token: await openSession(db, session) };
  });
  input.reply.setSessionCookie(token, {});
  input.log.info({ user_id: userId, client_id: clientId, issuer: identity.issuer }, 'signed in by single sign-on');
};

interface Answer {
  state?: string;
  code?: string;
  iss?: string;
  error?: string;
  error_description?: string;
  ticket?: string;
}

/** Takes what was begun here, and learns who the person is. @throws single_sign_on_refused */
const redeem = async (
  deps: SingleSignOnDeps,
  { clientId, browserToken, answer }: { clientId: string; browserToken: string; answer: Answer },
): Promise<Back> => {
  const state = answer.ticket ?? answer.state;
  if (state === undefined) throw refusal(NOT_BEGUN);
  // committed whatever comes of it: an answer counts once
  const pending = await deps.database.forClient(clientId, (db) => takeRequest(db, clientId, { state, browserToken }));
  if (pending === undefined) throw refusal(NOT_BEGUN);
  const provider = await deps.database.forClient(clientId, (db) => readProvider(deps, db, clientId));
  const { result } = pending;
  if ((answer.ticket !== undefined) !== (result !== null)) throw refusal(NOT_BEGUN);
  if (result === null) {
    const { ticket: _, ...parameters } = answer;
    return { clientId, provider, pending, identity: await redeemCode(deps, provider, { ...parameters, state }) };
  }
  if ('refusal' in result) throw refusal(result.refusal);
  return { clientId, provider, pending, identity: result.identity };
};

const isForPasswords = { password: true, single_sign_on: false };

/** What somebody who is not signed in may ask. */
const publicEndpoints = (deps: SingleSignOnDeps): Endpoint[] => [
  publicEndpoint(routes.getLoginOptions)(async ({ body, remoteAddress }) => {
    await deps.attempts.take(remoteAddress);
    const clientId = await deps.database.forIdentity((db) => findClientOfDomain(db, domainOf(body.email)));
    if (clientId === undefined) return { data: isForPasswords };
    const settings = await deps.database.forClient(clientId, (db) => readSettings(db, clientId));
    if (settings?.is_enabled !== true) return { data: isForPasswords };
    return { data: { password: !settings.is_enforced, single_sign_on: true } };
  }),
  publicEndpoint(routes.beginSingleSignOn)(async (input) => {
    const { email, next } = input.body;
    await deps.attempts.take(input.remoteAddress);
    const clientId = await deps.database.forIdentity((db) => findClientOfDomain(db, domainOf(email)));
    const settings =
      clientId === undefined ? undefined : await deps.database.forClient(clientId, (db) => readSettings(db, clientId));
    if (clientId === undefined || settings?.is_enabled !== true) {
      throw refusal(
        sayEnglish('No organisation signs in people of {email} by single sign-on. Use your password.', {
          email: domainOf(email),
        }),
      );
    }
    const returnPath = nextPathOf(next ?? null);
    return {
      success: true,
      data: { url: await begin(deps, input, { clientId, purpose: 'sign-in', returnPath, loginHint: email }) },
    };
  }),
  publicEndpoint(routes.finishSingleSignOn)(async (input) => {
    const { params, body: answer, signInToken, remoteAddress } = input;
    await deps.attempts.take(remoteAddress);
    if (signInToken === undefined) throw refusal(NOT_BEGUN);
    const back = await redeem(deps, { clientId: params.client_id, browserToken: signInToken, answer });
    const { returnPath: return_path, purpose } = back.pending;
    if (purpose === 'test') return { success: true, data: { return_path, test: await testOutcome(deps, back) } };
    await signIn(deps, input, back);
    return { success: true, data: { return_path, test: null } };
  }),
];

/** Sign-in by single sign-on, and its test. */
export const signInEndpoints = (deps: SingleSignOnDeps): Endpoint[] => [
  ...publicEndpoints(deps),
  callerEndpoint(routes.testSettings)(async (input) => {
    const { caller } = input;
    if (caller.tokenScopes !== undefined) throw new AppError('forbidden');
    const begun = { clientId: caller.clientId, purpose: 'test', returnPath: '/settings/single-sign-on' } as const;
    return { success: true, data: { url: await begin(deps, input, { ...begun, loginHint: caller.email }) } };
  }),
];
