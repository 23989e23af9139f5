import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { fakeHttp } from '../../../testing/browser/fake-http.ts';
import { renderPage } from '../../../testing/browser/render-page.tsx';
import { settingsPages } from './all-pages.ts';
import { SettingsScreen } from './settings-screen.tsx';

afterEach(cleanup);

const open = (role: 'admin' | 'developer') =>
  renderPage({
    api: fakeHttp({ 'GET /client/settings-state': () => ({ data: { '/settings/setup-2fa': [{ state: 'on' }] } }) }).api,
    at: '/settings',
    role,
    routes: [{ path: '/settings', element: <SettingsScreen pages={settingsPages} /> }],
  });

test('a developer is shown their own pages, an admin all of them', async () => {
  open('developer');
  expect(await screen.findByRole('link', { name: 'Sessions' })).toBeDefined();
  expect(screen.queryByRole('link', { name: 'Audit log' })).toBeNull();
  expect((await screen.findByText('On')).closest('li')?.textContent).toContain('Two-factor');
  expect(screen.queryByRole('region', { name: 'People and access' })).toBeNull();
  cleanup();
  open('admin');
  expect((await screen.findByRole('link', { name: 'Audit log' })).getAttribute('href')).toBe('/settings/audit');
});

test('the search finds pages by what they are about, and says when there is none', async () => {
  open('admin');
  const field = await screen.findByRole('searchbox', { name: 'Search settings' });
  await userEvent.type(field, 'authenticator');
  await userEvent.tab();
  expect((await screen.findAllByRole('link')).map((link) => link.textContent)).toEqual(['Two-factor']);
  await userEvent.clear(field);
  await userEvent.type(field, 'nowhere');
  await userEvent.tab();
  expect(await screen.findByText('No page of settings has all of these words.')).toBeDefined();
});
