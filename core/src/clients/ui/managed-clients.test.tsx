import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Outlet } from 'react-router-dom';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_COLUMNS } from '../../findings/model/column-catalogue.ts';
import { loadFindingPanel, loadManagedFindings } from '../../findings/ui/index.ts';
import { loadManagedRepositories } from '../../repositories/ui/index.ts';
import { giveElementsASize } from '../../testing/browser/element-sizes.tsx';
import { answer, fakeHttp, listOf, type SeenCall } from '../../testing/browser/fake-http.ts';
import { renderPage, withAddress } from '../../testing/browser/render-page.tsx';
import { SHOWN_FINDING } from '../../testing/browser/shown-finding.ts';
import { ManageClientsScreen } from './manage-clients-screen.tsx';
import { ManagedFindingsScreen, ManagedOverviewScreen, ManagedRepositoriesScreen } from './managed-screens.tsx';

const CLIENT = '0191c2e0-7b1a-7000-8000-00000000000c';
const NONE = { critical: 0, high: 0, medium: 0, low: 0, informational: 0 };

const harbour = {
  organization_name: 'Harbour Works',
  legal_name: 'Harbour Works Ltd',
  tier: 'free',
  account_setup_at: '2026-01-01T00:00:00Z',
  users: 3,
  repositories: 2,
  last_scan: '2026-11-20T10:00:00Z',
  open_findings: 1108,
  counts: { ...NONE, critical: 7, high: 1101 },
};

const { _id: FINDING, row, detail } = SHOWN_FINDING;
const INSIDE = `/manage-clients/findings/${CLIENT}`;

/** Answers what a superadmin may ask; anything else fails the test. */
const server = (overrides: Parameters<typeof fakeHttp>[0] = {}) =>
  fakeHttp({
    [`GET /manage-clients/${CLIENT}`]: () => ({ data: { _id: CLIENT, attributes: harbour } }),
    [`GET ${INSIDE}`]: () => listOf([{ _id: FINDING, attributes: row }], 108),
    [`GET ${INSIDE}/${FINDING}`]: () => ({ data: { _id: FINDING, attributes: detail } }),
    [`GET ${INSIDE}/${FINDING}/history`]: () => ({ data: [] }),
    [`GET ${INSIDE}/groups`]: () => ({
      ...listOf([]),
      meta: { ...{ pagination: { page: 1, pageSize: 50, pageCount: 0, total: 0 } }, grouped: 0 },
    }),
    'GET /filter/findings': () => ({
      success: true,
      data: { severity: [{ value: 'high', label: 'High', count: 38 }] },
    }),
    'GET /findings-columns/selected': () => ({
      data: { default: [], selected: DEFAULT_COLUMNS.map((key) => ({ key, width: null })), available: [] },
    }),
    ...overrides,
  });

const open = async (at: string, http = server()) => {
  const FindingPanel = await loadFindingPanel();
  const page = renderPage({
    api: http.api,
    at,
    role: 'superadmin',
    routes: [
      { path: '/manage-clients', element: withAddress(<ManageClientsScreen />) },
      {
        path: '/manage-clients/findings',
        element: withAddress(<ManagedFindingsScreen />),
        children: [
          { path: ':clientId', element: <Outlet /> },
          { path: 'finding-details/:clientId/:id', element: <FindingPanel /> },
        ],
      },
      { path: '/manage-clients/overview/:clientId', element: withAddress(<ManagedOverviewScreen />) },
      { path: '/manage-clients/repositories/:clientId', element: withAddress(<ManagedRepositoriesScreen />) },
    ],
  });
  return { ...page, calls: http.calls };
};

const address = () => screen.getByTestId('address').textContent;
const asked = (calls: readonly SeenCall[]) => [...new Set(calls.map(({ method, path }) => `${method} ${path}`))].sort();

// read once, so that no test waits for it
beforeAll(async () => void (await Promise.all([loadManagedFindings(), loadManagedRepositories(), loadFindingPanel()])));
giveElementsASize();
afterEach(cleanup);

describe('the list of clients', () => {
  it('shows what there is to do in each, and leads inside', async () => {
    await open(
      '/manage-clients',
      server({ 'GET /manage-clients': () => listOf([{ _id: CLIENT, attributes: harbour }]) }),
    );
    const link = await screen.findByRole('link', { name: 'Harbour Works' });
    expect(link.getAttribute('href')).toBe(`/manage-clients/overview/${CLIENT}`);
    const line = within(link.closest('tr') ?? document.body);
    expect(line.getByText('Harbour Works Ltd · free · 3 users')).toBeTruthy();
    const to = (name: string) => line.getByRole('link', { name }).getAttribute('href');
    expect(to('1,108 open findings of Harbour Works')).toBe(INSIDE);
    expect(to('7 critical findings of Harbour Works')).toBe(`${INSIDE}?severity=critical`);
    expect(to('2 repositories of Harbour Works')).toBe(`/manage-clients/repositories/${CLIENT}`);
  });

  it('searches by the address, and offers a way out where nothing matches', async () => {
    const { calls } = await open('/manage-clients?search=zz', server({ 'GET /manage-clients': () => listOf([]) }));
    await screen.findByText('No client matches “zz”');
    expect(calls.at(-1)?.query.get('search')).toBe('zz');
    await userEvent.click(screen.getByRole('button', { name: 'Clear the search' }));
    await waitFor(() => expect(address()).toBe('/manage-clients'));
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search clients' }), 'harb');
    await waitFor(() => expect(address()).toBe('/manage-clients?search=harb'));
  });

  it('says why it could not be read', async () => {
    await open(
      '/manage-clients',
      server({ 'GET /manage-clients': () => answer(503, { detail: 'Away.', code: 'unavailable' }) }),
    );
    await screen.findByText('The clients could not be read');
    expect(screen.getByText(/Away\./)).toBeTruthy();
  });
});

describe('one client', () => {
  const OVERVIEW = `/manage-clients/overview/${CLIENT}`;

  it('shows plan, size and open work, and puts it on trial and back', async () => {
    let tier = 'free';
    const { calls } = await open(
      OVERVIEW,
      server({
        [`GET /manage-clients/${CLIENT}`]: () => ({ data: { _id: CLIENT, attributes: { ...harbour, tier } } }),
        'PUT /api/manage-clients/piloting': ({ body }) => {
          tier = (body as { request: { piloting: boolean } }).request.piloting ? 'trial' : 'free';
          return { success: true, data: { client_id: CLIENT, tier } };
        },
      }),
    );
    await screen.findByRole('heading', { name: 'Harbour Works' });
    const critical = screen.getByRole('link', { name: /7.*Critical/ });
    expect(critical.getAttribute('href')).toBe(`${INSIDE}?severity=critical`);
    await userEvent.click(screen.getByRole('button', { name: 'Put on trial' }));
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.click(dialog.getByRole('button', { name: 'Put on trial' }));
    await screen.findByText('On trial');
    await userEvent.click(screen.getByRole('button', { name: 'End the trial' }));
    const end = within(await screen.findByRole('dialog'));
    await userEvent.click(end.getByRole('button', { name: 'End the trial' }));
    await screen.findByRole('button', { name: 'Put on trial' });
    expect(calls.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([
      { request: { client_id: CLIENT, piloting: true } },
      { request: { client_id: CLIENT, piloting: false } },
    ]);
  });

  it('says in the dialog why it cannot be put on trial', async () => {
    const detail = 'The organisation pays for its plan. It cannot be put on trial.';
    await open(
      OVERVIEW,
      server({ 'PUT /api/manage-clients/piloting': () => answer(409, { code: 'conflict', detail }) }),
    );
    await userEvent.click(await screen.findByRole('button', { name: 'Put on trial' }));
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.click(dialog.getByRole('button', { name: 'Put on trial' }));
    expect(await dialog.findByText(detail)).toBeTruthy();
  });
});

describe('findings inside a client', () => {
  it('are the same list, asked for inside the client', async () => {
    const { calls } = await open(`${INSIDE}?severity=high&sort_field=date`);
    const link = await screen.findByRole('link', { name: 'SQL injection' });
    expect(link.getAttribute('href')).toBe(
      `/manage-clients/findings/finding-details/${CLIENT}/${FINDING}?severity=high&sort_field=date`,
    );
    const list = calls.find(({ path, query }) => path === INSIDE && query.get('sort_field') === 'date');
    expect(list?.query.get('filters[severity]')).toBe('high');
    expect(list?.query.get('filters[false_positive]')).toBe('hide');
    await screen.findByText('Harbour Works');
    expect(screen.getByText('Read only')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'All clients' }).getAttribute('href')).toBe('/manage-clients');
    expect(asked(calls)).toEqual(
      [
        ...['GET /filter/findings', 'GET /findings-columns/selected'],
        ...[`GET ${INSIDE}`, `GET /manage-clients/${CLIENT}`],
      ].sort(),
    );
  });

  it('offer nothing that changes something', async () => {
    const { calls } = await open(`/manage-clients/findings/finding-details/${CLIENT}/${FINDING}`);
    await screen.findByRole('heading', { name: /Why this score/ });
    for (const name of [/^False positive/, /Verdict/, /^Assign/, /Propose/, /Upload/, /Views/]) {
      expect(screen.queryByRole('button', { name })).toBeNull();
    }
    expect(screen.getByRole('button', { name: 'Export' })).toBeTruthy();
    expect(screen.queryAllByRole('checkbox', { name: /Select/ })).toEqual([]);
    expect(screen.getByText('Read only: the people of this client decide.')).toBeTruthy();
    await userEvent.keyboard('fax');
    expect(screen.queryByRole('dialog')).toBeNull();
    await userEvent.click(screen.getByRole('tab', { name: 'Decisions' }));
    for (const name of ['Status', 'Severity', 'Owner']) {
      expect(screen.getByRole<HTMLSelectElement>('combobox', { name }).disabled).toBe(true);
    }
    await userEvent.click(screen.getByRole('tab', { name: 'Other results' }));
    expect(screen.queryByRole('button', { name: 'Same as another finding' })).toBeNull();
    expect(asked(calls).filter((call) => !call.startsWith('GET /manage-clients/'))).toEqual([
      'GET /filter/findings',
      'GET /findings-columns/selected',
    ]);
  });

  it('keep their filters when a finding is opened and closed', async () => {
    await open(`${INSIDE}?severity=high`);
    await userEvent.click(await screen.findByRole('link', { name: 'SQL injection' }));
    await screen.findByRole('heading', { name: /Why this score/ });
    await userEvent.click(screen.getByRole('button', { name: 'Back to list' }));
    await waitFor(() => expect(address()).toBe(`${INSIDE}?severity=high`));
    expect(screen.getByRole('link', { name: /CWE-89|SQL injection/ })).toBeTruthy();
  });

  it('link to other findings of the same client', async () => {
    await open(`/manage-clients/findings/finding-details/${CLIENT}/${FINDING}`);
    const weakness = await screen.findByRole('link', { name: 'CWE-89' });
    expect(weakness.getAttribute('href')).toBe(`${INSIDE}?cwe=89`);
    expect(screen.getByRole('link', { name: 'juice-shop' }).getAttribute('href')).toBe(
      `${INSIDE}?repository=${row.repository_id}`,
    );
  });

  it('are filtered by options that are counted in the client', async () => {
    const { calls } = await open(INSIDE);
    await screen.findByRole('link', { name: 'SQL injection' });
    await userEvent.click(screen.getByRole('button', { name: 'Filter by Severity' }));
    await screen.findByRole('dialog', { name: 'Severity' });
    const options = () => calls.filter(({ path }) => path === '/filter/findings');
    const keys = () => options().map(({ query }) => query.get('filter_key'));
    // the list asks whether its columns say the same in every row
    await waitFor(() => expect(keys().sort()).toEqual(['severity', 'tool', 'type']));
    expect(new Set(options().map(({ query }) => query.get('client_id')))).toEqual(new Set([CLIENT]));
  });

  it('are none where the client imported nothing, with a way back', async () => {
    await open(INSIDE, server({ [`GET ${INSIDE}`]: () => listOf([]) }));
    await screen.findByText('No findings yet');
    expect(screen.queryByRole('button', { name: /Upload/ })).toBeNull();
  });

  it('of no client lead to all clients', async () => {
    await open(
      '/manage-clients/findings',
      server({ 'GET /manage-clients': () => listOf([{ _id: CLIENT, attributes: harbour }]) }),
    );
    await screen.findByRole('heading', { name: 'Clients' });
    expect(address()).toBe('/manage-clients');
  });
});

describe('repositories inside a client', () => {
  const item = {
    _id: FINDING,
    attributes: {
      nickname: 'juice-shop',
      repository_branch: 'main',
      status: 'enriched',
      source_control: 'git',
      url: '',
      tags: [],
      owner: null,
      exposure: 'unknown',
      data_class: 'unknown',
      is_sample: false,
      last_scan: null,
      counts: { ...NONE, high: 4 },
    },
  };

  it('are those that were scanned, or all; nothing can be done with them', async () => {
    const list = `GET /manage-clients/repositories/${CLIENT}`;
    const { calls } = await open(`/manage-clients/repositories/${CLIENT}`, server({ [list]: () => listOf([item]) }));
    const link = await screen.findByRole('link', { name: 'juice-shop' });
    expect(link.getAttribute('href')).toBe(`${INSIDE}?repository=${FINDING}`);
    expect(screen.getByRole('link', { name: '4 high' }).getAttribute('href')).toBe(
      `${INSIDE}?severity=high&repository=${FINDING}`,
    );
    expect(screen.queryByRole('button', { name: /Delete|Upload|Imports/ })).toBeNull();
    const last = () => calls.filter(({ path }) => path.includes('/repositories/')).at(-1);
    expect(last()?.query.get('filters[status]')).toBe('enriched');
    await userEvent.click(screen.getByRole('button', { name: 'Show all' }));
    await waitFor(() => expect(last()?.query.has('filters[status]')).toBe(false));
    expect(address()).toBe(`/manage-clients/repositories/${CLIENT}?status=all`);
  });
});
