import { createFakeOAuth, type FakeOAuth, type TestAnswer } from '@breakwater/sdk/testing';

/** The OAuth consumer that the fake knows. */
export const OAUTH_APP = { clientId: 'fake-bitbucket-app', clientSecret: 'fake-bitbucket-app-secret' } as const;

const WRONG: TestAnswer = {
  status: 400,
  json: { error: 'invalid_grant', error_description: 'The specified code is not valid.' },
};

/** Client and secret go in basic authorization; there is no proof key. Source: Bitbucket Cloud, "OAuth on Bitbucket Cloud". */
export function fakeOAuth({ token, asksConsent = false }: { token: string; asksConsent?: boolean }): FakeOAuth {
  return createFakeOAuth({
    token,
    asksConsent,
    refresh: 'fake-bitbucket-refresh',
    paths: { authorize: '/site/oauth2/authorize', token: '/site/oauth2/access_token' },
    app: { ...OAUTH_APP, by: 'basic' },
    answer: ({ access, refresh }) => ({
      access_token: access,
      token_type: 'bearer',
      expires_in: 7200,
      refresh_token: refresh,
      scopes: 'account repository:write',
    }),
    refuse: (fault) => (fault === 'client' ? { status: 401, json: { error: 'unauthorized_client' } } : WRONG),
  });
}
