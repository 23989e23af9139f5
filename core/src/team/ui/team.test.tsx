import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { answer, fakeHttp, listOf } from '../../testing/browser/fake-http.ts';
import { renderPage, withAddress } from '../../testing/browser/render-page.tsx';
import { createScene } from '../../testing/browser/shell-scene.tsx';
import { routes } from './routes.tsx';
import { TeamScreen } from './team-screen.tsx';

const member = (id: string, change: object = {}) => ({
  _id: id,
  attributes: {
    email: `${id}@example.test`,
    username: id,
    role: 'developer',
    status: 'active',
    expires_at: null,
    enable_2fa: false,
    ...change,
  },
});
const ALL = [
  member('u', { role: 'admin' }),
  member('bea'),
  member('i', { username: '', email: 'new@example.test', status: 'invited', expires_at: '2026-11-30T00:00:00Z' }),
];

const open = (answers: Parameters<typeof fakeHttp>[0] = {}) => {
  const http = fakeHttp({
    'GET /team': () => listOf(ALL),
    'GET /members': () => listOf(ALL.slice(0, 2)),
    ...answers,
  });
  const page = renderPage({
    api: http.api,
    at: '/settings/team',
    routes: [{ path: '/settings/team', element: withAddress(<TeamScreen />) }],
  });
  return { ...page, calls: http.calls };
};

afterEach(cleanup);

describe('the team', () => {
  it('shows members and invitations; nobody removes themselves', async () => {
    open();
    const row = (await screen.findByText('new@example.test')).closest('tr') ?? document.body;
    expect(within(row).getByText(/^Invited, until/)).toBeTruthy();
    expect(screen.getByText('3 people')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Remove u' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Remove bea' })).toBeTruthy();
  });

  it('invites by e-mail and role, and shows the link where no mail is sent', async () => {
    const { calls } = open({
      'POST /team': () => ({ success: true, data: { ...ALL[2], link: '/accept-invite?token=abc' } }),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Invite' }));
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.type(dialog.getByLabelText('Email'), 'new@example.test');
    await userEvent.selectOptions(dialog.getByLabelText('Role'), 'cyberoper');
    await userEvent.click(dialog.getByRole('button', { name: 'Invite' }));
    const link = await screen.findByLabelText<HTMLInputElement>('Invitation link', { selector: 'input' });
    expect(link.value).toBe(`${window.location.origin}/accept-invite?token=abc`);
    expect(calls.find(({ method, path }) => method === 'POST' && path === '/team')?.body).toEqual({
      email: 'new@example.test',
      role: 'cyberoper',
    });
  });

  it('switches two-factor off for a member who has it', async () => {
    const { calls } = open({
      'GET /team': () => listOf([...ALL.slice(0, 1), member('bea', { enable_2fa: true })]),
      'POST /team/bea/reset-2fa': () => ({ success: true }),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Switch off two-factor of bea' }));
    expect(screen.queryByRole('button', { name: 'Switch off two-factor of u' })).toBeNull();
    const dialog = within(await screen.findByRole('dialog', { name: /of bea/ }));
    await userEvent.click(dialog.getByRole('button', { name: 'Switch off' }));
    await waitFor(() => expect(calls.some(({ path }) => path === '/team/bea/reset-2fa')).toBe(true));
  });

  it('shows the detail of a refusal as it is, and the way to a larger plan', async () => {
    open({ 'POST /team': () => answer(403, { detail: 'The plan allows 3 people.', code: 'plan_limit' }) });
    await userEvent.click(await screen.findByRole('button', { name: 'Invite' }));
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.type(dialog.getByLabelText('Email'), 'new@example.test');
    await userEvent.click(dialog.getByRole('button', { name: 'Invite' }));
    await dialog.findByText('The plan allows 3 people.');
    expect(dialog.getByRole('link', { name: 'See the plans' }).getAttribute('href')).toBe('/plan-pricings');
  });

  it('removes a member and hands over what they own; changes a role', async () => {
    const { calls } = open({
      'DELETE /team/bea': () => ({ success: true }),
      'PUT /team/bea': () => ({ success: true }),
    });
    await userEvent.selectOptions(await screen.findByLabelText('Role of bea'), 'admin');
    await waitFor(() => expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ role: 'admin' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Remove bea' }));
    const dialog = within(await screen.findByRole('dialog'));
    await dialog.findByRole('option', { name: 'u' });
    await userEvent.selectOptions(dialog.getByLabelText('Their findings and repositories go to'), 'u');
    await userEvent.click(dialog.getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(calls.find(({ method }) => method === 'DELETE')?.query.get('hand_over_to')).toBe('u'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});

const GUEST = {
  'GET /setup': () => ({ data: { needed: false } }),
  'GET /accept-verification/abc': () => ({
    data: { email: 'new@example.test', role: 'developer', organization_name: 'Harbour' },
  }),
};

describe('the page of an invitation', () => {
  it('needs a token', async () => {
    createScene({ entries: routes, answers: GUEST }).show('/accept-invite');
    await screen.findByText("You don't have permission for this page.");
  });

  it('makes the account and leads to the sign-in', async () => {
    const scene = createScene({
      entries: [
        ...routes,
        { path: '/login', layout: 'guest', title: 'Sign in', load: async () => () => <p>Sign in here</p> },
      ],
      answers: {
        ...GUEST,
        'POST /accept-verification/abc': () => ({ success: true, data: { email: 'new@example.test' } }),
      },
    });
    scene.show('/accept-invite?token=abc');
    await screen.findByRole('heading', { name: 'Join Harbour' });
    await userEvent.type(screen.getByLabelText('Username'), 'newbie');
    await userEvent.type(screen.getByLabelText('Password'), 'Tr0ub4dor&3-horse');
    await userEvent.type(screen.getByLabelText('Repeat password'), 'Tr0ub4dor&3-horse');
    await userEvent.click(screen.getByRole('button', { name: 'Accept the invitation' }));
    await screen.findByText('Sign in here');
    expect(scene.calls.find(({ method }) => method === 'POST')?.body).toMatchObject({ username: 'newbie' });
  });

  it('says why a link opens nothing', async () => {
    const refuse = () => answer(404, { detail: 'This invitation has expired.', code: 'invitation_not_found' });
    createScene({ entries: routes, answers: { ...GUEST, 'GET /accept-verification/abc': refuse } }).show(
      '/accept-invite?token=abc',
    );
    await screen.findByText('This invitation has expired.');
  });

  it('asks who is signed in to sign out first', async () => {
    const scene = createScene({ entries: routes, answers: { ...GUEST, 'POST /logout': () => ({ success: true }) } });
    const user = { _id: 'x', email: 'x@example.test', username: 'xaver', role: 'admin' } as const;
    scene.session.adopt({ user, client: { _id: 'c', organization_name: 'Elsewhere' } });
    scene.show('/accept-invite?token=abc');
    await screen.findByText(/You are signed in as xaver/);
    await userEvent.click(screen.getByRole('button', { name: 'Sign out' }));
    await screen.findByRole('heading', { name: 'Join Harbour' });
  });
});
