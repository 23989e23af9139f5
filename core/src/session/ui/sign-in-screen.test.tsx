import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { UNSAVED_TEXTS } from '../../platform/ui/feedback/unsaved-texts.ts';
import type { RouteEntry } from '../../shell/ui/routing/route-entry.ts';
import { type Answer, answer } from '../../testing/browser/fake-http.ts';
import { createScene, memoryStorage, pageOf, SESSION_ANSWER } from '../../testing/browser/shell-scene.tsx';
import { routes } from './routes.tsx';

const ENTRIES: readonly RouteEntry[] = [
  ...routes,
  { path: '/findings', layout: 'default', title: 'Findings', load: pageOf('The findings') },
];

const open = async (login: Answer, address = '/login', sendsMail = false, more: Record<string, Answer> = {}) => {
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
  const scene = createScene({
    answers: {
      'GET /setup': () => ({ data: { needed: false } }),
      'GET /login/options': () => ({ data: { sends_mail: sendsMail, google: false } }),
      ...more,
      'POST /login': login,
    },
    entries: ENTRIES,
  });
  scene.show(address);
  await screen.findByRole('heading', { name: 'Sign in' });
  return scene;
};

const fill = async (name: string, password: string) => {
  await userEvent.type(screen.getByLabelText('Email or username'), name);
  await userEvent.type(screen.getByLabelText('Password'), password);
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
};

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

test('names empty fields beside them and in a summary that takes the focus; nothing is sent', async () => {
  const { calls } = await open(() => SESSION_ANSWER);
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  const summary = screen.getByRole('alert');
  await waitFor(() => expect(document.activeElement).toBe(summary));
  const field = screen.getByLabelText('Email or username');
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    'Enter your email or username.',
  );
  await userEvent.click(screen.getByRole('link', { name: 'Enter your password.' }));
  expect(document.activeElement).toBe(screen.getByLabelText('Password'));
  expect(calls.filter((call) => call.path === '/login')).toHaveLength(0);
});

test('a refusal keeps what was typed and does not reload the page', async () => {
  const detail = 'The e-mail, username or password is wrong.';
  const { reloads } = await open(() => answer(401, { detail, code: 'bad_credentials' }));
  await fill('lead@harbour.example', 'Wrong-1!');
  await screen.findByText(detail);
  expect(screen.getByLabelText<HTMLInputElement>('Email or username').value).toBe('lead@harbour.example');
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('Wrong-1!');
  expect(reloads()).toBe(0);
});

test('counts down where the server asks for a pause, then takes the next attempt', async () => {
  const busy = new Response(JSON.stringify({ detail: 'Too many attempts.', code: 'too_many_requests' }), {
    status: 429,
    headers: { 'retry-after': '2' },
  });
  await open(() => busy);
  await fill('lead', 'Wrong-1!');
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Try again in 2 s' });
  expect(button.disabled).toBe(true);
  await screen.findByRole('button', { name: 'Try again in 1 s' }, { timeout: 120_000 });
  await screen.findByRole('button', { name: 'Sign in' }, { timeout: 120_000 });
});

test('an e-mail address and a username are sent as what they are', async () => {
  const refuse = () => answer(401, { detail: 'Wrong.', code: 'bad_credentials' });
  const { calls } = await open(refuse);
  await fill('lead@harbour.example', 'x');
  await screen.findByText('Wrong.');
  await userEvent.clear(screen.getByLabelText('Email or username'));
  await fill('lead', 'y');
  await waitFor(() => expect(calls.filter((call) => call.path === '/login')).toHaveLength(2));
  const bodies = calls.filter((call) => call.path === '/login').map((call) => call.body);
  expect(bodies).toEqual([
    { email: 'lead@harbour.example', password: 'x', rememberMe: false },
    { username: 'lead', password: 'xy', rememberMe: false },
  ]);
});

test('a success leads where the person wanted to go', async () => {
  const { session } = await open(() => SESSION_ANSWER, '/login?next=%2Ffindings');
  await userEvent.click(screen.getByLabelText('Keep me signed in on this device'));
  await fill('lead', 'Right-1!');
  await screen.findByRole('heading', { name: 'The findings' });
  expect(session.user?.username).toBe('lead');
});

test('the password can be looked at', async () => {
  await open(() => SESSION_ANSWER);
  const field = screen.getByLabelText<HTMLInputElement>('Password');
  await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
  expect(field.type).toBe('text');
  await userEvent.click(screen.getByRole('button', { name: 'Hide password' }));
  expect(field.type).toBe('password');
});

test('says that what was written before the session ended is kept, and says nothing of it to anybody else', async () => {
  const notice = /What you wrote is shown once you have signed in again/;
  await open(() => SESSION_ANSWER);
  expect(screen.queryByText(notice)).toBeNull();
  cleanup();

  const storage = memoryStorage();
  const scene = createScene({
    answers: { 'GET /setup': () => ({ data: { needed: false } }) },
    entries: ENTRIES,
    storage,
  });
  scene.services.get(UNSAVED_TEXTS).watch(() => ({ what: 'Mark 1 finding false positive', text: 'Only in tests' }));
  scene.services.get(UNSAVED_TEXTS).keep('somebody');
  scene.show('/login');
  expect(await screen.findByText(notice)).toBeDefined();
  expect(screen.queryByText('Only in tests')).toBeNull();
});

test('leads to registration where people may register by themselves', async () => {
  await open(() => SESSION_ANSWER, '/login', true);
  const link = await screen.findByRole('link', { name: 'Create an account' });
  expect(link.getAttribute('href')).toBe('/register');
  cleanup();
  const { calls } = await open(() => SESSION_ANSWER);
  await waitFor(() => expect(calls.some(({ path }) => path === '/login/options')).toBe(true));
  expect(screen.queryByRole('link', { name: 'Create an account' })).toBeNull();
});

const TICKET = 'x'.repeat(43);
const wantsCode: Answer = () => ({ requires_2fa: true, ticket: TICKET });

test('asks for a code where the account has two-factor, and goes on with a recovery code as well', async () => {
  const detail = 'The code of the second factor is wrong or was used already.';
  let isRight = false;
  const { calls, session } = await open(wantsCode, '/login?next=%2Ffindings', false, {
    'POST /login/2fa': () => (isRight ? SESSION_ANSWER : answer(401, { detail, code: 'second_factor_wrong' })),
  });
  await fill('lead', 'Right-1!');
  await screen.findByRole('heading', { name: 'Enter your code' });
  expect(session.isSignedIn).toBe(false);
  await userEvent.type(screen.getByLabelText('Code'), '12345');
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(screen.getByRole('alert').textContent).toContain('six digits');
  await userEvent.type(screen.getByLabelText('Code'), '6');
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  await screen.findByText(detail);
  isRight = true;
  await userEvent.click(screen.getByRole('button', { name: 'Use a recovery code' }));
  await userEvent.type(await screen.findByLabelText('Recovery code'), 'ABCD-EFGH-JKMN-PQRS');
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  await screen.findByRole('heading', { name: 'The findings' });
  expect(calls.filter(({ path }) => path === '/login/2fa').map(({ body }) => body)).toEqual([
    { ticket: TICKET, otp_code: '123456' },
    { ticket: TICKET, recovery_code: 'ABCD-EFGH-JKMN-PQRS' },
  ]);
});

test('a code that comes too late leads back to the password', async () => {
  await open(wantsCode, '/login', false, {
    'POST /login/2fa': () => answer(401, { detail: 'Begin again.', code: 'sign_in_ticket_invalid' }),
  });
  await fill('lead', 'Right-1!');
  await userEvent.type(await screen.findByLabelText('Code'), '123456');
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  await screen.findByText(/later than five minutes/);
  expect(screen.getByLabelText('Password')).toBeTruthy();
});
