import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { routes as sessionRoutes } from '../../session/ui/routes.tsx';
import type { RouteEntry } from '../../shell/ui/routing/route-entry.ts';
import { type Answer, answer, listOf } from '../../testing/browser/fake-http.ts';
import { createScene, SESSION_ANSWER } from '../../testing/browser/shell-scene.tsx';
import { routes } from './routes.tsx';

const TOKEN = 'a'.repeat(43);
const PASSWORD = 'An0ther-secret!';
const ENTRIES: readonly RouteEntry[] = [...routes, ...sessionRoutes];
const REGISTRATION = { success: true, data: { email: 'new@harbour.example', organization_name: 'Harbour' } };
const LINK_INVALID = answer.bind(null, 404, {
  detail: 'The link is wrong, was used already, or has ended. Ask for a new one.',
  code: 'link_invalid',
});

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});
beforeEach(() => {
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
});

const show = (address: string, answers: Record<string, Answer>, sendsMail = true) => {
  const scene = createScene({
    answers: {
      'GET /setup': () => ({ data: { needed: false } }),
      'GET /session': () => answer(401, { detail: 'Sign in.', code: 'not_authenticated' }),
      'GET /login/options': () => ({ data: { sends_mail: sendsMail, google: false } }),
      ...answers,
    },
    entries: ENTRIES,
  });
  scene.show(address);
  return scene;
};
const sent = (calls: { method: string; body: unknown }[]) => calls.filter((call) => call.method === 'POST');
const fillPassword = async (password = PASSWORD) => {
  await userEvent.type(await screen.findByLabelText('Password'), password);
  await userEvent.type(screen.getByLabelText('Repeat password'), password);
};

test('/register sends organisation and address, and says where the link went', async () => {
  const { calls } = show('/register', { 'POST /register': () => ({ success: true }) });
  await userEvent.type(await screen.findByLabelText('Organisation'), ' Harbour ');
  await userEvent.click(screen.getByRole('button', { name: 'Send the link' }));
  expect(screen.getByRole('alert').textContent).toContain('Enter an email address.');
  expect(sent(calls)).toEqual([]);
  await userEvent.type(screen.getByLabelText('Email'), 'new@harbour.example');
  await userEvent.click(screen.getByRole('button', { name: 'Send the link' }));
  await screen.findByText(/is on its way to new@harbour.example/);
  expect(sent(calls)[0]?.body).toEqual({ organization_name: 'Harbour', email: 'new@harbour.example' });
});

test('/register shows each message of a refusal, and its own text where the server has none', async () => {
  let fails = true;
  show('/register', {
    'POST /register': () => {
      if (fails) throw new TypeError('no network');
      return answer(422, {
        detail: [{ loc: ['body', 'email'], msg: 'Give one e-mail address.', type: 'format' }],
        code: 'validation_failed',
      });
    },
  });
  await userEvent.type(await screen.findByLabelText('Organisation'), 'Harbour');
  await userEvent.type(screen.getByLabelText('Email'), 'new@harbour.example');
  await userEvent.click(screen.getByRole('button', { name: 'Send the link' }));
  await screen.findByText('User is not verified. Please try again');
  fails = false;
  await userEvent.click(screen.getByRole('button', { name: 'Send the link' }));
  expect((await screen.findAllByText('Give one e-mail address.')).length).toBeGreaterThan(0);
});

test('without mail, /register and /forgot-password say what helps instead', async () => {
  show('/register', {}, false);
  await screen.findByText(/Self-registration is closed/);
  cleanup();
  show('/forgot-password', {}, false);
  await screen.findByText('npm run admin -- reset-password <email>');
});

test('/verify-register shows whose it is, takes username and password, and leads to sign-in', async () => {
  const { calls } = show(`/verify-register/${TOKEN}`, {
    'GET /verify-register/': () => REGISTRATION,
    'POST /verify-register/': () => ({ success: true }),
  });
  await screen.findByRole('heading', { name: 'Join as admin of Harbour' });
  await userEvent.click(screen.getByRole('button', { name: 'Create organisation' }));
  expect(screen.getByRole('alert').textContent).toContain('Enter a username.');
  await userEvent.type(screen.getByLabelText('Username'), 'captain');
  await fillPassword();
  await userEvent.click(screen.getByRole('button', { name: 'Create organisation' }));
  await screen.findByRole('heading', { name: 'Welcome' });
  expect(sent(calls)[0]?.body).toEqual({ username: 'captain', password: PASSWORD, confirm_password: PASSWORD });
});

test('/verify-register says why a link does not open, and mails another one', async () => {
  const { calls } = show(`/verify-register/${TOKEN}`, {
    'GET /verify-register/': () => LINK_INVALID(),
    'GET /resend-verification/': () => ({ success: true }),
  });
  await screen.findByText(/was used already/);
  await userEvent.click(screen.getByRole('button', { name: 'Send a new link' }));
  await screen.findByText(/A new link is on its way/);
  expect(calls.some((call) => call.path === `/resend-verification/${TOKEN}`)).toBe(true);
});

test('/verify-register has a text of its own where the server cannot be asked', async () => {
  show(`/verify-register/${TOKEN}`, {
    'GET /verify-register/': () => {
      throw new TypeError('no network');
    },
  });
  await screen.findByText('Email is not verified. Please try again');
});

test('/forgot-password tells nobody who exists', async () => {
  show('/forgot-password', { 'POST /password-reset-request': () => ({ success: true }) });
  await userEvent.type(await screen.findByLabelText('Email'), 'who@harbour.example');
  await userEvent.click(screen.getByRole('button', { name: 'Send the link' }));
  await screen.findByText(/If who@harbour.example belongs to an account/);
});

test('/reset-password sends the token of the address; a link that is gone leads to a new one', async () => {
  let isGone = true;
  const { calls } = show(`/reset-password?token=${TOKEN}`, {
    'POST /password-reset-confirm': () => (isGone ? LINK_INVALID() : { success: true }),
  });
  await fillPassword();
  await userEvent.click(screen.getByRole('button', { name: 'Change password' }));
  await screen.findByRole('link', { name: 'Ask for a new link' });
  isGone = false;
  await userEvent.click(screen.getByRole('button', { name: 'Change password' }));
  await screen.findByRole('heading', { name: 'Password changed' });
  expect(sent(calls)[0]?.body).toEqual({ token: TOKEN, password: PASSWORD, confirm_password: PASSWORD });
});

test('/reset-password without a token is refused', async () => {
  show('/reset-password', {});
  await screen.findByText("You don't have permission for this page.");
});

const signedIn = { 'GET /session': () => SESSION_ANSWER };

test('/change-password names a wrong old one, then signs out here too', async () => {
  let isRight = false;
  const { session } = show('/change-password', {
    ...signedIn,
    'POST /user/change_password': () =>
      isRight
        ? { success: true }
        : answer(422, {
            detail: [{ loc: ['body', 'old_password'], msg: 'The old password is wrong.', type: 'old_password' }],
            code: 'validation_failed',
          }),
  });
  await userEvent.type(await screen.findByLabelText('Old password'), 'before');
  await fillPassword();
  await userEvent.click(screen.getByRole('button', { name: 'Change password' }));
  await waitFor(() => expect(screen.getByLabelText('Old password').getAttribute('aria-invalid')).toBe('true'));
  isRight = true;
  await userEvent.click(screen.getByRole('button', { name: 'Change password' }));
  await waitFor(() => expect(session.isSignedIn).toBe(false));
});

const mail = (subject: string, changes: object = {}) => ({
  _id: subject,
  attributes: {
    recipient: 'ann@harbour.example',
    subject,
    status: 'queued',
    attempts: 0,
    created_at: '2026-11-23T06:00:00.000Z',
    sent_at: null,
    last_error: null,
    content: { paragraphs: ['Text.'], link: { label: 'Open', path: '/accept-invite?token=x' } },
    ...changes,
  },
});

test('/mail shows what waits, what failed and why, and nothing of what is secret', async () => {
  const rows = [mail('You are invited'), mail('Reset', { content: null, status: 'failed', last_error: '550 unknown' })];
  show('/mail', { ...signedIn, 'GET /mail': () => listOf(rows) }, false);
  const list = await screen.findByRole('list', { name: 'Mails' });
  const [first, second] = within(list).getAllByRole('listitem');
  expect(first?.textContent).toMatch(/You are invited.*ann@harbour.example.*Waiting.*accept-invite\?token=x/);
  expect(second?.textContent).toMatch(/Reset.*Failed.*nobody else can read it.*550 unknown/);
  expect(screen.getByText(/This installation sends no mail/)).toBeTruthy();
});
