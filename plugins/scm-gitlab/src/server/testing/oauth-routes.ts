import { createHash } from 'node:crypto';
import type { TestAnswer, TestRequest } from '@breakwater/sdk/testing';

/** The OAuth application that the fake knows. */
export const OAUTH_APP = { clientId: 'fake-gitlab-app', clientSecret: 'fake-gitlab-app-secret' } as const;

interface Grant {
  readonly challenge: string | null;
  readonly redirectUri: string;
}

/**
 * GitLab's OAuth 2.0: whoever comes has signed in and consents. A code and a refresh token work once; PKCE is checked where it was asked
 * for. Source: GitLab, "OAuth 2.0 identity provider API".
 */
export function fakeOAuth(token: string): (request: TestRequest) => TestAnswer | null {
  const codes = new Map<string, Grant>();
  const refreshTokens = new Set<string>();
  let count = 0;
  const issue = (): TestAnswer => {
    count += 1;
    const refresh = `refresh-${count}`;
    refreshTokens.add(refresh);
    return {
      json: {
        access_token: token,
        token_type: 'Bearer',
        expires_in: 7200,
        refresh_token: refresh,
        scope: 'api',
        created_at: 1,
      },
    };
  };
  return ({ method, path, query, body, headers }) => {
    if (method === 'GET' && path === '/oauth/authorize') {
      const redirectUri = query.get('redirect_uri') ?? '';
      if (query.get('client_id') !== OAUTH_APP.clientId || !URL.canParse(redirectUri)) {
        return { status: 401, body: 'Client authentication failed due to unknown client.' };
      }
      count += 1;
      const code = `code-${count}`;
      codes.set(code, { challenge: query.get('code_challenge'), redirectUri });
      const target = new URL(redirectUri);
      target.searchParams.set('code', code);
      target.searchParams.set('state', query.get('state') ?? '');
      return { status: 302, headers: { location: target.href } };
    }
    if (method !== 'POST' || !path.startsWith('/oauth/')) return null;
    const form = new URLSearchParams(body);
    if (!isOurApp(form, headers['authorization'])) return { status: 401, json: { error: 'invalid_client' } };
    if (path === '/oauth/revoke') return { json: {} };
    if (path !== '/oauth/token') return null;
    const wrong: TestAnswer = {
      status: 400,
      json: { error: 'invalid_grant', error_description: 'The provided authorization grant is invalid.' },
    };
    if (form.get('grant_type') === 'refresh_token') {
      return refreshTokens.delete(form.get('refresh_token') ?? '') ? issue() : wrong;
    }
    const grant = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    if (grant === undefined || grant.redirectUri !== form.get('redirect_uri')) return wrong;
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    return grant.challenge === null || grant.challenge === verifier ? issue() : wrong;
  };
}

function isOurApp(form: URLSearchParams, authorization = ''): boolean {
  const { clientId, clientSecret } = OAUTH_APP;
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  return authorization === basic || (form.get('client_id') === clientId && form.get('client_secret') === clientSecret);
}
