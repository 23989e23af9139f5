import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { type Answer, answer, fakeHttp } from '../../testing/browser/fake-http.ts';
import { renderPage } from '../../testing/browser/render-page.tsx';
import { HealthScreen } from './health-screen.tsx';

const HEALTH = {
  checked_at: '2026-11-24T10:00:00.000Z',
  database: { status: 'ok', version: '18.1', size_bytes: 52_428_800, connections: 12, max_connections: 100 },
  queue: {
    status: 'attention',
    waiting_since: null,
    jobs: [{ name: 'ingest.import', waiting: 3, active: 1, failed: 2 }],
    imports: { unfinished: 4, oldest_at: null },
  },
  rollups: { status: 'failed', checked_at: '2026-11-24T02:00:00.000Z', clients: 5, differences: 7 },
  scanners: { status: 'ok', items: [{ id: 'bandit', title: 'Bandit', version: '1.8.0' }] },
  feeds: {
    status: 'attention',
    items: [{ id: 'epss', title: 'EPSS', data_date: '2026-11-20', checked_at: null, failure: 'It answered 503.' }],
  },
  mail: null,
};

const open = (health: Answer) => {
  const http = fakeHttp({ 'GET /platform/health': health });
  renderPage({
    api: http.api,
    at: '/platform/health',
    role: 'superadmin',
    routes: [{ path: '/platform/health', element: <HealthScreen /> }],
  });
};
const part = async (name: string) => within(await screen.findByRole('region', { name }));

test('each part says how it is in words, and what is known of it', async () => {
  open(() => ({ data: HEALTH }));
  const database = await part('Database');
  expect(database.getByText('In order')).toBeDefined();
  expect(database.getByText('50.0 MB')).toBeDefined();
  expect(database.getByText('12 of 100')).toBeDefined();
  const queue = await part('Queue');
  expect(queue.getByText('Needs a look')).toBeDefined();
  const row = queue.getByText('ingest.import').closest('tr');
  expect([...(row?.cells ?? [])].map(({ textContent }) => textContent)).toEqual(['ingest.import', '3', '1', '2']);
  const counts = await part('Counts');
  expect(counts.getByText('Not in order')).toBeDefined();
  expect(counts.getByText('npm run admin -- rebuild-rollups')).toBeDefined();
  expect((await part('Reference data')).getByText('It answered 503.')).toBeDefined();
  expect((await part('Scanners')).getByText('1.8.0')).toBeDefined();
});

test('lists that are old without a failure say what to do; a failure speaks for itself', async () => {
  const items = [{ id: 'epss', title: 'EPSS', data_date: '2026-08-22', checked_at: null, failure: null }];
  open(() => ({ data: { ...HEALTH, feeds: { status: 'attention', items } } }));
  const feeds = await part('Reference data');
  expect(feeds.getByText(/A list is missing or older than 45 days\./)).toBeDefined();
  expect(feeds.getByRole('link', { name: 'Reference data' }).getAttribute('href')).toBe('/settings/reference-data');
  cleanup();
  open(() => ({ data: HEALTH }));
  expect((await part('Reference data')).queryByText(/older than/)).toBeNull();
});

test('a part that could not be read says so, and the others are shown', async () => {
  open(() => ({ data: HEALTH }));
  const mail = await part('Mail');
  expect(mail.getByText('Not in order')).toBeDefined();
  expect(mail.getByText('It could not be read. The log of the server says why.')).toBeDefined();
});

test('where nothing could be read, it is read again on request', async () => {
  let isAway = true;
  open(() => (isAway ? answer(503, { detail: 'Away.', code: 'unavailable' }) : { data: HEALTH }));
  expect(await screen.findByText('Away.')).toBeDefined();
  isAway = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect((await part('Database')).getByText('In order')).toBeDefined();
});
