import { createFakeOAuth, type FakeOAuth, type OAuthFault } from '@breakwater/sdk/testing';

const REFUSALS: Readonly<Record<OAuthFault, readonly [error: string, description: string]>> = {
  client: ['invalid_client', 'cannot load client'],
  code: ['unauthorized_client', 'client is not authorized'],
  proof: ['unauthorized_client', 'failed PKCE code challenge'],
  refresh: ['unauthorized_client', 'unable to parse refresh token'],
};

/** Source: Gitea, "OAuth2 provider". */
export function fakeOAuth({ token, asksConsent = false }: { token: string; asksConsent?: boolean }): FakeOAuth {
  return createFakeOAuth({
    token,
    asksConsent,
    refresh: 'made-for-tests-only-refresh',
    paths: { authorize: '/login/oauth/authorize', token: '/login/oauth/access_token' },
    answer: ({ access, refresh }) => ({
      access_token: access,
      token_type: 'bearer',
      expires_in: 3600,
      refresh_token: refresh,
    }),
    refuse: (fault) => {
      const [error, description] = REFUSALS[fault];
      return { status: 400, json: { error, error_description: description } };
    },
  });
}
