import { createHash } from 'node:crypto';
import type { Json } from '@breakwater/sdk';
import type { TestAnswer, TestRequest } from '@breakwater/sdk/testing';
import type { Known } from './state.ts';

type OAuthRoute = (known: Known, request: TestRequest) => TestAnswer;

/** Codes are counted, so that each is given out once. */
const codeOf = (known: Known): string => `code-${known.oauth.size + 1}`;

/** Signing in through the app: the person agrees at once. Source: GitHub, "Generating a user access token for a GitHub App". */
function authorize(known: Known, { query }: TestRequest): TestAnswer {
  const redirectUri = query.get('redirect_uri');
  if (redirectUri === null || query.get('client_id') === null) return { status: 404, body: 'Not Found' };
  const target = new URL(redirectUri);
  const code = codeOf(known);
  known.oauth.set(code, { redirectUri, challenge: query.get('code_challenge') });
  target.searchParams.set('code', code);
  target.searchParams.set('state', query.get('state') ?? '');
  return { status: 302, headers: { location: target.href } };
}

/** GitHub answers with 200 also where the standard says 400. Source: GitHub, "Troubleshooting OAuth app access token request errors". */
function exchange(known: Known, { body }: TestRequest): TestAnswer {
  const form = new URLSearchParams(body);
  if (form.get('grant_type') === 'refresh_token') return refreshed(known, form.get('refresh_token'));
  const code = form.get('code') ?? '';
  const given = known.oauth.get(code);
  const verifier = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  const isProven = given !== undefined && (given.challenge === null || given.challenge === verifier);
  if (!isProven || given.redirectUri === '') {
    return {
      json: {
        error: 'bad_verification_code',
        error_description: 'The code passed is incorrect or expired.',
        error_uri: 'https://docs.github.com/apps/managing-oauth-apps/troubleshooting',
      },
    };
  }
  // A code is used once; that it was given out is kept, so that codes stay unique.
  known.oauth.set(code, { redirectUri: '', challenge: '' });
  return { json: tokensOf(known) };
}

const REFRESH_TOKEN = 'ghr_made_for_tests_only';

function refreshed(known: Known, token: string | null): TestAnswer {
  if (token === REFRESH_TOKEN) return { json: tokensOf(known) };
  const words = { error_description: 'The refresh token passed is incorrect or expired.' };
  return { json: { error: 'bad_refresh_token', ...words, error_uri: 'https://docs.github.com' } };
}

function tokensOf({ token }: Known): Json {
  const lives = { expires_in: 28_800, refresh_token: REFRESH_TOKEN, refresh_token_expires_in: 15_811_200 };
  return { access_token: token, token_type: 'bearer', scope: '', ...lives };
}

export const OAUTH_ROUTES: Readonly<Record<string, OAuthRoute>> = {
  'GET /login/oauth/authorize': authorize,
  'POST /login/oauth/access_token': exchange,
};
