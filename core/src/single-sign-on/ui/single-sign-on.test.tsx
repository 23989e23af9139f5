import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { routes as sessionRoutes } from '../../session/ui/routes.tsx';
import type { RouteEntry } from '../../shell/ui/routing/route-entry.ts';
import { type Answer, answer, fakeHttp, listOf } from '../../testing/browser/fake-http.ts';
import { renderPage } from '../../testing/browser/render-page.tsx';
import { createScene, pageOf, SESSION_ANSWER } from '../../testing/browser/shell-scene.tsx';
import { routes } from './routes.tsx';
import { SettingsScreen } from './settings-screen.tsx';

const CLIENT = '0191c2e0-7b1a-7000-8000-000000000002';
const ENTRIES: readonly RouteEntry[] = [
  ...sessionRoutes,
  ...routes.filter(({ path }) => path.startsWith('/login')),
  { path: '/findings', layout: 'default', title: 'Findings', load: pageOf('The findings') },
];

const open = (address: string, answers: Record<string, Answer>) => {
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
  const scene = createScene({
    answers: {
      'GET /setup': () => ({ data: { needed: false } }),
      'GET /login/options': () => ({ data: { sends_mail: false } }),
      'GET /session': () => answer(401, { detail: 'Sign in.', code: 'not_authenticated' }),
      ...answers,
    },
    entries: ENTRIES,
  });
  return { ...scene, router: scene.show(address) };
};

const bodiesOf = (calls: { path: string; method: string; body: unknown }[], path: string, method = 'POST') =>
  calls.filter((call) => call.path === path && call.method === method).map(({ body }) => body);

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

test('where passwords do not count, the sign-in page leads on with the e-mail, and from there to the provider', async () => {
  const leave = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
  const { calls } = open('/login?next=%2Ffindings', {
    'POST /login': () => answer(403, { detail: 'Use single sign-on.', code: 'single_sign_on_required' }),
    'POST /login/single-sign-on': () => ({ success: true, data: { url: 'https://idp.test/authorize?state=x' } }),
  });
  await userEvent.type(await screen.findByLabelText('Email or username'), 'ann@example.test');
  await userEvent.type(screen.getByLabelText('Password'), 'x');
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  await screen.findByRole('heading', { name: 'Single sign-on' });
  expect(screen.getByLabelText<HTMLInputElement>('Work email').value).toBe('ann@example.test');
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(leave.mock.calls).toEqual([['https://idp.test/authorize?state=x']]));
  expect(bodiesOf(calls, '/login/single-sign-on')).toEqual([{ email: 'ann@example.test', next: '/findings' }]);
});

test('the e-mail is judged before it is sent, and a refusal is said beside the form', async () => {
  const detail = 'No organisation signs in people of other.test by single sign-on. Use your password.';
  const { calls } = open('/login', {
    'POST /login/single-sign-on': () => answer(403, { detail, code: 'single_sign_on_refused' }),
  });
  await userEvent.click(await screen.findByRole('link', { name: 'Sign in with single sign-on' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Continue' }));
  expect(screen.getByRole('alert').textContent).toContain('Enter your work email address.');
  expect(bodiesOf(calls, '/login/single-sign-on')).toEqual([]);
  await userEvent.type(screen.getByLabelText('Work email'), 'ann@other.test');
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  await screen.findByText(detail);
});

test('the way back hands the answer on once, takes it out of the address and shows what was wanted', async () => {
  let isSignedIn = false;
  const { calls, router, session } = open(`/login/single-sign-on/${CLIENT}?state=s1&code=c1&session_state=dropped`, {
    [`POST /login/single-sign-on/${CLIENT}/finish`]: () => {
      isSignedIn = true;
      return { success: true, data: { return_path: '/findings', test: null } };
    },
    'GET /session': () =>
      isSignedIn ? SESSION_ANSWER : answer(401, { detail: 'Sign in.', code: 'not_authenticated' }),
  });
  await screen.findByRole('heading', { name: 'The findings' });
  expect(session.user?.username).toBe('lead');
  expect(bodiesOf(calls, `/login/single-sign-on/${CLIENT}/finish`)).toEqual([{ state: 's1', code: 'c1' }]);
  expect(router.state.location.pathname + router.state.location.search).toBe('/findings');
});

test('a refusal says why and offers both ways in; a return path to another site is not followed', async () => {
  const detail = 'This sign-in was not begun in this browser.';
  const { router } = open(`/login/single-sign-on/${CLIENT}?ticket=none`, {
    [`POST /login/single-sign-on/${CLIENT}/finish`]: () => answer(403, { detail, code: 'single_sign_on_refused' }),
  });
  await screen.findByText(detail);
  expect(screen.getByRole('heading', { name: 'The sign-in was refused' })).toBeDefined();
  expect(router.state.location.search).toBe('');
  expect(screen.getByRole('link', { name: 'Begin again' }).getAttribute('href')).toBe('/login/single-sign-on');
  expect(screen.getByRole('link', { name: 'Use your password instead' })).toBeDefined();
});

test('a test shows what would have happened, and leads back to the settings', async () => {
  const outcome = {
    subject: 'sub-1',
    email: 'ann@example.test',
    email_verified: true,
    groups: ['security'],
    account: 'matched',
    username: 'ann',
    role: 'cyberoper',
  };
  open(`/login/single-sign-on/${CLIENT}?state=s&code=c`, {
    [`POST /login/single-sign-on/${CLIENT}/finish`]: () => ({
      success: true,
      data: { return_path: '/settings/single-sign-on', test: outcome },
    }),
  });
  await screen.findByRole('heading', { name: 'The test was accepted' });
  expect(screen.getByText('ann@example.test, verified')).toBeDefined();
  expect(screen.getByText('Security operator')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Back to the settings' }).getAttribute('href')).toBe(
    '/settings/single-sign-on',
  );
});

const SETTINGS = {
  protocol: 'oidc',
  is_enabled: false,
  is_enforced: false,
  creates_accounts: true,
  trusts_emails: false,
  default_role: 'developer',
  role_rules: [],
  groups_claim: 'groups',
  domains: [],
  oidc_issuer: '',
  oidc_client_id: '',
  has_oidc_client_secret: false,
  oidc_client_secret_hint: '',
  saml_entity_id: '',
  saml_sign_in_url: '',
  saml_certificates: [],
  saml_email_attribute: '',
  tested_at: null,
  service: {
    redirect_uri: `https://bw.test/login/single-sign-on/${CLIENT}`,
    entity_id: `https://bw.test/api/v1/single-sign-on/saml/${CLIENT}`,
    acs_url: `https://bw.test/api/v1/single-sign-on/saml/${CLIENT}/acs`,
    scim_url: 'https://bw.test/scim/v2',
  },
} as const;

const PATH = '/settings/single-sign-on';

const openSettings = (stored: object, onSave: Answer) => {
  const { api, calls } = fakeHttp({
    'GET /single-sign-on': () => ({ data: { ...SETTINGS, ...stored } }),
    'PUT /single-sign-on': onSave,
    'GET /plexalyzer_tokens': () => listOf([]),
    'POST /generate_plexalyzer_token': ({ body }) => ({
      success: true,
      data: { _id: 't', token: 'bwp_shown-once', created_at: '2026-11-23T10:00:00Z', ...Object(body) },
    }),
  });
  renderPage({ api, at: PATH, routes: [{ path: PATH, element: <SettingsScreen /> }] });
  return { calls, saved: () => bodiesOf(calls, '/single-sign-on', 'PUT') };
};

test('what was changed is sent, and nothing else; what is refused stands at its field', async () => {
  const issues = [{ loc: ['body', 'domains'], msg: 'other.test cannot be claimed.', type: 'value' }];
  const { saved } = openSettings({}, () => answer(422, { detail: issues, code: 'validation_failed' }));
  await userEvent.type(await screen.findByLabelText('Issuer'), 'https://idp.test');
  await userEvent.type(screen.getByLabelText('Client id'), 'breakwater');
  await userEvent.type(screen.getByLabelText('Client secret'), 'very-secret');
  await userEvent.type(screen.getByLabelText('Email domains'), 'other.test');
  await userEvent.click(screen.getByRole('button', { name: 'Add a group' }));
  await userEvent.type(screen.getByLabelText('Group 1'), 'security');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Test the sign-in' }).disabled).toBe(true);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(saved()).toEqual([
      {
        oidc_issuer: 'https://idp.test',
        oidc_client_id: 'breakwater',
        oidc_client_secret: 'very-secret',
        domains: ['other.test'],
        role_rules: [{ group: 'security', role: 'cyberoper' }],
      },
    ]),
  );
  const field = await screen.findByLabelText('Email domains');
  expect(document.getElementById(`${field.id}-error`)?.textContent).toBe('other.test cannot be claimed.');
});

test('it is the only way in after a test alone, and after a question', async () => {
  const { saved } = openSettings({ is_enabled: true, tested_at: '2026-11-23T10:00:00Z' }, ({ body }) => ({
    success: true,
    data: { ...SETTINGS, is_enabled: true, tested_at: '2026-11-23T10:00:00Z', ...Object(body) },
  }));
  await userEvent.click(await screen.findByLabelText('Single sign-on is the only way in'));
  expect(saved()).toEqual([]);
  const dialog = await screen.findByRole('dialog');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Let them no longer count' }));
  await screen.findByText('The only way in');
  expect(saved()).toEqual([{ is_enforced: true }]);
  cleanup();
  openSettings({ is_enabled: true }, () => ({}));
  expect((await screen.findByLabelText<HTMLInputElement>('Single sign-on is the only way in')).disabled).toBe(true);
});

test('SAML takes the metadata as a file or by its address', async () => {
  const { saved } = openSettings({ protocol: 'saml' }, ({ body }) => ({
    success: true,
    data: { ...SETTINGS, protocol: 'saml', saml_entity_id: 'https://idp.test', ...Object(body) },
  }));
  await userEvent.type(await screen.findByLabelText('Metadata address'), 'https://idp.test/metadata');
  const file = new File(['<EntityDescriptor/>'], 'metadata.xml');
  await userEvent.upload(screen.getByLabelText('Metadata of the identity provider'), file);
  await screen.findByText('The file is read when you save.');
  expect(screen.getByLabelText<HTMLInputElement>('Metadata address').value).toBe('');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(saved()).toEqual([{ saml_metadata: '<EntityDescriptor/>' }]));
  await waitFor(() =>
    expect(screen.getByLabelText<HTMLInputElement>('Entity id of the provider').value).toBe('https://idp.test'),
  );
});

test('a token for provisioning has its scope alone, and is shown once', async () => {
  const { calls } = openSettings({}, () => ({}));
  expect((await screen.findByLabelText<HTMLInputElement>('SCIM base address')).value).toBe('https://bw.test/scim/v2');
  await userEvent.type(screen.getByLabelText('Name'), 'Entra');
  await userEvent.click(screen.getByRole('button', { name: 'Create token' }));
  expect((await screen.findByLabelText<HTMLInputElement>('Token')).value).toBe('bwp_shown-once');
  expect(bodiesOf(calls, '/generate_plexalyzer_token')).toEqual([
    { name: 'Entra', scopes: ['scim'], expired_at: expect.stringMatching(/^\d{4}-/) },
  ]);
  await userEvent.click(screen.getByRole('button', { name: 'I have stored it' }));
  expect(screen.queryByLabelText('Token')).toBeNull();
});
