import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { type Answer, answer } from '../../testing/browser/fake-http.ts';
import { createScene, pageOf, SESSION_ANSWER } from '../../testing/browser/shell-scene.tsx';
import type { GoogleCredential } from './google-identity.ts';
import { routes } from './routes.tsx';

const SCRIPT = 'https://accounts.google.test/gsi/client';

let press: (given: GoogleCredential) => void = () => undefined;
const nonces: string[] = [];

/** Stands in for Google's script, which no test can reach: it draws a button and keeps what it was told. */
const google: NonNullable<Window['google']> = {
  accounts: {
    id: {
      initialize: ({ nonce, callback }) => {
        nonces.push(nonce);
        press = callback;
      },
      renderButton: (place) => {
        place.replaceChildren(Object.assign(document.createElement('button'), { textContent: 'Sign in with Google' }));
      },
      cancel: () => undefined,
    },
  },
};

const open = async (login: Answer) => {
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
  vi.spyOn(document.head, 'append').mockImplementation((script) => {
    window.google = google;
    if (script instanceof HTMLScriptElement) queueMicrotask(() => script.dispatchEvent(new Event('load')));
  });
  let begun = 0;
  const scene = createScene({
    answers: {
      'GET /setup': () => ({ data: { needed: false } }),
      'GET /login/options': () => ({ data: { sends_mail: false, google: true } }),
      'POST /login/google/begin': () => {
        begun += 1;
        return { success: true, data: { client_id: 'bw', script_url: SCRIPT, nonce: `nonce-${begun}` } };
      },
      'POST /login/google': login,
    },
    entries: [...routes, { path: '/findings', layout: 'default', title: 'Findings', load: pageOf('The findings') }],
  });
  nonces.length = 0;
  scene.show('/login?next=/findings');
  await screen.findByRole('button', { name: 'Sign in with Google' });
  return scene;
};

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  delete window.google;
});

test('the credential of Google signs in, and leads where the person wanted to go', async () => {
  const { calls } = await open(() => SESSION_ANSWER);
  act(() => press({ clientId: 'bw', credential: 'a.b.c' }));
  expect(await screen.findByText('The findings')).toBeDefined();
  expect(calls.find(({ path }) => path === '/login/google')?.body).toEqual({ clientId: 'bw', credential: 'a.b.c' });
});

test('says so when the credential is missing, and asks for nothing', async () => {
  const { calls } = await open(() => SESSION_ANSWER);
  act(() => press({ clientId: 'bw' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Google sent no credential');
  expect(calls.some(({ path }) => path === '/login/google')).toBe(false);
});

test('a refusal is told, and the next attempt has a nonce of its own; a second factor is asked for', async () => {
  let isRefused = true;
  await open(() =>
    isRefused
      ? answer(403, { code: 'single_sign_on_refused', detail: 'No account belongs to ann@gmail.com.' })
      : { requires_2fa: true, ticket: 'ticket' },
  );
  act(() => press({ clientId: 'bw', credential: 'a.b.c' }));
  expect(await screen.findByText('No account belongs to ann@gmail.com.')).toBeDefined();
  await waitFor(() => expect(nonces).toEqual(['nonce-1', 'nonce-2']));
  isRefused = false;
  act(() => press({ clientId: 'bw', credential: 'a.b.c' }));
  expect(await screen.findByRole('heading', { name: 'Enter your code' })).toBeDefined();
});
