import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import type { Role } from '../../platform/model/permissions.ts';
import { answer, fakeHttp, listOf } from '../../testing/browser/fake-http.ts';
import { renderPage, withAddress } from '../../testing/browser/render-page.tsx';
import { RepositoryScreen } from './repository-screen.tsx';

const ID = '0191c2e0-7b1a-7000-8000-000000000001';

const attributes = {
  ...{ nickname: 'acme/shop', repository_branch: 'main', status: 'enriched', source_control: 'github' },
  ...{
    url: 'https://github.test/acme/shop.git',
    tags: ['payments'],
    owner: null,
    owner_name: null,
    exposure: 'unknown',
  },
  ...{ data_class: 'unknown', schedule: null, is_sample: false, last_scan: null, import_failed_at: null },
  counts: { critical: 1, high: 4, medium: 0, low: 0, informational: 0 },
};

const NONE = { critical: 0, high: 0, medium: 0, low: 0, informational: 0 };
const BRANCHES = [
  { _id: ID, attributes: { name: 'main', is_default: true, last_scan: null, counts: attributes.counts } },
  {
    _id: ID.replace(/1$/, '2'),
    attributes: { name: 'feature/a b', is_default: false, last_scan: null, counts: { ...NONE, low: 7 } },
  },
];
const EVENT = { at: '2026-11-22T10:00:00Z', by: 'ada', field: 'exposure', from: 'unknown', to: 'internet' };
/** Charts are drawn in a browser only; here they are still being read. */
const NEVER = new Promise<Response>(() => undefined);

const open = (answers: Parameters<typeof fakeHttp>[0] = {}, role: Role = 'admin') => {
  let now: object = attributes;
  const http = fakeHttp({
    [`GET /repositories/${ID}`]: () => ({ data: { _id: ID, attributes: now } }),
    [`GET /repositories/${ID}/branches`]: () => ({ data: BRANCHES }),
    [`GET /repositories/${ID}/history`]: () => ({ data: [EVENT] }),
    'GET /repo_tags': () => ({ data: [{ _id: 'eu', attributes: { title: 'eu', count: 1 } }] }),
    'GET /members': () =>
      listOf([{ _id: ID, attributes: { email: null, username: 'dev', role: 'developer', status: 'active' } }]),
    'GET /findings_chart': () => NEVER,
    [`GET /repositories/${ID}/posture`]: () => ({
      data: { is_available: false, problem: 'It was added by its address.', read_at: null, checks: [] },
    }),
    [`GET /repositories/${ID}/create_workflow_pr/availability`]: () => ({
      data: { is_available: false, problem: 'It has no provider.' },
    }),
    [`GET /repositories/${ID}/webhook`]: () => ({
      data: { is_available: false, state: 'none', problem: 'It has no connection.', changed_at: null, next_at: null },
    }),
    'GET /scans': () => listOf([]),
    'GET /scan_requests': () => listOf([]),
    'GET /upload_tools': () => ({ data: [] }),
    'GET /sbom-findings': () => listOf([], 840),
    [`PUT /repositories/${ID}`]: ({ body }) => {
      now = { ...now, ...(body as object) };
      return { data: { _id: ID, attributes: now } };
    },
    ...answers,
  });
  const routes = [
    { path: '/Repositories/:id', element: withAddress(<RepositoryScreen />) },
    { path: '/Repositories', element: withAddress(<p>All repositories</p>) },
  ];
  const page = renderPage({ api: http.api, at: `/Repositories/${ID}`, role, routes });
  return {
    ...page,
    calls: http.calls,
    changes: () => http.calls.filter(({ method }) => method === 'PUT').map(({ body }) => body),
  };
};

afterEach(cleanup);

describe('the page of a repository', () => {
  it('shows how it stands, each figure with the way to its rows', async () => {
    open();
    expect(await screen.findByRole('heading', { name: 'acme/shop' })).toBeDefined();
    const figures = within(screen.getByRole('navigation', { name: 'Open findings' }));
    expect(figures.getByRole('link', { name: /4\s*High/ }).getAttribute('href')).toBe(
      `/findings?severity=high&repository=${ID}`,
    );
    const branches = within(screen.getByRole('region', { name: 'Branches' }));
    expect(branches.getByRole('link', { name: 'feature/a b' }).getAttribute('href')).toBe(
      `/findings?repository=${ID}&branch=feature%2Fa%20b`,
    );
    expect(await screen.findByText('840 components in the inventory.')).toBeDefined();
    expect(await screen.findByText('No report was imported yet.')).toBeDefined();
    expect(await screen.findByText('The server has not scanned it yet.')).toBeDefined();
    expect(screen.getByText('Exposure: not set → internet')).toBeDefined();
    const address = screen.getByRole('link', { name: 'https://github.test/acme/shop.git' });
    expect(address.getAttribute('href')).toBe('https://github.test/acme/shop');
  });

  it('saves each field at once, and says that findings are scored anew', async () => {
    const { changes, toasts } = open();
    await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Exposure' }), 'internet');
    await waitFor(() => expect(toasts.toasts.at(-1)?.message).toContain('scored anew'));
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Scan schedule' }), 'weekly');
    await userEvent.type(screen.getByRole('combobox', { name: 'Tags' }), 'eu, "south"{Enter}');
    expect(await screen.findByRole('button', { name: 'Remove tag eu, "south"' })).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Remove tag payments' }));
    await waitFor(() => expect(changes()).toHaveLength(4));
    await userEvent.click(screen.getByRole('button', { name: 'Owner: Nobody' }));
    await userEvent.click(await screen.findByRole('option', { name: 'dev' }));
    // a list that closes gives the focus back, and keys go to what has it
    await waitFor(() => expect(screen.queryByRole('option', { name: 'dev' })).toBeNull());
    await userEvent.click(screen.getByRole('button', { name: 'Edit name' }));
    const name = screen.getByRole('textbox', { name: 'Name' });
    await userEvent.clear(name);
    await userEvent.type(name, 'Shop{Enter}');
    expect(await screen.findByRole('heading', { name: 'Shop' })).toBeDefined();
    expect(changes()).toEqual([
      { exposure: 'internet' },
      { schedule: 'weekly' },
      { tags: ['payments', 'eu, "south"'] },
      { tags: ['eu, "south"'] },
      { owner: ID },
      { nickname: 'Shop' },
    ]);
  });

  it('keeps what was written where the server refuses it', async () => {
    const { toasts } = open({
      [`PUT /repositories/${ID}`]: () =>
        answer(409, { detail: 'There is a repository "x" already.', code: 'conflict' }),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Edit name' }));
    const name = screen.getByRole('textbox', { name: 'Name' });
    await userEvent.clear(name);
    await userEvent.type(name, 'x{Enter}');
    await waitFor(() => expect(toasts.toasts[0]?.message).toContain('already'));
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'x');
    expect(screen.getByRole('heading', { name: 'acme/shop' })).toBeDefined();
  });

  it('is only read by developers, and scheduled by admins alone', async () => {
    open({}, 'developer');
    expect(await screen.findByRole('combobox', { name: 'Exposure' })).toHaveProperty('disabled', true);
    for (const name of ['Edit name', 'Remove tag payments', 'Delete'])
      expect(screen.queryByRole('button', { name })).toBeNull();
    cleanup();
    open({}, 'cyberoper');
    expect(await screen.findByRole('combobox', { name: 'Exposure' })).toHaveProperty('disabled', false);
    expect(screen.getByRole('combobox', { name: 'Scan schedule' })).toHaveProperty('disabled', true);
  });

  it('goes after a question that names it', async () => {
    const { calls } = open({ [`DELETE /repositories/${ID}`]: () => ({ success: true }) });
    await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Delete repository' }));
    expect(await screen.findByText('All repositories')).toBeDefined();
    expect(calls.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
  });

  it('says that one part could not be read, and shows the others', async () => {
    open({ 'GET /findings_chart': () => answer(503, { detail: 'Away.', code: 'unavailable' }) });
    expect(await screen.findByText('The trend could not be read')).toBeDefined();
    expect(screen.getByRole('region', { name: 'Branches' })).toBeDefined();
  });

  it('makes no link of an address that a browser should not open', async () => {
    const odd = { ...attributes, url: 'git@github.test:acme/shop.git' };
    open({ [`GET /repositories/${ID}`]: () => ({ data: { _id: ID, attributes: odd } }) });
    expect(await screen.findByText('git@github.test:acme/shop.git')).toBeDefined();
    expect(screen.queryByRole('link', { name: /github\.test/ })).toBeNull();
  });
});
