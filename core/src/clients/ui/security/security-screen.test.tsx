import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { fakeHttp } from '../../../testing/browser/fake-http.ts';
import { renderPage } from '../../../testing/browser/render-page.tsx';
import { SecurityScreen } from './security-screen.tsx';

afterEach(cleanup);

const signed = (document: object): string => `h.${btoa(JSON.stringify(document))}.signature`;
const open = (client: object = {}) => {
  const detail = {
    audit_retention_days: 365,
    report_retention_days: 365,
    has_google_oauth_token: false,
    google_oauth_token_hint: null,
    ...client,
  };
  const { api, calls } = fakeHttp({
    'POST /user/check-2fa': () => ({
      success: true,
      data: { enable_2fa: true, require_2fa: false, recovery_codes_left: 10 },
    }),
    'GET /client': () => ({ data: signed(detail) }),
    'PUT /client': () => ({ success: true }),
  });
  renderPage({ api, at: '/settings/security', routes: [{ path: '/settings/security', element: <SecurityScreen /> }] });
  return { changes: () => calls.filter(({ method }) => method === 'PUT').map(({ body }) => body) };
};

test('two-factor is required once that was confirmed, and no longer at a click', async () => {
  const { changes } = open();
  await userEvent.click(await screen.findByLabelText('Require two-factor of everybody'));
  expect(changes()).toEqual([]);
  await userEvent.click(await screen.findByRole('button', { name: 'Require it' }));
  await waitFor(() => expect(changes()).toEqual([{ require_2fa: true }]));
  await waitFor(() =>
    expect(screen.getByLabelText<HTMLInputElement>('Require two-factor of everybody').checked).toBe(true),
  );
  await userEvent.click(screen.getByLabelText('Require two-factor of everybody'));
  await waitFor(() => expect(changes()).toEqual([{ require_2fa: true }, { require_2fa: false }]));
});

test('a shorter retention of the audit log is saved once that was confirmed, a longer one at once, and none beyond the bounds', async () => {
  const { changes } = open();
  const field = await screen.findByLabelText('Days for which entries of the audit log are kept');
  const section = within(screen.getByRole('region', { name: 'Audit log' }));
  const enter = async (text: string) => {
    await userEvent.clear(field);
    await userEvent.type(field, text);
    await userEvent.click(section.getByRole('button', { name: 'Save' }));
  };
  for (const text of ['89', '3651', '100.5', 'a year', ' ']) {
    await enter(text);
    expect((await section.findByText('Enter whole days from 90 to 3,650.')).className).toContain('err');
  }
  expect(changes()).toEqual([]);
  await enter('400');
  await waitFor(() => expect(changes()).toEqual([{ audit_retention_days: 400 }]));
  await enter('90');
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/older than 90 days are deleted next night/)).toBeDefined();
  expect(changes()).toHaveLength(1);
  await userEvent.click(dialog.getByRole('button', { name: 'Delete older entries' }));
  await waitFor(() => expect(changes()).toEqual([{ audit_retention_days: 400 }, { audit_retention_days: 90 }]));
});

test('uploaded reports are kept for days of their own', async () => {
  const { changes } = open();
  const field = await screen.findByLabelText('Days for which uploaded reports are kept');
  const section = within(screen.getByRole('region', { name: 'Reports' }));
  const enter = async (text: string) => {
    await userEvent.clear(field);
    await userEvent.type(field, text);
    await userEvent.click(section.getByRole('button', { name: 'Save' }));
  };
  await enter('6');
  await section.findByText('Enter whole days from 7 to 3,650.');
  await enter('30');
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/older than 30 days are deleted next night/)).toBeDefined();
  expect(changes()).toEqual([]);
  await userEvent.click(dialog.getByRole('button', { name: 'Delete older reports' }));
  await waitFor(() => expect(changes()).toEqual([{ report_retention_days: 30 }]));
});

test('the token of Google is stored, replaced and removed, and never shown', async () => {
  const { changes } = open({ has_google_oauth_token: true, google_oauth_token_hint: 'abcd' });
  expect(await screen.findByText(/One is stored, ending in abcd\./)).toBeDefined();
  const field = screen.getByLabelText<HTMLInputElement>('Access token of Google');
  expect([field.type, field.value]).toEqual(['password', '']);
  await userEvent.type(field, 'ya29.canary-1234');
  await userEvent.click(screen.getByRole('button', { name: 'Save token' }));
  expect(await screen.findByText(/One is stored, ending in 1234\./)).toBeDefined();
  expect(field.value).toBe('');
  await userEvent.click(screen.getByRole('button', { name: 'Remove token' }));
  expect(await screen.findByText(/None is stored\./)).toBeDefined();
  expect(changes()).toEqual([{ google_oauth_token: 'ya29.canary-1234' }, { google_oauth_token: null }]);
});
