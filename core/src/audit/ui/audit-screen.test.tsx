import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import audit from '../../../languages/de/audit.json';
import platform from '../../../languages/de/platform.json';
import { dayOfReader, formatDecimal, setFormats } from '../../platform/ui/display/formats.ts';
import { setLanguage } from '../../platform/ui/language/translate.ts';
import { fakeHttp, listOf } from '../../testing/browser/fake-http.ts';
import { renderPage, withAddress } from '../../testing/browser/render-page.tsx';
import { AuditScreen } from './audit-screen.tsx';

afterEach(() => {
  cleanup();
  setLanguage('en', undefined, formatDecimal);
  setFormats({ language: 'en', numbers: 'en-US', timeZone: undefined });
});

const ADA = '0191c2e0-7b1a-7000-8000-000000000001';
const entry = {
  _id: '0191c2e0-7b1a-7000-8000-000000000002',
  attributes: {
    at: '2026-11-24T09:00:00.000Z',
    kind: 'team.removed',
    actor: 'ada',
    actor_id: ADA,
    actor_type: 'person',
    address: '192.0.2.1',
    device: 'Firefox 132 on Windows',
    agent: 'Mozilla',
    subject: 'dev@example.test',
    details: { handed_over_to: 'grace' },
  },
};

const open = (at = '/settings/audit') => {
  const http = fakeHttp({
    'GET /audit': () => ({ data: [entry], meta: { next_cursor: null, retention_days: 365 } }),
    'GET /members': () =>
      listOf([{ _id: ADA, attributes: { email: null, username: 'ada', role: 'admin', status: 'active' } }]),
  });
  renderPage({ api: http.api, at, routes: [{ path: '/settings/audit', element: withAddress(<AuditScreen />) }] });
  return http;
};
const lastQuery = ({ calls }: ReturnType<typeof open>) =>
  Object.fromEntries(calls.filter(({ path }) => path === '/audit').at(-1)?.query ?? []);

test('says who did what, when and from where, and narrows it by kind, person and words', async () => {
  const http = open();
  const row = (await screen.findByText('dev@example.test')).closest('li');
  if (row === null) throw new Error('An entry is an item of the list.');
  expect(within(row).getByText(/ada/, { selector: 'summary *' })).toBeDefined();
  expect(row.textContent).toMatch(/192\.0\.2\.1/);
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Person' }), 'ada');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'team');
  await waitFor(() => expect(lastQuery(http)['filters[actor]']).toBe(ADA));
  expect(lastQuery(http)['filters[kind]']).toMatch(/^team\.[^,]+(,team\.[^,]+)*$/);
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search the audit log' }), 'grace');
  await waitFor(() => expect(lastQuery(http)['search']).toBe('grace'));
  expect(screen.getByTestId('address').textContent).toContain('kind=team');
});

test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])('"Today" begins where the reader is: %s', async (timeZone) => {
  setFormats({ language: 'en', numbers: 'en-US', timeZone });
  const http = open('/settings/audit?days=1');
  await screen.findByText('dev@example.test');
  expect(lastQuery(http)).toMatchObject({ 'filters[date_gt]': dayOfReader(), 'filters[time_zone]': timeZone });
});

test('its choices are read in the language of the reader', async () => {
  setLanguage('de', { ...platform, ...audit }, formatDecimal);
  open();
  await screen.findByText('dev@example.test');
  const choices = screen.getAllByRole('option').map(({ textContent }) => textContent);
  expect(choices).toEqual(expect.arrayContaining(['Alles', 'Jederzeit', 'Heute']));
  expect(choices).not.toEqual(expect.arrayContaining(['Everything']));
});
