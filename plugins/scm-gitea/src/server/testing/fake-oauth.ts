import { createHash } from 'node:crypto';
import type { TestAnswer, TestRequest } from '@breakwater/sdk/testing';
import type { Known } from './state.ts';

/** Signing in: the person agrees at once. Null where it is another page. Source: Gitea, "OAuth2 provider". */
export function answerOAuth(known: Known, request: TestRequest): TestAnswer | null {
  if (request.method === 'GET' && request.path === '/login/oauth/authorize') return authorize(known, request);
  if (request.method === 'POST' && request.path === '/login/oauth/access_token') return exchange(known, request);
  return null;
}

function authorize(known: Known, { query }: TestRequest): TestAnswer {
  const redirectUri = query.get('redirect_uri');
  if (redirectUri === null || query.get('client_id') === null) return { status: 400, body: 'Client ID not registered' };
  const target = new URL(redirectUri);
  // Codes are counted, so that each is given out once.
  const code = `code-${known.oauth.size + 1}`;
  known.oauth.set(code, { redirectUri, challenge: query.get('code_challenge') });
  target.searchParams.set('code', code);
  target.searchParams.set('state', query.get('state') ?? '');
  return { status: 302, headers: { location: target.href } };
}

function exchange(known: Known, { body }: TestRequest): TestAnswer {
  const form = new URLSearchParams(body);
  const tokens = {
    access_token: known.token,
    token_type: 'bearer',
    expires_in: 3600,
    refresh_token: 'made-for-tests-only-refresh',
  };
  if (form.get('grant_type') === 'refresh_token') {
    const isKnown = form.get('refresh_token') === tokens.refresh_token;
    return isKnown ? { json: tokens } : denied('unauthorized_client', 'unable to parse refresh token');
  }
  const code = form.get('code') ?? '';
  const given = known.oauth.get(code);
  if (given === undefined || given.redirectUri === '') return denied('unauthorized_client', 'client is not authorized');
  const verifier = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  if (given.challenge !== null && given.challenge !== verifier)
    return denied('unauthorized_client', 'failed PKCE code challenge');
  // A code is used once; that it was given out is kept, so that codes stay unique.
  known.oauth.set(code, { redirectUri: '', challenge: null });
  return { json: tokens };
}

function denied(error: string, description: string): TestAnswer {
  return { status: 400, json: { error, error_description: description } };
}
