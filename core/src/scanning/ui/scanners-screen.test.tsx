import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { fakeHttp, listOf } from '../../testing/browser/fake-http.ts';
import { renderPage } from '../../testing/browser/render-page.tsx';
import { ScannersScreen } from './scanners-screen.tsx';

afterEach(cleanup);

const scanner = (id: string, attributes: object) => ({
  _id: id,
  attributes: {
    ...{ title: id, category: 'sast', targets: ['repository'], is_installed: false, version: null, is_excluded: false },
    documentation: 'https://example.test/docs',
    hosts: [],
    ...attributes,
  },
});

const scan = {
  _id: '0191c2e0-7b1a-7000-8000-000000000001',
  attributes: {
    ...{ scan_type: 'all', repository_id: null, status: 'running', percentage: 40, trigger: 'person', branch: null },
    tools: [{ tool: 'bandit', title: 'Bandit', version: '1.7.5', status: 'running', detail: null, scan_id: null }],
    ...{ commit: null, code: null, detail: null, created_by: null, created_at: '2026-11-23T02:00:00Z' },
    ...{ started_at: null, finished_at: null },
  },
};

const open = (scans: readonly object[], isolates = true, limits = isolates) => {
  const data = [
    scanner('Bandit', { is_installed: true, version: '1.7.5', is_excluded: true }),
    scanner('Trivy', { hosts: ['ghcr.io', 'mirror.gcr.io'] }),
    scanner('Prowler', { hosts: null }),
  ];
  const http = fakeHttp({
    'GET /scanners': () => ({ data, meta: { isolates_network: isolates, limits_hosts: limits } }),
    'GET /scan_requests': () => listOf([...scans], scans.length),
  });
  const routes = [{ path: '/connector/scanners', element: <ScannersScreen /> }];
  return renderPage({ api: http.api, at: '/connector/scanners', role: 'developer', routes });
};

it('says which scanners the server has, and how to get the others', async () => {
  open([]);
  const row = async (name: string) => within(await screen.findByRole('row', { name: new RegExp(name) }));
  expect((await row('Bandit')).getByText(/Installed, 1\.7\.5/)).toBeDefined();
  expect((await row('Bandit')).getByText('Excluded by your organisation')).toBeDefined();
  expect((await row('Trivy')).getByText('Not installed')).toBeDefined();
  const link = (await row('Trivy')).getByRole('link', { name: 'How to get it: Trivy' });
  expect(link.getAttribute('href')).toBe('https://example.test/docs');
  expect(screen.getByText('1 of 3 installed on this server')).toBeDefined();
});

it('says what each scanner calls, and warns where the server cannot limit it', async () => {
  open([], false);
  const cells = async (name: string) =>
    within(await screen.findByRole('row', { name: new RegExp(name) }))
      .getAllByRole('cell')
      .map((cell) => cell.textContent);
  expect((await cells('Bandit'))[1]).toBe('None');
  expect((await cells('Trivy'))[1]).toBe('ghcr.io, mirror.gcr.io');
  expect((await cells('Prowler'))[1]).toBe('Any host');
  expect(screen.getByText(/cannot limit the network of scanners/)).toBeDefined();
  cleanup();
  open([], true, false);
  expect(await screen.findByText(/cannot hold scanners to the hosts that they name/)).toBeDefined();
  cleanup();
  open([]);
  await screen.findByRole('row', { name: /Bandit/ });
  expect(screen.queryByText(/This server cannot/)).toBeNull();
});

it('shows how far the scans are that go on', async () => {
  open([scan]);
  const bar = await screen.findByRole('progressbar', { name: 'Scan all' });
  expect(bar.getAttribute('aria-valuetext')).toBe('Scanning: Bandit, 40%');
});
