import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import findings from '../../../languages/de/findings.json';
import notifications from '../../../languages/de/notifications.json';
import type { LiveEvents } from '../../platform/ui/data/live-events.ts';
import { formatDecimal } from '../../platform/ui/display/formats.ts';
import { setLanguage } from '../../platform/ui/language/translate.ts';
import { answer, fakeHttp, listOf } from '../../testing/browser/fake-http.ts';
import { renderPage, withAddress } from '../../testing/browser/render-page.tsx';
import { NotificationsScreen } from './notifications-screen.tsx';
import { PreferencesScreen } from './preferences-screen.tsx';
import { UnreadBadge } from './unread-badge.tsx';

const notice = (id: string, title: string, change: object = {}) => ({
  _id: id,
  attributes: {
    notification_type: 'scan_finished',
    title,
    message: '3 findings: 1 new.',
    link: '/findings/all',
    status: 'unread',
    date: '2026-11-20T10:00:00Z',
    ...change,
  },
});
const TWO = [notice('a', 'Imported: trivy'), notice('b', 'Scan failed: zap', { notification_type: 'scan_failed' })];

const open = (http: ReturnType<typeof fakeHttp>, at = '/notifications') => {
  const page = renderPage({
    api: http.api,
    at,
    routes: [
      { path: '/notifications', element: withAddress(<NotificationsScreen />) },
      { path: '/settings/notifications', element: <PreferencesScreen /> },
      { path: '/findings/all', element: withAddress(<p>Findings</p>) },
    ],
  });
  return { ...page, calls: http.calls };
};
const address = () => screen.getByTestId('address').textContent;

afterEach(() => {
  cleanup();
  setLanguage('en', undefined, formatDecimal);
});

describe('the list of notifications', () => {
  it('shows the unread ones, newest first, and a read or deleted one leaves it', async () => {
    const http = fakeHttp({
      'GET /client/notifications': () => listOf(TWO, 2),
      'PUT /client/notifications/a': () => ({ success: true, data: TWO[0] ?? {} }),
      'DELETE /client/notifications/b': () => ({ success: true }),
    });
    const { calls } = open(http);
    await screen.findByText('Imported: trivy');
    expect(Object.fromEntries(calls[0]?.query ?? [])).toMatchObject({ status: 'unread', sort: 'desc' });
    expect(screen.getByText('2 notifications')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Mark read: Imported: trivy' }));
    await waitFor(() => expect(screen.queryByText('Imported: trivy')).toBeNull());
    expect(calls.at(-1)).toMatchObject({ method: 'PUT', body: { status: 'read' } });
    await userEvent.click(screen.getByRole('button', { name: 'Delete: Scan failed: zap' }));
    await screen.findByText('You have read everything');
  });

  it('says in the language of the reader what has no values', async () => {
    setLanguage('de', { ...notifications, ...findings }, formatDecimal);
    const told = notice('a', 'A finding was assigned to you', { message: '', notification_type: 'finding_assigned' });
    open(fakeHttp({ 'GET /client/notifications': () => listOf([told], 1) }));
    expect(await screen.findByRole('link', { name: 'Ihnen wurde ein Befund zugewiesen' })).toBeDefined();
  });

  it('goes by the keyboard: j and k move, r marks read, Delete deletes', async () => {
    const http = fakeHttp({
      'GET /client/notifications': () => listOf(TWO, 2),
      'PUT /client/notifications/a': () => ({ success: true, data: TWO[0] ?? {} }),
      'DELETE /client/notifications/b': () => ({ success: true }),
    });
    const { calls } = open(http);
    const [first, second] = [await screen.findByText('Imported: trivy'), screen.getByText('Scan failed: zap')];
    first.focus();
    await userEvent.keyboard('j');
    expect(document.activeElement).toBe(second);
    await userEvent.keyboard('kr');
    await waitFor(() => expect(screen.queryByText('Imported: trivy')).toBeNull());
    expect(document.activeElement).toBe(second);
    await userEvent.keyboard('{Delete}');
    await waitFor(() => expect(calls.at(-1)).toMatchObject({ method: 'DELETE', path: '/client/notifications/b' }));
  });

  it('filters by type and status in the address, and marks all of them read', async () => {
    const http = fakeHttp({
      'GET /client/notifications': () => listOf(TWO, 2),
      'PUT /client/notifications': () => ({ success: true, data: { changed: 2 } }),
    });
    const { calls } = open(http);
    await screen.findByText('Imported: trivy');
    await userEvent.selectOptions(screen.getByLabelText('Type'), 'scan_failed');
    await waitFor(() => expect(address()).toBe('/notifications?type=scan_failed'));
    await userEvent.selectOptions(screen.getByLabelText('Status'), 'all');
    await waitFor(() => expect(address()).toBe('/notifications?status=all&type=scan_failed'));
    await waitFor(() => expect(calls.at(-1)?.query.get('notification_type')).toBe('scan_failed'));
    await userEvent.click(screen.getByRole('button', { name: 'Mark all read' }));
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
        status: 'read',
        notification_type: ['scan_failed'],
      }),
    );
  });

  it('opens what a notification is about and marks it read; an address of elsewhere is no link', async () => {
    const http = fakeHttp({
      'GET /client/notifications': () => listOf([...TWO, notice('c', 'Foreign', { link: '//evil.example' })], 3),
      'PUT /client/notifications/a': () => ({ success: true, data: TWO[0] ?? {} }),
    });
    const { calls } = open(http);
    await screen.findByText('Foreign');
    expect(screen.queryByRole('link', { name: 'Foreign' })).toBeNull();
    await userEvent.click(screen.getByRole('link', { name: 'Imported: trivy' }));
    await screen.findByText('Findings');
    expect(address()).toBe('/findings/all');
    await waitFor(() => expect(calls.at(-1)).toMatchObject({ method: 'PUT', path: '/client/notifications/a' }));
  });

  it('says why it could not be read, and offers to try again', async () => {
    open(fakeHttp({ 'GET /client/notifications': () => answer(503, { detail: 'Away.', code: 'unavailable' }) }));
    await screen.findByText('The notifications could not be read');
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  });
});

describe('the bell', () => {
  it('counts the unread ones and follows live events', async () => {
    const listeners: (() => void)[] = [];
    const events: LiveEvents = {
      on: (_kind, listener) => {
        listeners.push(() => listener(JSON.parse('{}')));
        return () => undefined;
      },
      onReconnect: () => () => undefined,
      start: () => undefined,
      stop: () => undefined,
    };
    let total = 0;
    const { api } = fakeHttp({ 'GET /client/notifications': () => listOf([], total) });
    renderPage({ api, at: '/', events, routes: [{ path: '/', element: <UnreadBadge /> }] });
    await waitFor(() => expect(listeners.length).toBe(2));
    expect(screen.queryByText(/unread/)).toBeNull();
    total = 12;
    listeners[0]?.();
    expect((await screen.findByTitle('12')).textContent).toBe('12 unread');
  });
});

describe('preferences', () => {
  it('save each choice at once, and take it back where the server refuses', async () => {
    const row = { notification_type: 'kev_match', in_app: true, email: 'off' };
    let isAway = false;
    const http = fakeHttp({
      'GET /client/notification-preferences': () => ({ data: [row] }),
      'PUT /client/notification-preferences': ({ body }) =>
        isAway
          ? answer(503, { detail: 'Away.', code: 'unavailable' })
          : { success: true, data: { ...row, ...(body as object) } },
    });
    const { calls, toasts } = open(http, '/settings/notifications');
    const email = await screen.findByLabelText<HTMLSelectElement>('E-mail: Known to be exploited');
    await userEvent.selectOptions(email, 'daily');
    await waitFor(() => expect(calls.at(-1)?.body).toEqual({ notification_type: 'kev_match', email: 'daily' }));
    isAway = true;
    const shown = screen.getByLabelText<HTMLInputElement>('Show in the application: Known to be exploited');
    await userEvent.click(shown);
    await waitFor(() => expect(toasts.toasts.length).toBeGreaterThan(0));
    expect(shown.checked).toBe(true);
  });
});
