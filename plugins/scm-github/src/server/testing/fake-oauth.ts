import {
  createFakeOAuth,
  decisionPage,
  type FakeOAuth,
  type OAuthFault,
  sendBack,
  type TestAnswer,
  type TestRequest,
} from '@breakwater/sdk/testing';
import type { Known } from './state.ts';

const REFUSALS: Readonly<Record<OAuthFault, readonly [error: string, description: string]>> = {
  client: ['incorrect_client_credentials', 'The client_id and/or client_secret passed are incorrect.'],
  code: ['bad_verification_code', 'The code passed is incorrect or expired.'],
  proof: ['bad_verification_code', 'The code passed is incorrect or expired.'],
  refresh: ['bad_refresh_token', 'The refresh token passed is incorrect or expired.'],
};

/**
 * Refusals come with 200 too. Source: GitHub, "Generating a user access token for a GitHub App" and "Troubleshooting OAuth app access token
 * request errors".
 */
export function fakeOAuth({ token, asksConsent = false }: { token: string; asksConsent?: boolean }): FakeOAuth {
  return createFakeOAuth({
    token,
    asksConsent,
    refresh: 'ghr_made_for_tests_only',
    paths: { authorize: '/login/oauth/authorize', token: '/login/oauth/access_token' },
    answer: ({ access, refresh }) => ({
      access_token: access,
      token_type: 'bearer',
      scope: '',
      expires_in: 28_800,
      refresh_token: refresh,
      refresh_token_expires_in: 15_811_200,
    }),
    refuse: (fault) => {
      const [error, description] = REFUSALS[fault];
      return { json: { error, error_description: description, error_uri: 'https://docs.github.com' } };
    },
  });
}

/**
 * Choosing what the app may see. GitHub goes back to the address that the app's settings name. Null where it is another page.
 * Source: GitHub, "About the setup URL".
 */
export function answerInstallation({ installations, setupUrl }: Known, request: TestRequest): TestAnswer | null {
  if (request.method !== 'GET' || !/^\/apps\/[^/]+\/installations\/new$/.test(request.path)) return null;
  const [installation] = installations;
  if (installation === undefined || setupUrl === null) return { status: 404, body: 'Not Found' };
  if (request.query.get('decision') === null) return decisionPage('Install Breakwater', request);
  return sendBack(setupUrl, request.query, { installation_id: String(installation.id), setup_action: 'install' });
}
