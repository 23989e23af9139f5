import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import type { Role } from '../../platform/model/permissions.ts';
import { answer, fakeHttp } from '../../testing/browser/fake-http.ts';
import { renderPage } from '../../testing/browser/render-page.tsx';
import { ReferenceDataScreen } from './reference-data-screen.tsx';

const source = (_id: string, change: object = {}) => ({
  _id,
  attributes: {
    title: _id === 'epss' ? 'EPSS' : 'CISA KEV',
    origin: 'delivered',
    name: 'delivered.csv',
    data_date: '2026-08-22',
    model: null,
    entries: 1234,
    loaded_at: null,
    has_feed: false,
    next_check_at: null,
    checked_at: null,
    failure: null,
    ...change,
  },
});
const list = (rescoring: object, ...changes: [object?, object?]) => ({
  data: [source('epss', changes[0]), source('kev', changes[1])],
  meta: { rescoring },
});
const DONE = { is_running: false, percentage: 100 };

const open = (answers: Parameters<typeof fakeHttp>[0], role: Role = 'superadmin') => {
  const http = fakeHttp(answers);
  const routes = [{ path: '/settings/reference-data', element: <ReferenceDataScreen /> }];
  return { ...http, ...renderPage({ api: http.api, at: '/settings/reference-data', routes, role }) };
};
const card = (name: string) => screen.findByRole('region', { name });
const fileFor = (label: string) => screen.getByLabelText<HTMLInputElement>(label);

afterEach(cleanup);

test('says what is in use, from when and where, and how the last check of a feed ended', async () => {
  const feed = {
    origin: 'feed',
    name: 'https://feeds.example.test/kev.json',
    has_feed: true,
    checked_at: '2026-11-20T10:00:00Z',
    next_check_at: '2026-11-20T11:00:00Z',
    failure: 'The feed answered 500.',
  };
  open({ 'GET /reference_data': () => list(DONE, { model: 'v2025.03.14' }, feed) });
  expect((await card('EPSS')).textContent).toContain('Delivered with Breakwater');
  expect((await card('EPSS')).textContent).toContain('v2025.03.14');
  expect((await card('EPSS')).textContent).toContain('1,234');
  expect((await card('CISA KEV')).textContent).toContain('The last check changed nothing. The feed answered 500.');
  expect((await card('CISA KEV')).textContent).toContain('Within a minute');
});

test('a superadmin replaces a source, and sees how far the scoring is until it is done', async () => {
  let reads = 0;
  const { calls } = open({
    'GET /reference_data': () => {
      reads += 1;
      return list(reads === 2 ? { is_running: true, percentage: 40 } : DONE);
    },
    'POST /reference_data/epss': () => ({
      success: true,
      data: { is_replaced: true, data_date: '2026-11-20', entries: 3 },
    }),
  });
  await card('EPSS');
  await userEvent.upload(fileFor('File for EPSS'), new File(['x'], 'epss.csv.gz'));
  expect(await screen.findByText(/^epss\.csv\.gz: 3 entries of 20 Nov(?: 2026)? in use\.$/)).toBeDefined();
  expect(calls.find(({ method }) => method === 'POST')?.query.get('name')).toBe('epss.csv.gz');
  expect(await screen.findByText(/being scored with the new data: 40%/)).toBeDefined();
  await waitFor(() => expect(screen.getByText(/every organisation are scored/)).toBeDefined(), { timeout: 120_000 });
});

test('a file that cannot be used says why beside its source', async () => {
  open({
    'GET /reference_data': () => list(DONE),
    'POST /reference_data/kev': () => answer(422, { detail: 'It is not JSON.', code: 'report_malformed' }),
  });
  const kev = await card('CISA KEV');
  await userEvent.upload(fileFor('File for KEV'), new File(['x'], 'kev.txt'));
  expect((await screen.findByRole('alert')).textContent).toBe('It is not JSON. Nothing was changed.');
  expect(kev.contains(screen.getByRole('alert'))).toBe(true);
});

test('an admin sees the data and who may replace it', async () => {
  open({ 'GET /reference_data': () => list(DONE) }, 'admin');
  await card('EPSS');
  expect(screen.queryByLabelText('File for EPSS')).toBeNull();
  expect(screen.getByText(/a superadmin can replace it/)).toBeDefined();
});

test('a failure can be tried again', async () => {
  let reads = 0;
  open({
    'GET /reference_data': () => {
      reads += 1;
      return reads === 1 ? answer(500, { detail: 'Broken.', code: 'internal' }) : list(DONE);
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await card('EPSS')).toBeDefined();
});
