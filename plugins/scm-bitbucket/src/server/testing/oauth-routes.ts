import type { TestAnswer, TestRequest } from '@breakwater/sdk/testing';

/** The OAuth consumer that the fake knows. */
export const OAUTH_APP = { clientId: 'fake-bitbucket-app', clientSecret: 'fake-bitbucket-app-secret' } as const;

/**
 * Bitbucket's OAuth 2.0: whoever comes has signed in and consents. Client and secret go in basic authorization; a code works once, a refresh
 * token again and again. Source: Bitbucket Cloud, "OAuth on Bitbucket Cloud".
 */
export function fakeOAuth(token: string): (request: TestRequest) => TestAnswer | null {
  const codes = new Set<string>();
  const tokens: TestAnswer = {
    json: {
      access_token: token,
      token_type: 'bearer',
      expires_in: 7200,
      refresh_token: 'fake-bitbucket-refresh',
      scopes: 'account repository:write',
    },
  };
  const basic = `Basic ${Buffer.from(`${OAUTH_APP.clientId}:${OAUTH_APP.clientSecret}`).toString('base64')}`;
  return ({ method, path, query, body, headers }) => {
    if (method === 'GET' && path === '/site/oauth2/authorize') {
      const address = query.get('redirect_uri') ?? '';
      if (query.get('client_id') !== OAUTH_APP.clientId || !URL.canParse(address)) {
        return { status: 400, body: 'Invalid OAuth client credentials' };
      }
      const code = `code-${codes.size + 1}`;
      codes.add(code);
      const target = new URL(address);
      target.searchParams.set('code', code);
      target.searchParams.set('state', query.get('state') ?? '');
      return { status: 302, headers: { location: target.href } };
    }
    if (method !== 'POST' || path !== '/site/oauth2/access_token') return null;
    if (headers['authorization'] !== basic) return { status: 401, json: { error: 'unauthorized_client' } };
    const form = new URLSearchParams(body);
    const isRefresh =
      form.get('grant_type') === 'refresh_token' && form.get('refresh_token') === 'fake-bitbucket-refresh';
    if (isRefresh) return tokens;
    const code = form.get('code') ?? '';
    const isGood = form.get('grant_type') === 'authorization_code' && codes.has(code);
    // Kept, so that the next code has another name.
    if (isGood) codes.add(`used ${code}`);
    codes.delete(code);
    return isGood
      ? tokens
      : { status: 400, json: { error: 'invalid_grant', error_description: 'The specified code is not valid.' } };
  };
}
