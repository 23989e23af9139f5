import { connectedGitea, giteaCard } from '@breakwater/core/testing/browser/connector-cards.ts';
import { type Answer, answer, listOf } from '@breakwater/core/testing/browser/fake-http.ts';
import { failingPage } from '@breakwater/core/testing/browser/shell-scene.tsx';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { vi } from 'vitest';
import { FINDINGS_SITUATIONS } from './findings-situations.tsx';

import { click, type, type Way } from './ways.ts';
import { openApp } from './whole-app.tsx';

/** What the server says of two fields at once. */
const TWO_ISSUES = () =>
  answer(422, {
    detail: [
      { loc: ['body', 'a'], msg: 'The first is wrong.', type: 'pattern' },
      { loc: ['body', 'b'], msg: 'The second is missing.', type: 'required' },
    ],
    code: 'validation_failed',
  });
const BOTH = ['The first is wrong.', 'The second is missing.'];

const register = async (refusal: Answer | undefined) => {
  const app = openApp('/register', {
    role: 'nobody',
    answers: refusal === undefined ? {} : { 'POST /register': refusal },
  });
  await type('Organisation', 'Harbour');
  await type('Email', 'new@harbour.example');
  await click('Send the link');
  return app;
};

const PURCHASE = {
  ...{ name: 'Harbour', offer_id: 'saas', plan_id: 'team', plan_title: 'Team', quantity: 5 },
  ...{ status: 'PendingFulfillmentStart', term_end: null },
};
const activate = async (result: Answer) => {
  const app = openApp('/microsoft-marketplace?token=t', {
    answers: {
      'GET /microsoft-marketplace/payment-completion': () => ({ data: { _id: 'x', attributes: PURCHASE } }),
      'POST /api/activate-subscription': result,
    },
  });
  await click('Activate subscription');
  return app;
};

const source = (id: string, title: string) => ({
  _id: id,
  attributes: { title, count: 0, has_account: true, is_connected: true, problem: null },
});
const listRepositories = (id: string, title: string, refusal: Answer) =>
  openApp(`/manage-repositories?source_control=${id}`, {
    answers: {
      'GET /sources_control': () => ({ data: [source(id, title)] }),
      [`GET /sources_control/${id}/repositories`]: refusal,
    },
  });

const exchange = (provider: string, refusal: Answer) =>
  openApp(`/oauth/callback/${provider}?code=c&state=s`, { answers: { 'POST /api/oauth/token': refusal } });
const NOT_EXCHANGED = {
  ...{ success: false, error: 'invalid_grant', error_uri: '', code: 'token_exchange_failed' },
};

const PLAN = {
  ...{ tier: 'free', title: 'Free', description: '', amount_cents: 0, interval: 'month', yearly_discount: 0 },
  ...{ yearly_amount_cents: 0, limits: { repositories: 3, developers: 3, remediations: 0 }, features: [] },
  prices: { month: null, year: null },
};

/** A page of which a fault of ours is thrown. */
export const openBrokenPage = () =>
  openApp('/breaks', {
    extra: [{ path: '/breaks', layout: 'default', title: 'Breaks', load: failingPage(new Error('a fault of ours')) }],
  });

/** Every situation of the error catalogue by its name there, with the ways to its texts. */
export const SITUATIONS: Record<string, readonly Way[]> = {
  ...FINDINGS_SITUATIONS,
  'Token query missing on guarded guest page': [
    {
      shows: ['Error Status: 403', "You don't have permission for this page."],
      reach: () => openApp('/accept-invite', { role: 'nobody' }),
    },
  ],
  'source_control query missing': [
    {
      shows: ['Error Status: 403', 'Source control not found. Check your setting on connector page'],
      reach: () => openApp('/connector'),
    },
  ],
  'Always-throwing page': [{ shows: ['Page Not Found'], reach: () => openApp('/sbom-findings/detail/7') }],
  'Unknown route': [{ shows: ['Page not found'], reach: () => openApp('/no/such/page', { role: 'nobody' }) }],
  'Save or free-plan failure': [
    {
      shows: BOTH,
      reach: async () => {
        const app = openApp('/plan-pricings', {
          answers: {
            'GET /pricings': () => listOf([{ _id: 'p', attributes: PLAN }]),
            'GET /client/plan': () => ({
              data: {
                ...{ client_id: 'c', tier: 'team', title: 'Team', is_payment_configured: false, marketplace: null },
                ...{ legal_name: '', address: '', card: null, usage: [], use: [], subscription: null },
              },
            }),
            'PUT /client': TWO_ISSUES,
          },
        });
        await click('Choose Free');
        const confirm = await screen.findByRole('dialog');
        await userEvent.click(within(confirm).getByRole('button', { name: 'Choose Free' }));
        return app;
      },
    },
  ],
  'Invite returns 403': [
    {
      shows: ['The plan Team allows 3 people.'],
      reach: async () => {
        const app = openApp('/settings/team', {
          answers: {
            'GET /team': () => listOf([]),
            'POST /team': () => answer(403, { detail: 'The plan Team allows 3 people.', code: 'plan_limit' }),
          },
        });
        await click('Invite');
        const dialog = within(await screen.findByRole('dialog'));
        await userEvent.type(dialog.getByLabelText('Email'), 'new@harbour.example');
        await userEvent.click(dialog.getByRole('button', { name: 'Invite' }));
        return app;
      },
    },
  ],
  'Verification failure': [
    {
      shows: ['Email is not verified. Please try again'],
      reach: () => openApp('/verify-register/t', { role: 'nobody' }),
    },
    {
      shows: ['The link was used already.'],
      reach: () =>
        openApp('/verify-register/t', {
          role: 'nobody',
          answers: {
            'GET /verify-register/': () => answer(404, { detail: 'The link was used already.', code: 'link_invalid' }),
          },
        }),
    },
  ],
  'Registration failure': [
    { shows: ['User is not verified. Please try again'], reach: () => register(undefined) },
    { shows: BOTH, reach: () => register(TWO_ISSUES) },
  ],
  'AI config save error': [
    {
      shows: BOTH,
      reach: async () => {
        const card = giteaCard({ id: 'ai_remediator', title: 'AI remediator', category: 'miscellaneous' });
        const item = { ...card, _id: 'miscellaneous/airemediator' };
        const app = openApp('/connector/tools?open=miscellaneous/airemediator', {
          answers: {
            'GET /connectors': () => ({ data: [item] }),
            'GET /connectors/': () => ({ data: item }),
            'PUT /connectors/': TWO_ISSUES,
          },
        });
        await type('Access token', 'a-token-of-12');
        await type('Domain', 'ai.harbour.example');
        await click('Check and save');
        return app;
      },
    },
  ],
  'Bitbucket 401 with no refresh token': [
    {
      shows: [
        'Bitbucket cloud token expired, please create new one while redirecting to connector...',
        '/connector?source_control=bitbucket cloud',
      ],
      reach: () =>
        listRepositories('bitbucket_cloud', 'Bitbucket Cloud', () =>
          answer(409, {
            detail: 'Bitbucket cloud token expired, please create new one while redirecting to connector...',
            code: 'connection_expired',
          }),
        ),
    },
  ],
  'Token exchange failure': [
    {
      shows: ['Failed to access token due to processing data. Please try again later!'],
      reach: () =>
        exchange('github', () =>
          answer(400, {
            ...NOT_EXCHANGED,
            error_description: 'Failed to access token due to processing data. Please try again later!',
          }),
        ),
    },
  ],
  'Repository fetch failure': [
    {
      shows: ['Failed to get repositories GitHub', 'GitHub: It answered 500.'],
      reach: () =>
        listRepositories('github', 'GitHub', () =>
          answer(409, { detail: 'GitHub: It answered 500.', code: 'upstream_failed' }),
        ),
    },
  ],
  'Unknown provider': [
    {
      shows: ['SCM callback not found'],
      reach: () =>
        exchange('svn', () => answer(404, { detail: 'Oauth service not found', code: 'connector_not_found' })),
    },
    {
      shows: ['Oauth service not found'],
      reach: async () => {
        const item = connectedGitea();
        const app = openApp('/connector?source_control=gitea', {
          answers: {
            'GET /connectors': () => ({ data: [item] }),
            'GET /connectors/': () => ({ data: item }),
            'POST /connectors': () => answer(404, { detail: 'Oauth service not found', code: 'connector_not_found' }),
          },
        });
        await click('Check again');
        return app;
      },
    },
  ],
  Marketplace: [
    {
      shows: ['Permission Denied!', 'You need to have a valid account role admin to proceed!'],
      reach: () => openApp('/microsoft-marketplace?token=t', { role: 'developer' }),
    },
    {
      shows: [
        'Microsoft Marketplace Subscription On Hold',
        'You need to login before proceed activate subscription!',
        '/login?next=/microsoft-marketplace?token=t',
      ],
      reach: () => openApp('/microsoft-marketplace?token=t', { role: 'nobody' }),
    },
  ],
  'Subscription activation': [
    {
      shows: ['Failed to activate subscription. Please try again later or contact our administrator!'],
      reach: () => activate(() => answer(409, { detail: 'It belongs to others.', code: 'conflict' })),
    },
    {
      shows: ['Subscription activated successfully'],
      reach: () => activate(() => ({ success: true, data: { tier: 'team', title: 'Team' } })),
    },
  ],
  'Sign-in widget': [
    {
      shows: ['Google sent no credential. Try again, or sign in with your password.'],
      reach: async () => {
        let sent: (given: object) => void = () => undefined;
        vi.stubGlobal('google', {
          accounts: {
            id: {
              initialize: ({ callback }: { callback: typeof sent }) => {
                sent = callback;
              },
              renderButton: (place: HTMLElement) => place.replaceChildren('Sign in with Google'),
              cancel: () => undefined,
            },
          },
        });
        vi.spyOn(document.head, 'append').mockImplementation((script) => {
          if (script instanceof HTMLScriptElement) queueMicrotask(() => script.dispatchEvent(new Event('load')));
        });
        const opened = openApp('/login', {
          role: 'nobody',
          answers: {
            'GET /login/options': () => ({ data: { sends_mail: true, google: true } }),
            'POST /login/google/begin': () => ({
              success: true,
              data: { client_id: 'bw', script_url: 'https://accounts.google.test/gsi/client', nonce: 'n' },
            }),
          },
        });
        await screen.findByText('Sign in with Google');
        act(() => sent({ clientId: 'bw' }));
        return opened;
      },
    },
  ],
  'Unhandled app error': [
    {
      shows: ['Error Status: 500', 'Something went wrong.'],
      reach: openBrokenPage,
    },
  ],
};
