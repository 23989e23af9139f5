import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { answer, fakeHttp } from '../../testing/browser/fake-http.ts';
import { renderPage } from '../../testing/browser/render-page.tsx';
import { PersonalTokensScreen } from './personal-tokens-screen.tsx';

const TOKEN = `bwu_${'a1B2'.repeat(10)}xyz`;
const FACTS = {
  name: 'Script',
  hint: '3f9a',
  scopes: ['read'],
  status: 'active',
  created_at: '2026-11-01T08:00:00.000Z',
  expired_at: '2027-10-01T23:59:59.999Z',
  last_used_at: null,
  created_by: 'dev',
  owner: 'dev',
};

afterEach(cleanup);
beforeEach(() => localStorage.clear());

test('a developer makes a token, sees it once, and revokes it', async () => {
  let rows: object[] = [];
  const { api, calls } = fakeHttp({
    'GET /user/tokens': () => ({ data: rows }),
    'POST /user/tokens': () => {
      rows = [{ _id: 'one', attributes: FACTS }];
      return answer(201, { success: true, data: { _id: 'one', token: TOKEN, ...FACTS } });
    },
    'DELETE /user/tokens/': () => {
      rows = [];
      return { success: true };
    },
  });
  const routes = [{ path: '/settings/tokens', element: <PersonalTokensScreen /> }];
  const { toasts } = renderPage({ api, at: '/settings/tokens', routes, role: 'developer' });
  await screen.findByText('No token yet.');
  expect(screen.queryByLabelText('Provision people and groups by SCIM')).toBeNull();
  const lastDay = screen.getByLabelText<HTMLInputElement>('Last day');
  expect((Date.parse(lastDay.max) - Date.parse(lastDay.min)) / 86_400_000).toBe(365);
  await userEvent.type(screen.getByLabelText('Name'), 'Script');
  await userEvent.click(screen.getByLabelText('Upload reports and follow their import'));
  await userEvent.click(screen.getByLabelText('Read findings, scans and the list of repositories'));
  await userEvent.click(screen.getByRole('button', { name: 'Create token' }));
  expect((await screen.findByLabelText<HTMLInputElement>('Token')).value).toBe(TOKEN);
  expect(calls.find((call) => call.method === 'POST')?.body).toEqual({
    name: 'Script',
    expired_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
    scopes: ['read'],
  });
  await userEvent.click(screen.getByRole('button', { name: 'I have stored it' }));
  expect(document.body.innerHTML).not.toContain(TOKEN);
  const list = await screen.findByRole('list', { name: 'Tokens' });
  expect(within(list).getByRole('listitem').textContent).toMatch(/Script.*Active.*Created.*MayRead dataLast usedNever/);
  expect(list.textContent).not.toContain('dev');
  await userEvent.click(screen.getByRole('button', { name: 'Revoke Script' }));
  const dialog = await screen.findByRole('dialog', { name: 'Revoke token Script' });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Revoke token' }));
  await screen.findByText('No token yet.');
  expect(calls.find((call) => call.method === 'DELETE')?.path).toBe('/user/tokens/one');
  expect(toasts.toasts.map((toast) => toast.message)).toEqual(['Token Script revoked']);
});
