import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { answer, fakeHttp, listOf } from '../../testing/browser/fake-http.ts';
import { renderPage, withAddress } from '../../testing/browser/render-page.tsx';
import { RepositoriesScreen } from './repositories-screen.tsx';

const ID = '0191c2e0-7b1a-7000-8000-000000000001';

const item = {
  _id: ID,
  attributes: {
    nickname: 'juice-shop',
    repository_branch: 'main',
    status: 'enriched',
    source_control: 'git',
    url: '',
    tags: [],
    owner: null as string | null,
    owner_name: null as string | null,
    exposure: 'unknown',
    data_class: 'unknown',
    is_sample: false,
    last_scan: null,
    import_failed_at: null,
    counts: { critical: 0, high: 4, medium: 0, low: 0, informational: 0 },
  },
};

const OWNER = '0191c2e0-7b1a-7000-8000-0000000000aa';
const owned = { ...item, attributes: { ...item.attributes, owner: OWNER, owner_name: 'grace.hopper' } };

const open = (
  at: string,
  list: Parameters<typeof fakeHttp>[0][string],
  answers: Parameters<typeof fakeHttp>[0] = {},
  role: 'admin' | 'developer' = 'admin',
) => {
  const http = fakeHttp({ 'GET /repositories': list, ...answers });
  const routes = [{ path: '/repositories', element: withAddress(<RepositoriesScreen />) }];
  return { ...renderPage({ api: http.api, at, role, routes }), calls: http.calls };
};

const address = () => screen.getByTestId('address').textContent;

afterEach(cleanup);

describe('the repositories', () => {
  it('say so where the latest import failed, whatever was imported before', async () => {
    const failed = { ...item.attributes, nickname: 'web', import_failed_at: '2026-11-22T10:00:00Z' };
    open('/repositories', () => listOf([item, { _id: `${ID.slice(0, -1)}2`, attributes: failed }], 2));
    const row = async (name: string) => within(await screen.findByRole('row', { name: new RegExp(name) }));
    expect((await row('web')).getByText('Import failed')).toBeDefined();
    expect((await row('juice-shop')).getByText('Imported')).toBeDefined();
  });

  it('are listed with their number, and pages are in the address', async () => {
    const { calls } = open('/repositories', () => listOf([item], 120));
    expect(await screen.findByText('juice-shop')).toBeDefined();
    expect(screen.getByText('120 repositories').getAttribute('role')).toBe('status');
    await userEvent.click(screen.getByRole('button', { name: 'Next page' }));
    expect(address()).toBe('/repositories?page=1');
    await waitFor(() => expect(calls.at(-1)?.query.get('pagination[page]')).toBe('2'));
  });

  it('show how they will be sorted before the answer is there', async () => {
    open('/repositories', ({ query }) =>
      query.get('sort') === 'desc' ? new Promise<Response>(() => undefined) : listOf([item]),
    );
    const header = await screen.findByRole('columnheader', { name: 'Repository' });
    expect(header.getAttribute('aria-sort')).toBe('ascending');
    await userEvent.click(within(header).getByRole('button'));
    await waitFor(() => expect(header.getAttribute('aria-sort')).toBe('descending'));
    expect(screen.getByText('juice-shop')).toBeDefined();
  });

  it('show who owns them, and are narrowed and sorted by owner', async () => {
    const members = [{ _id: OWNER, attributes: { username: 'grace.hopper', role: 'developer', status: 'active' } }];
    const { calls } = open('/repositories', () => listOf([owned]), { 'GET /members': () => listOf(members) });
    const cell = (await screen.findByText('grace.hopper')).closest('td');
    expect(cell?.querySelector('.avatar')?.textContent).toBe('GH');
    await userEvent.click(screen.getByRole('button', { name: 'Owner', expanded: false }));
    await userEvent.click(await screen.findByRole('option', { name: 'grace.hopper' }));
    await waitFor(() => expect(address()).toBe(`/repositories?owner=${OWNER}`));
    await waitFor(() => expect(calls.at(-1)?.query.get('filters[owner]')).toBe(OWNER));
    await userEvent.keyboard('{Escape}');
    await userEvent.click(within(screen.getByRole('columnheader', { name: 'Owner' })).getByRole('button'));
    await waitFor(() => expect(calls.at(-1)?.query.get('sort_field')).toBe('owner'));
    expect(address()).toBe(`/repositories?owner=${OWNER}&sort_field=owner`);
  });

  it('tell a developer who owns none where the findings are that were assigned to them', async () => {
    open('/repositories', () => listOf([]), {}, 'developer');
    expect(await screen.findByText('You own no repository')).toBeDefined();
    expect(screen.getByRole('link', { name: 'Findings assigned to you' }).getAttribute('href')).toBe('/findings');
    expect(screen.queryByRole('link', { name: 'Import repositories' })).toBeNull();
  });

  it('are searched from the first page, with a way out where nothing matches', async () => {
    open('/repositories?page=1', ({ query }) => (query.has('search') ? listOf([]) : listOf([item], 120)));
    await userEvent.type(await screen.findByRole('searchbox', { name: 'Search repositories' }), 'zz');
    expect(await screen.findByText('No repository matches “zz”')).toBeDefined();
    expect(address()).toBe('/repositories?search=zz');
    await userEvent.click(screen.getByRole('button', { name: 'Clear the search' }));
    expect(await screen.findByText('juice-shop')).toBeDefined();
    expect(address()).toBe('/repositories');
  });

  it('say why they could not be read, and are read again', async () => {
    let isAway = true;
    open('/repositories', () => (isAway ? answer(503, { detail: 'Away.', code: 'unavailable' }) : listOf([])));
    expect(await screen.findByText('The repositories could not be read')).toBeDefined();
    isAway = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('No repository yet')).toBeDefined();
  });

  it('go after a question that names them', async () => {
    let rows = [item];
    const { calls, toasts } = open('/repositories', () => listOf(rows), {
      [`DELETE /repositories/${ID}`]: () => {
        rows = [];
        return { success: true };
      },
    });
    await userEvent.click(await screen.findByRole('button', { name: /^Delete/ }));
    expect(await screen.findByText('Delete repository juice-shop')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Delete repository' }));
    expect(await screen.findByText('No repository yet')).toBeDefined();
    expect(calls.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
    expect(toasts.toasts[0]?.message).toBe('juice-shop deleted');
  });
});
