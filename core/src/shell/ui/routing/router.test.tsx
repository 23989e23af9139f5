import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { routes as accountsRoutes } from '../../../accounts/ui/routes.tsx';
import { ApiError } from '../../../platform/ui/data/api-error.ts';
import { routes as sessionRoutes } from '../../../session/ui/routes.tsx';
import { answer } from '../../../testing/browser/fake-http.ts';
import {
  createScene,
  failingPage,
  memoryStorage,
  pageOf,
  type SceneOptions,
  SESSION_ANSWER,
  USER,
} from '../../../testing/browser/shell-scene.tsx';
import { PageError, requiresToken } from './guards.ts';
import type { RouteEntry } from './route-entry.ts';

const unreadable = new ApiError({
  status: 502,
  code: 'internal',
  messages: ['The database is away.'],
  issues: [],
  requestId: 'r-1',
  retryAfterSeconds: undefined,
});

/** Addresses of pages that were begun before they showed. */
const begun: string[] = [];

const ENTRIES: readonly RouteEntry[] = [
  ...sessionRoutes,
  ...accountsRoutes,
  { path: '/', layout: 'home', title: 'Dashboard', load: pageOf('The dashboard') },
  {
    path: '/findings',
    layout: 'home',
    title: 'Findings',
    load: pageOf('The findings'),
    begin: async (_services, url) => begun.push(url.pathname + url.search),
  },
  { path: '/accept-invite', layout: 'guest', title: 'Invite', guards: [requiresToken], load: pageOf('The invite') },
  { path: '/dark', layout: 'default', title: 'Dark', colorMode: 'dark', load: pageOf('Always dark') },
  { path: '/crash', layout: 'default', title: 'Crash', load: failingPage(new TypeError('x is undefined')) },
  { path: '/away', layout: 'default', title: 'Away', load: failingPage(unreadable) },
  { path: '/gone', layout: 'default', title: 'Gone', load: failingPage(new PageError(404, 'Finding data not found')) },
  { path: '/closed/:id', title: 'Closed', error: { status: 404, message: 'Page Not Found' } },
];

const SIGNED_IN = {
  'GET /setup': () => ({ data: { needed: false } }),
  'GET /session': () => SESSION_ANSWER,
  'POST /logout': () => ({ success: true }),
};
const SIGNED_OUT = {
  'GET /setup': () => ({ data: { needed: false } }),
  'GET /session': () => answer(401, { detail: 'No session.', code: 'not_authenticated' }),
};

const scene = (answers: SceneOptions['answers'] = SIGNED_OUT, storage = memoryStorage()) =>
  createScene({ answers, entries: ENTRIES, storage });

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  begun.length = 0;
  vi.restoreAllMocks();
  document.documentElement.className = '';
});

describe('home pages', () => {
  it('without a session end at sign-in, which then leads on', async () => {
    const { show, calls } = scene();
    const router = show('/findings?search=sql');
    await screen.findByRole('heading', { name: 'Sign in' });
    expect(router.state.location.pathname).toBe('/login');
    expect(router.state.location.search).toBe('?next=%2Ffindings%3Fsearch%3Dsql');
    // Nobody was signed in, so there is no session to end on the server.
    expect(calls.map((call) => `${call.method} ${call.path}`)).not.toContain('POST /logout');
  });

  it('are begun before they show where the application begins with them, and only once', async () => {
    const router = scene(SIGNED_IN).show('/findings?search=sql');
    await screen.findByRole('heading', { name: 'The findings' });
    expect(begun).toEqual(['/findings?search=sql']);
    await router.navigate('/findings?search=xss');
    await router.navigate('/');
    await router.navigate('/findings');
    await screen.findByRole('heading', { name: 'The findings' });
    expect(begun).toHaveLength(1);
  });

  it('are not begun for people who may not see them', async () => {
    scene().show('/findings');
    await screen.findByRole('heading', { name: 'Sign in' });
    expect(begun).toEqual([]);
  });

  it('show the rail, the organisation and the page', async () => {
    const { show } = scene(SIGNED_IN);
    show('/findings');
    await screen.findByRole('heading', { name: 'The findings' });
    expect(screen.getByText('Harbour Ltd')).toBeTruthy();
    await waitFor(() => expect(document.title).toBe('Findings · Breakwater'));
  });

  it('lead to set-up on a fresh installation', async () => {
    const { show } = scene({ ...SIGNED_OUT, 'GET /setup': () => ({ data: { needed: true } }) });
    show('/');
    await screen.findByRole('heading', { name: 'Set up Breakwater' });
  });

  it('ask before every page but load the session once', async () => {
    const { show, calls } = scene(SIGNED_IN);
    const router = show('/');
    await screen.findByRole('heading', { name: 'The dashboard' });
    await router.navigate('/findings');
    await screen.findByRole('heading', { name: 'The findings' });
    expect(calls.filter((call) => call.path === '/session')).toHaveLength(1);
    expect(window.scrollTo).toHaveBeenCalledWith(0, 0);
  });
});

describe('guest pages', () => {
  it.each(['/login', '/register', '/forgot-password'])('%s is only for people who are not signed in', async (path) => {
    const storage = memoryStorage();
    storage.setItem('bw-is-login', '1');
    const { show } = scene(SIGNED_IN, storage);
    show(path);
    await screen.findByRole('heading', { name: 'The dashboard' });
  });

  it('make no failing call for a first visitor', async () => {
    const { show, calls } = scene();
    show('/login');
    await screen.findByRole('heading', { name: 'Sign in' });
    expect(calls.map((call) => call.path)).toEqual(['/setup', '/login/options']);
  });

  it('set-up is closed once it is done', async () => {
    const { show } = scene();
    show('/setup');
    await screen.findByRole('heading', { name: 'Sign in' });
  });

  it('with a token query refuse without it', async () => {
    const { show } = scene();
    show('/accept-invite');
    await screen.findByRole('heading', { name: 'Error Status: 403' });
    expect(screen.getByText("You don't have permission for this page.")).toBeTruthy();
  });
});

describe('error page', () => {
  it('names an unknown route and leads to sign-in', async () => {
    const { show } = scene();
    const router = show('/nowhere');
    await screen.findByRole('heading', { name: 'Page not found' });
    expect(screen.getByText('/nowhere')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Go back to login page' }));
    await screen.findByRole('heading', { name: 'Sign in' });
    expect(router.state.errors).toBeNull();
  });

  it('leads signed-in people home', async () => {
    const { show } = scene(SIGNED_IN);
    const router = show('/');
    await screen.findByRole('heading', { name: 'The dashboard' });
    await router.navigate('/nowhere');
    await userEvent.click(await screen.findByRole('button', { name: 'Go back to home page' }));
    await screen.findByRole('heading', { name: 'The dashboard' });
  });

  it('knows signed-in people also when it is the first page they open', async () => {
    const storage = memoryStorage();
    storage.setItem('bw-is-login', '1');
    const { show } = scene(SIGNED_IN, storage);
    show('/closed/1');
    expect(await screen.findByRole('button', { name: 'Go back to home page' })).toBeTruthy();
  });

  it('shows the message of a closed address', async () => {
    const { show } = scene();
    show('/closed/1');
    await screen.findByRole('heading', { name: 'Page not found' });
    expect(screen.getByText('Error 404: Page Not Found')).toBeTruthy();
  });

  it('shows the text that a screen gave', async () => {
    const { show } = scene();
    show('/gone');
    await screen.findByRole('heading', { name: 'Page not found' });
    expect(screen.getByText('Finding data not found')).toBeTruthy();
  });

  it('shows the status and reason of the server', async () => {
    const { show } = scene();
    show('/away');
    await screen.findByRole('heading', { name: 'Error Status: 502' });
    expect(screen.getByText('The database is away.')).toBeTruthy();
  });

  it('hides the text of an internal error', async () => {
    const { show } = scene();
    show('/crash');
    await screen.findByRole('heading', { name: 'Error Status: 500' });
    expect(screen.getByText('Something went wrong.')).toBeTruthy();
    expect(screen.queryByText(/undefined/)).toBeNull();
  });

  it('only logs for a bot', async () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (compatible; Googlebot/2.1)');
    const { show } = scene();
    show('/crash');
    await waitFor(() => expect(console.error).toHaveBeenCalled());
    expect(screen.queryByRole('heading')).toBeNull();
  });
});

describe('colour mode', () => {
  it('is forced by a page and given back after it', async () => {
    const { show } = scene();
    const router = show('/dark');
    await screen.findByRole('heading', { name: 'Always dark' });
    expect(document.documentElement.classList.contains('bp6-dark')).toBe(true);
    await router.navigate('/login');
    await screen.findByRole('heading', { name: 'Sign in' });
    expect(document.documentElement.classList.contains('bp6-dark')).toBe(false);
  });
});

describe('sign-out', () => {
  it('ends the session, clears cached data and shows sign-in', async () => {
    const { show, calls, cachedData, session } = scene(SIGNED_IN);
    const clear = vi.fn();
    cachedData.register(clear);
    show('/');
    await userEvent.click(await screen.findByRole('button', { name: `LE, Account of ${USER.username}` }));
    await userEvent.click(await screen.findByText('Sign out'));
    await screen.findByRole('heading', { name: 'Sign in' });
    expect(calls.map((call) => `${call.method} ${call.path}`)).toContain('POST /logout');
    expect(clear).toHaveBeenCalled();
    expect(session.user).toBeUndefined();
  });
});
