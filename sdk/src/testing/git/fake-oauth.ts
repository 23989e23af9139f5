import { createHash } from 'node:crypto';
import type { Json } from '../../context.ts';
import type { TestAnswer, TestRequest } from '../test-service.ts';

/** Tokens of the one account that a fake provider has. */
export interface FakeTokens {
  /** The access token that is taken now. */
  readonly access: string;
  /** The one that the next renewal needs. */
  readonly refresh: string;
  /** How often somebody renewed it. */
  readonly renewals: number;
  /** Refuses the access token that was given out, as if its time had passed: whoever renews it gets another one. */
  expire(): void;
}

/** Why a request for tokens is refused: the application, its code, the proof key of it, or the refresh token is wrong. */
export type OAuthFault = 'client' | 'code' | 'proof' | 'refresh';

/** How one provider speaks OAuth 2.0. */
export interface FakeOAuthOptions {
  /** The first access token. */
  readonly token: string;
  readonly refresh: string;
  readonly paths: { readonly authorize: string; readonly token: string; readonly revoke?: string };
  /** The application that is registered; left out: any is. */
  readonly app?: { readonly clientId: string; readonly clientSecret: string; readonly by: 'basic' | 'body or basic' };
  /** A refresh token that was used has a successor. */
  readonly rotates?: boolean;
  /** Shows a page on which the person agrees or not, as in a browser. Default: they agree at once. */
  readonly asksConsent?: boolean;
  /** The answer that brings tokens. */
  answer(tokens: FakeTokens): Json;
  /** The answer that refuses them, in the provider's words. */
  refuse(fault: OAuthFault): TestAnswer;
}

export interface FakeOAuth {
  readonly tokens: FakeTokens;
  /** Null where the request is for another part of the provider. */
  answer(request: TestRequest): TestAnswer | null;
}

interface Grant {
  readonly redirectUri: string;
  readonly challenge: string | null;
}

interface State {
  readonly options: FakeOAuthOptions;
  readonly tokens: FakeTokens & { refresh: string; renewals: number };
  /** Codes that were given out and not used yet. */
  readonly grants: Map<string, Grant>;
  codes: number;
}

/** The sign-in of a fake provider: codes work once and for whoever began, a proof key is checked where one was promised. */
export function createFakeOAuth(options: FakeOAuthOptions): FakeOAuth {
  let expired = 0;
  const tokens: State['tokens'] = {
    get access() {
      return expired === 0 ? options.token : `${options.token}-${expired}`;
    },
    refresh: options.refresh,
    renewals: 0,
    expire: () => {
      expired += 1;
    },
  };
  const state: State = { options, tokens, grants: new Map(), codes: 0 };
  return { tokens, answer: (request) => answerOAuth(state, request) };
}

function answerOAuth(state: State, request: TestRequest): TestAnswer | null {
  const { paths } = state.options;
  const { method, path } = request;
  if (method === 'GET' && path === paths.authorize) return authorize(state, request);
  if (method !== 'POST' || (path !== paths.token && path !== paths.revoke)) return null;
  const form = new URLSearchParams(request.body);
  if (!isOurApp(state.options, form, request.headers['authorization'])) return state.options.refuse('client');
  if (path === paths.revoke) return { json: {} };
  return form.get('grant_type') === 'refresh_token' ? renew(state, form) : exchange(state, form);
}

function authorize(state: State, request: TestRequest): TestAnswer {
  const { app, asksConsent = false } = state.options;
  const { query } = request;
  const redirectUri = query.get('redirect_uri') ?? '';
  const clientId = query.get('client_id');
  const isKnown = app === undefined ? clientId !== null : clientId === app.clientId;
  if (!isKnown || !URL.canParse(redirectUri)) return { status: 400, body: 'The application is not registered.' };
  const decision = query.get('decision');
  if (asksConsent && decision === null) return decisionPage('Breakwater wants to use your account', request);
  if (decision === 'deny') return sendBack(redirectUri, query, { error: 'access_denied' });
  state.codes += 1;
  const code = `code-${state.codes}`;
  state.grants.set(code, { redirectUri, challenge: query.get('code_challenge') });
  return sendBack(redirectUri, query, { code });
}

function exchange({ options, tokens, grants }: State, form: URLSearchParams): TestAnswer {
  const code = form.get('code') ?? '';
  const grant = grants.get(code);
  if (form.get('grant_type') !== 'authorization_code' || grant === undefined) return options.refuse('code');
  const sameAddress = form.get('redirect_uri') ?? grant.redirectUri;
  if (sameAddress !== grant.redirectUri) return options.refuse('code');
  const verifier = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  if (grant.challenge !== null && grant.challenge !== verifier) return options.refuse('proof');
  grants.delete(code);
  return { json: options.answer(tokens) };
}

function renew({ options, tokens }: State, form: URLSearchParams): TestAnswer {
  if (form.get('refresh_token') !== tokens.refresh) return options.refuse('refresh');
  tokens.renewals += 1;
  if (options.rotates === true) tokens.refresh = `${options.refresh}-${tokens.renewals}`;
  return { json: options.answer(tokens) };
}

function isOurApp({ app }: FakeOAuthOptions, form: URLSearchParams, authorization = ''): boolean {
  if (app === undefined) return true;
  const { clientId, clientSecret, by } = app;
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const isInBody = form.get('client_id') === clientId && form.get('client_secret') === clientSecret;
  return authorization === basic || (by === 'body or basic' && isInBody);
}

/** Sends a browser back to the application, with what it sent along as state. */
export function sendBack(to: string, query: URLSearchParams, brings: Readonly<Record<string, string>>): TestAnswer {
  const target = new URL(to);
  for (const [name, value] of Object.entries({ ...brings, state: query.get('state') ?? '' })) {
    target.searchParams.set(name, value);
  }
  return { status: 302, headers: { location: target.href } };
}

/** A page of the provider on which a person agrees ("Authorize") or does not ("Cancel"): the same address, with the decision. */
export function decisionPage(question: string, { path, query }: TestRequest): TestAnswer {
  const to = (decision: string): string => {
    const params = new URLSearchParams(query);
    params.set('decision', decision);
    return `${path}?${params}`.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  };
  const links = `<a href="${to('allow')}">Authorize</a> <a href="${to('deny')}">Cancel</a>`;
  const body = `<!doctype html><html lang="en"><title>Consent</title><link rel="icon" href="data:,"><h1>${question}</h1><p>${links}</p></html>`;
  return { headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}
