import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { fakeHttp } from '../../testing/browser/fake-http.ts';
import { renderPage } from '../../testing/browser/render-page.tsx';
import { DashboardScreen } from './dashboard-screen.tsx';

const totals = {
  data: {
    series: [{ name: 'Findings', data: [1, 2, 3, 0, 0] }],
    labels: ['critical', 'high', 'medium', 'low', 'informational'],
    total: 6,
    kev: 1,
    repositories: 1,
    components: 5,
    has_data: true,
    has_sample: false,
    has_verdict: true,
    has_pull_request: false,
  },
};
const empty = { data: { series: [], labels: [], segments: [], total: 0 } };
const filled = {
  data: {
    series: [{ name: 'high', data: [6] }],
    labels: ['shop'],
    segments: [[{ repository: ['r1'], severity: ['high'] }]],
    total: 6,
  },
};
const most = { name: 'shop', count: 3, filters: { repository: ['r1'], found_gt: '2026-11-18' } };
const changes = {
  data: {
    since: '2026-11-18',
    open: 6,
    net: -4,
    other: -5,
    found: { count: 3, filters: { found_gt: '2026-11-18' }, most },
    fixed: { count: 2, filters: { status: ['mitigated'], fixed_gt: '2026-11-18' }, most: null },
  },
};
const board = { data: { cards: ['repositories', 'slsa', 'age'], hidden: ['age'] } };
const EMPTY = [
  'owasp',
  'slsa_threats',
  'owasp_cicd',
  'supply_chain',
  'backlog_age',
  'overdue',
  'time_to_fix',
  'found_findings',
];

const open = (role: 'admin' | 'developer' = 'admin', at = '/') => {
  const http = fakeHttp({
    'GET /total_findings_chart': () => totals,
    'GET /findings_by_repo_chart': () => filled,
    'GET /findings_by_owner_chart': () => empty,
    ...Object.fromEntries(EMPTY.map((name) => [`GET /${name}_chart`, () => empty])),
    'GET /findings_chart': () => ({
      data: {
        series: [],
        dates: [],
        total: 6,
        findings_with_remediation: 0,
        findings_without_remediation: 6,
        findings_with_ready_remediate: 0,
      },
    }),
    'GET /findings': () => ({ data: [], meta: { pagination: { page: 1, pageSize: 5, pageCount: 0, total: 0 } } }),
    'GET /findings_changes': () => changes,
    'GET /dashboard_board': () => board,
    'PUT /dashboard_board': ({ body }) => ({ data: body }),
  });
  return {
    ...renderPage({ api: http.api, at, role, routes: [{ path: '/', element: <DashboardScreen /> }] }),
    ...http,
  };
};

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const titles = () => [...document.querySelectorAll('.dashboard-cards h2')].map(({ textContent }) => textContent);

it('says what changed in the week, each figure leading to its list, and why the net differs', async () => {
  open();
  const card = await screen.findByRole('region', { name: 'Since last week' });
  const found = await within(card).findByRole('link', { name: '3 New findings' });
  expect(found.getAttribute('href')).toContain('found_gt=2026-11-18');
  expect(within(card).getByRole('link', { name: '2 Fixed findings' }).getAttribute('href')).toContain(
    'fixed_gt=2026-11-18',
  );
  expect(within(card).getByRole('link', { name: 'shop' }).getAttribute('href')).toContain('repository=r1');
  expect(card.textContent).toContain('5 left the list by verdicts');
  expect(card.textContent).toContain('Fewer open than a week ago');
});

it('counts the repositories of its address alone, says so, and leads to their lists', async () => {
  const { calls, router } = open('admin', '/?repository_tag=web%252C public&period=30d');
  const chip = await screen.findByRole('button', { name: 'Remove filter Repository tag web, public' });
  await screen.findByRole('region', { name: 'Since last week' });
  const counted = calls.filter(({ path }) => path !== '/dashboard_board');
  expect(counted.length).toBeGreaterThan(10);
  expect(counted.filter(({ query }) => query.get('filters[repository_tag][]') !== 'web, public')).toEqual([]);
  const links = Object.fromEntries(
    screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]),
  );
  expect(links['6Open findings']).toBe('/findings?repository_tag=web%252C+public');
  expect(links['1Repositories']).toBe('/Repositories?tag=web%2C+public');
  expect(links['5Components']).toBe('/sbom-findings?repository_tag=web%252C+public');
  const before = calls.length;
  fireEvent.click(chip);
  await waitFor(() => expect(router.state.location.search).toBe('?period=30d'));
  await waitFor(() => expect(calls.length).toBeGreaterThan(before + 10));
  expect(calls.slice(before).filter(({ query }) => query.has('filters[repository_tag][]'))).toEqual([]);
  expect(screen.queryByText('web, public')).toBeNull();
});

it('keeps the order of the board, and folds away what has nothing to show', async () => {
  open('developer');
  await waitFor(() => expect(titles()).toEqual(['Repositories', 'By severity', 'Remediation']));
  const folded = screen.getByText(/^Nothing to show in/);
  expect(folded.textContent).toContain('SLSA threats · ');
  // hidden by an admin, not empty
  expect(folded.textContent).not.toContain('Age of the backlog');
  expect(screen.queryByRole('button', { name: 'Arrange' })).toBeNull();
});

it('lets an admin move, hide and show cards for everyone', async () => {
  const { calls } = open();
  await userEvent.click(await screen.findByRole('button', { name: 'Arrange' }));
  await userEvent.click(screen.getByRole('button', { name: 'Move SLSA threats forward' }));
  await userEvent.click(screen.getByRole('button', { name: 'Show Age of the backlog' }));
  await userEvent.click(screen.getByRole('button', { name: 'Hide Owners' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save for everyone' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save for everyone' })).toBeNull());
  const sent = calls.find(({ method }) => method === 'PUT')?.body;
  expect(sent).toMatchObject({ hidden: ['owners'] });
  expect(JSON.stringify(sent)).toContain('"cards":["slsa","repositories","age"');
});

it('takes period and scale into the address', async () => {
  const { calls } = open();
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Period' }), '12m');
  await waitFor(() => expect(calls.some(({ query }) => query.get('period') === '12m')).toBe(true));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Logarithmic' }));
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Logarithmic' }).checked).toBe(true);
});

it('exports what the week changed and the cards that show, in the order of the board', async () => {
  const saved: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    if (blob instanceof Blob) saved.push(blob);
    return 'blob:figures';
  });
  // the document of the test would go to the address of the file
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  open();
  await screen.findByRole('link', { name: '3 New findings' });
  await waitFor(() => expect(titles()).toContain('Repositories'));
  await userEvent.click(screen.getByRole('button', { name: 'Export figures' }));
  const lines = (await saved[0]?.text())?.split('\r\n') ?? [];
  expect(lines.slice(0, 8)).toEqual([
    'Chart,Label,Series,Figure',
    'Since last week,New findings,Findings,3',
    'Since last week,Fixed findings,Findings,2',
    'Since last week,Verdicts and findings that came back,Findings,-5',
    'Since last week,Change of open findings,Findings,-4',
    'Repositories,shop,high,6',
    'By severity,Critical,Findings,1',
    'By severity,High,Findings,2',
  ]);
  expect(lines.join()).not.toContain('Age of the backlog');
});
