import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RouteEntry } from '../../shell/ui/routing/route-entry.ts';
import { type Answer, answer } from '../../testing/browser/fake-http.ts';
import { createScene, pageOf, SESSION_ANSWER } from '../../testing/browser/shell-scene.tsx';
import { routes } from './routes.tsx';

const home: RouteEntry = { path: '/', layout: 'default', title: 'Home', load: pageOf('Welcome') };

const open = async (create: Answer) => {
  const scene = createScene({
    answers: { 'GET /setup': () => ({ data: { needed: true } }), 'POST /setup': create },
    entries: [...routes, home],
  });
  scene.show('/setup');
  await screen.findByRole('heading', { name: 'Set up Breakwater' });
  return scene;
};

const fill = async (password: string, repeated = password) => {
  await userEvent.type(screen.getByLabelText('Organisation'), ' Harbour Ltd ');
  await userEvent.type(screen.getByLabelText('Email'), 'lead@harbour.example');
  await userEvent.type(screen.getByLabelText('Username'), 'lead');
  await userEvent.type(screen.getByLabelText('Password'), password);
  await userEvent.type(screen.getByLabelText('Repeat password'), repeated);
};

beforeEach(() => void vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined));
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

test('the rules of the password tick off while it is typed', async () => {
  await open(() => SESSION_ANSWER);
  const metRules = () => screen.queryAllByText('Met').length;
  expect(metRules()).toBe(0);
  await userEvent.type(screen.getByLabelText('Password'), 'Abcdefg1');
  expect(metRules()).toBe(3);
  await userEvent.type(screen.getByLabelText('Password'), '!');
  expect(metRules()).toBe(4);
});

test('at another machine the code that the server printed is asked for and sent', async () => {
  const scene = createScene({
    answers: {
      'GET /setup': () => ({ data: { needed: true, needs_code: true } }),
      'POST /setup': () => SESSION_ANSWER,
    },
    entries: [...routes, home],
  });
  scene.show('/setup');
  await screen.findByLabelText('Setup code');
  await fill('Tr0ub4dor&3');
  await userEvent.click(screen.getByRole('button', { name: 'Create organisation' }));
  expect(screen.getByRole('link', { name: /Enter the setup code/ })).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Setup code'), 'abcd-efgh ');
  await userEvent.click(screen.getByRole('button', { name: 'Create organisation' }));
  await waitFor(() =>
    expect(scene.calls.find((call) => call.method === 'POST')?.body).toMatchObject({ setup_code: 'abcd-efgh' }),
  );
});

test('every error is named and nothing is sent', async () => {
  const { calls } = await open(() => SESSION_ANSWER);
  await userEvent.type(screen.getByLabelText('Email'), 'not an address');
  await userEvent.type(screen.getByLabelText('Password'), 'short');
  await userEvent.click(screen.getByRole('button', { name: 'Create organisation' }));
  const links = screen.getAllByRole('link').map((link) => link.textContent);
  expect(links).toEqual(
    expect.arrayContaining([
      'Enter the name of your organisation.',
      'Enter an email address.',
      'Enter a username.',
      'Use at least 8 characters.',
      'The two passwords differ.',
    ]),
  );
  expect(calls.filter((call) => call.method === 'POST')).toEqual([]);
  // What is being mended is no longer wrong, and the focus stays with the person.
  const username = screen.getByLabelText('Username');
  await userEvent.type(username, 'l');
  expect(screen.queryByRole('link', { name: 'Enter a username.' })).toBeNull();
  expect(document.activeElement).toBe(username);
  expect(screen.getByRole('link', { name: 'Enter an email address.' })).toBeTruthy();
});

test('makes the organisation, signs in and goes home', async () => {
  const { calls, session } = await open(() => SESSION_ANSWER);
  await fill('Tr0ub4dor&3');
  await userEvent.click(screen.getByRole('button', { name: 'Create organisation' }));
  await screen.findByRole('heading', { name: 'Welcome' });
  expect(calls.find((call) => call.method === 'POST')?.body).toEqual({
    organization_name: 'Harbour Ltd',
    email: 'lead@harbour.example',
    username: 'lead',
    password: 'Tr0ub4dor&3',
    confirm_password: 'Tr0ub4dor&3',
  });
  expect(session.isSignedIn).toBe(true);
});

test('an error that the server finds stands beside its field', async () => {
  const detail = [{ loc: ['body', 'email'], msg: 'This address is taken.', type: 'taken' }];
  await open(() => answer(422, { detail, code: 'validation_failed' }));
  await fill('Tr0ub4dor&3');
  await userEvent.click(screen.getByRole('button', { name: 'Create organisation' }));
  await screen.findByRole('link', { name: 'This address is taken.' });
  await waitFor(() => expect(screen.getByLabelText('Email').getAttribute('aria-invalid')).toBe('true'));
});

test('asks before what was typed is left, and lets go after it is saved', async () => {
  await open(() => SESSION_ANSWER);
  await userEvent.type(screen.getByLabelText('Organisation'), 'Harbour Ltd');
  await userEvent.click(screen.getByRole('link', { name: 'Breakwater, home' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
  expect(screen.getByLabelText<HTMLInputElement>('Organisation').value).toBe('Harbour Ltd');
  await userEvent.click(screen.getByRole('link', { name: 'Breakwater, home' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Leave without saving' }));
  await screen.findByRole('heading', { name: 'Welcome' });
});
