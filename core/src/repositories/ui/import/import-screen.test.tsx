import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { answer, fakeHttp, type SeenCall } from '../../../testing/browser/fake-http.ts';
import { renderPage, withAddress } from '../../../testing/browser/render-page.tsx';
import { judgeAddresses, nameOfAddress } from './address-form.tsx';
import { ImportScreen } from './import-screen.tsx';

const idOf = (index: number): string => `0191c2e0-7b1a-7000-8000-${String(index).padStart(12, '0')}`;

const source = (id: string, title: string, extra: object = {}) => ({
  _id: id,
  attributes: {
    ...{ title, count: 0, has_account: id !== 'git' && id !== 'local', is_connected: false },
    problem: id === 'git' ? null : `${title} is not connected yet.`,
    ...extra,
  },
});

const SOURCES = {
  data: [
    source('github', 'GitHub', { is_connected: true, problem: null, count: 1 }),
    source('gitlab', 'GitLab'),
    source('bitbucket_cloud', 'Bitbucket Cloud'),
    source('gitea', 'Gitea'),
    source('git', 'Git'),
    source('local', 'Folder', { problem: 'Not allowed.' }),
  ],
};

const row = (index: number, extra: object = {}) => ({
  _id: String(index),
  attributes: {
    ...{ name: `acme/repo-${index}`, web_url: `https://github.test/acme/repo-${index}` },
    ...{ url: `https://github.test/acme/repo-${index}.git`, default_branch: 'main', is_private: true },
    ...{ is_archived: false, repository_id: null, problem: null, ...extra },
  },
});

const listed = (rows: object[], problem: string | null = null) => ({ data: rows, meta: { problem } });
const some = (count: number): object[] => Array.from({ length: count }, (_, index) => row(index + 1));

/** As the server answers: each of the list in its order. */
const added = ({ body }: SeenCall): object => {
  const { data } = body as { data: { external_id: string }[] };
  return { success: true, data: data.map(({ external_id }) => ({ _id: idOf(Number(external_id)), attributes: {} })) };
};

const open = (
  answers: Parameters<typeof fakeHttp>[0] = {},
  at = '/manage-repositories',
  role: 'admin' | 'cyberoper' = 'admin',
) => {
  const http = fakeHttp({
    'GET /sources_control': () => SOURCES,
    'GET /sources_control/github/repositories': () => listed(some(3)),
    'POST /create_repository_with_list': added,
    ...answers,
  });
  const routes = [
    { path: '/manage-repositories', element: withAddress(<ImportScreen />) },
    { path: '/connector', element: withAddress(<h1>Connectors</h1>) },
  ];
  return { ...renderPage({ api: http.api, at, role, routes }), calls: http.calls };
};

const posts = (calls: SeenCall[]) => calls.filter(({ method }) => method === 'POST');
const importButton = () => screen.getByRole('button', { name: /^Import/ });

afterEach(cleanup);

describe('importing repositories', () => {
  it('lists those of the first connected source control; what is imported or cannot be is marked and not chosen', async () => {
    const rows = [row(1), row(2, { repository_id: idOf(2) }), row(3, { problem: 'It has no name.', web_url: '' })];
    const { calls } = open({ 'GET /sources_control/github/repositories': () => listed(rows) });
    expect(await screen.findByText('acme/repo-1')).toBeDefined();
    expect(screen.getByRole('link', { name: 'Imported' }).getAttribute('href')).toBe(`/Repositories/${idOf(2)}`);
    expect(screen.getByText('It has no name.')).toBeDefined();
    expect(screen.queryByRole('radio', { name: /Folder/ })).toBeNull();
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select all 1' }));
    await userEvent.click(screen.getByRole('button', { name: 'Import 1 repository' }));
    expect(await screen.findByText('1 repository imported')).toBeDefined();
    expect(posts(calls).map(({ body }) => body)).toEqual([
      {
        source_control: 'github',
        data: [
          {
            ...{ nickname: 'acme/repo-1', url: 'https://github.test/acme/repo-1.git' },
            ...{ repository_branch: 'main', external_id: '1' },
          },
        ],
      },
    ]);
    expect(screen.getAllByRole('link', { name: 'Imported' })).toHaveLength(2);
    // no number where nothing is left to select
    expect(screen.getByRole('checkbox', { name: 'Select all' }).hasAttribute('disabled')).toBe(true);
  });

  it('imports 250 of two pages by one choice, some at a time, and says how far it is', async () => {
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { calls } = open({
      'GET /sources_control/github/repositories': () => listed(some(250)),
      'POST /create_repository_with_list': async (call) => {
        if (posts(calls).length === 2) await held;
        return added(call);
      },
    });
    await userEvent.click(await screen.findByLabelText('Select all 250'));
    await userEvent.click(screen.getByText('Import 250 repositories'));
    expect(await screen.findByText('25 of 250 repositories imported')).toBeDefined();
    expect(screen.getByLabelText('Import')).toBeDefined();
    release?.();
    expect(await screen.findByText('250 repositories imported')).toBeDefined();
    expect(posts(calls)).toHaveLength(10);
    await userEvent.click(screen.getByLabelText('Hide imported'));
    expect(await screen.findByText('No repository matches')).toBeDefined();
  });

  it('searches, and chooses only what matches', async () => {
    open({ 'GET /sources_control/github/repositories': () => listed(some(30)) });
    await userEvent.type(await screen.findByRole('searchbox', { name: 'Search repositories' }), 'repo-2');
    expect(await screen.findByText('11 of 30 repositories')).toBeDefined();
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select all 11' }));
    expect(importButton().textContent).toBe('Import 11 repositories');
  });

  it('takes another branch, read when somebody asks', async () => {
    const { calls } = open({
      'GET /sources_control/github/branches': () => ({
        data: ['main', 'develop'].map((name) => ({ name, is_protected: null })),
        meta: { problem: null },
      }),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Branch of acme/repo-2: main' }));
    await userEvent.click(await screen.findByRole('option', { name: 'develop' }));
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select acme/repo-2' }));
    await userEvent.click(importButton());
    await screen.findByText('1 repository imported');
    expect(posts(calls)[0]?.body).toMatchObject({ data: [{ repository_branch: 'develop', external_id: '2' }] });
    expect(calls.filter(({ path }) => path.endsWith('/branches')).map(({ query }) => query.get('repository'))).toEqual([
      '2',
    ]);
  });

  it('tells which one was refused and imports the others', async () => {
    const { calls } = open({
      'POST /create_repository_with_list': (call) => {
        const { data } = call.body as { data: { external_id: string }[] };
        const isBad = data.some(({ external_id }) => external_id === '2');
        const detail = [{ loc: ['body', 'data', 0, 'url'], msg: 'It is no clone address.', type: 'clone_url' }];
        return isBad ? answer(422, { detail, code: 'validation_failed' }) : added(call);
      },
    });
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all 3' }));
    await userEvent.click(importButton());
    expect(await screen.findByText('2 repositories imported, 1 refused')).toBeDefined();
    expect(screen.getByText('It is no clone address.')).toBeDefined();
    expect(posts(calls)).toHaveLength(4);
  });

  it('stops where the server is away, and keeps what is left selected', async () => {
    let isAway = true;
    open({
      'POST /create_repository_with_list': (call) =>
        isAway ? answer(503, { detail: 'Away.', code: 'unavailable' }) : added(call),
    });
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all 3' }));
    await userEvent.click(importButton());
    expect(await screen.findByText('0 repositories imported. Away. 3 are left.')).toBeDefined();
    isAway = false;
    await userEvent.click(screen.getByRole('button', { name: 'Import 3 repositories' }));
    expect(await screen.findByText('3 repositories imported')).toBeDefined();
  });

  it('says why they could not be read, in the specified words, and reads them again', async () => {
    let isAway = true;
    open({
      'GET /sources_control/github/repositories': () =>
        isAway ? answer(409, { detail: 'GitHub: It answered 500.', code: 'upstream_failed' }) : listed([]),
    });
    expect(await screen.findByText('Failed to get repositories GitHub')).toBeDefined();
    expect(screen.getByText('GitHub: It answered 500.')).toBeDefined();
    isAway = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('GitHub lists no repository')).toBeDefined();
  });

  it('goes to the connector, with the notice, where the token ended and the connection was cleared', async () => {
    const notice = 'Bitbucket cloud token expired, please create new one while redirecting to connector...';
    const { toasts } = open(
      {
        'GET /sources_control': () => ({
          data: [source('bitbucket_cloud', 'Bitbucket Cloud', { is_connected: true, problem: null })],
        }),
        'GET /sources_control/bitbucket_cloud/repositories': () =>
          answer(409, { detail: notice, code: 'connection_expired' }),
      },
      '/manage-repositories?source_control=bitbucket_cloud',
    );
    expect(await screen.findByRole('heading', { name: 'Connectors' })).toBeDefined();
    expect(screen.getByTestId('address').textContent).toBe('/connector?source_control=bitbucket cloud');
    expect(toasts.toasts.map(({ message }) => message)).toEqual([notice]);
  });

  it('shows a part with the reason why it is not all', async () => {
    open({ 'GET /sources_control/github/repositories': () => listed(some(2), 'GitHub: It was slow.') });
    expect(await screen.findByText('acme/repo-2')).toBeDefined();
    expect(screen.getByText(/GitHub: It was slow\./)).toBeDefined();
  });

  it('leads to the connection where there is none, and to an admin who may not make one', async () => {
    open({}, '/manage-repositories?source_control=bitbucket_cloud');
    const link = await screen.findByRole('link', { name: 'Connect Bitbucket Cloud' });
    expect(link.getAttribute('href')).toBe('/connector?source_control=bitbucket_cloud');
    cleanup();
    open({}, '/manage-repositories?source_control=gitlab', 'cyberoper');
    expect(await screen.findByText(/An admin of your organisation connects it/)).toBeDefined();
  });

  it('takes clone addresses, and says of each line what is wrong with it', async () => {
    const { calls } = open({
      'POST /create_repository_with_list': ({ body }) => {
        const { data } = body as { data: object[] };
        return { success: true, data: data.map((_, index) => ({ _id: idOf(index), attributes: {} })) };
      },
    });
    await userEvent.click(await screen.findByRole('radio', { name: /By address/ }));
    await waitFor(() => expect(screen.getByTestId('address').textContent).toContain('source_control=git'));
    const field = screen.getByRole('textbox', { name: 'Clone addresses' });
    await userEvent.type(field, 'https://git.test/a/b.git\njavascript:alert(1)');
    await userEvent.click(screen.getByRole('button', { name: 'Import' }));
    const summary = within(await screen.findByRole('alert'));
    expect(summary.getByText(/^Line 2: /)).toBeDefined();
    expect(posts(calls)).toHaveLength(0);
    await userEvent.clear(field);
    await userEvent.type(field, 'https://git.test/a/b.git\ngit@git.test:c/d.git\n');
    await userEvent.click(screen.getByRole('button', { name: 'Import' }));
    expect(await screen.findByText('2 repositories imported')).toBeDefined();
    expect(posts(calls)[0]?.body).toMatchObject({
      source_control: 'git',
      data: [
        { nickname: 'a/b', url: 'https://git.test/a/b.git' },
        { nickname: 'c/d', url: 'git@git.test:c/d.git' },
      ],
    });
  });
});

describe('clone addresses', () => {
  it('name repositories by their path', () => {
    expect(nameOfAddress('https://git.test:8443/group/sub/project.git')).toBe('group/sub/project');
    expect(nameOfAddress('ssh://git@git.test/x/y')).toBe('x/y');
    expect(nameOfAddress('git@git.test:x/y.git')).toBe('x/y');
    expect(nameOfAddress('https://git.test/')).toBe('https://git.test/');
    expect(nameOfAddress(`https://git.test/${'x'.repeat(300)}`)).toHaveLength(200);
  });

  it('are wanted, and not too many at once', () => {
    expect(judgeAddresses([])).toHaveLength(1);
    expect(judgeAddresses(Array.from({ length: 501 }, (_, index) => `https://git.test/${index}`))).toHaveLength(1);
  });
});
