import { createFakeOAuth, type FakeOAuth, type TestAnswer } from '@breakwater/sdk/testing';

/** The OAuth application that the fake knows. */
export const OAUTH_APP = { clientId: 'fake-gitlab-app', clientSecret: 'fake-gitlab-app-secret' } as const;

const WRONG: TestAnswer = {
  status: 400,
  json: { error: 'invalid_grant', error_description: 'The provided authorization grant is invalid.' },
};

/** A refresh token works once. Source: GitLab, "OAuth 2.0 identity provider API". */
export function fakeOAuth({ token, asksConsent = false }: { token: string; asksConsent?: boolean }): FakeOAuth {
  return createFakeOAuth({
    token,
    asksConsent,
    refresh: 'fake-gitlab-refresh',
    rotates: true,
    paths: { authorize: '/oauth/authorize', token: '/oauth/token', revoke: '/oauth/revoke' },
    app: { ...OAUTH_APP, by: 'body or basic' },
    answer: ({ access, refresh }) => ({
      access_token: access,
      token_type: 'Bearer',
      expires_in: 7200,
      refresh_token: refresh,
      scope: 'api',
      created_at: 1,
    }),
    refuse: (fault) => (fault === 'client' ? { status: 401, json: { error: 'invalid_client' } } : WRONG),
  });
}
