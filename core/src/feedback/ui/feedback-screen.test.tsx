import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { type Answer, answer, fakeHttp, listOf } from '../../testing/browser/fake-http.ts';
import { renderPage } from '../../testing/browser/render-page.tsx';
import { FeedbackScreen } from './feedback-screen.tsx';
import { startUsageReports } from './usage.ts';

const ID = '01990000-0000-7000-8000-00000000000a';
const AT = '2026-11-20T10:00:00.000Z';

const postOf = (change: object = {}) => ({
  _id: ID,
  attributes: {
    title: 'Export as PDF',
    details: '',
    status: 'open',
    answer: '',
    author: { user_id: null, name: 'ann' },
    votes: 3,
    created_at: AT,
    updated_at: AT,
    has_voted: false,
    is_removable: false,
    ...change,
  },
});

const open = (answers: Record<string, Answer>, at = '/feedback') => {
  const { api, calls } = fakeHttp({
    'GET /feedback-options': () => ({ data: { canny: null, measures_usage: false } }),
    ...answers,
  });
  renderPage({ api, at, role: 'developer', routes: [{ path: '/feedback', element: <FeedbackScreen /> }] });
  return calls;
};

test('an empty board says what it is for, and takes the first post', async () => {
  let posts: object[] = [];
  const calls = open({
    'GET /feedback': () => listOf(posts),
    'POST /feedback': () => {
      posts = [postOf({ votes: 1, has_voted: true })];
      return { success: true, data: posts[0] };
    },
  });
  await screen.findByText('Nobody asked for anything yet');
  fireEvent.click(screen.getAllByRole('button', { name: 'New post' })[0] as HTMLElement);
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByRole('button', { name: 'Post' })).toHaveProperty('disabled', true);
  fireEvent.change(dialog.getByLabelText('What should the product do?'), { target: { value: 'Export as PDF' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Post' }));
  expect(await screen.findByRole('heading', { name: 'Export as PDF' })).toBeDefined();
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ title: 'Export as PDF', details: '' });
});

test('a wish that was posted already is refused in the dialog, and what was typed stays', async () => {
  const detail = 'Somebody of your organisation asked for this already. Vote for that post.';
  open({
    'GET /feedback': () => listOf([postOf()]),
    'POST /feedback': () => answer(409, { code: 'conflict', detail }),
  });
  fireEvent.click(await screen.findByRole('button', { name: 'New post' }));
  const dialog = within(await screen.findByRole('dialog'));
  const field = dialog.getByLabelText('What should the product do?');
  fireEvent.change(field, { target: { value: 'Export as PDF' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Post' }));
  expect(await dialog.findByText(detail)).toBeDefined();
  expect(field).toHaveProperty('value', 'Export as PDF');
});

test('a vote shows at once and can be taken back', async () => {
  let hasVoted = false;
  open({
    'GET /feedback': () => listOf([postOf()]),
    [`PUT /feedback/${ID}/vote`]: () => {
      hasVoted = !hasVoted;
      return { success: true, data: postOf({ has_voted: hasVoted, votes: hasVoted ? 4 : 3 }) };
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Vote for Export as PDF: 3 votes', pressed: false }));
  fireEvent.click(await screen.findByRole('button', { name: 'Vote for Export as PDF: 4 votes', pressed: true }));
  await screen.findByRole('button', { name: 'Vote for Export as PDF: 3 votes', pressed: false });
});

test('a filter lives in the address, and shows everything again', async () => {
  const calls = open({ 'GET /feedback': () => listOf([]) }, '/feedback?status=done&search=pdf&sort=newest');
  fireEvent.click(await screen.findByRole('button', { name: 'Show everything' }));
  const asked = () => calls.filter(({ path }) => path === '/feedback').map(({ query }) => query.get('status'));
  await waitFor(() => expect(asked()).toEqual(['done', 'all']));
});

test("Canny's script gets the board and a token of who is signed in", async () => {
  const rendered: unknown[] = [];
  vi.spyOn(document.head, 'append').mockImplementation((script) => {
    window.Canny = (...given) => void rendered.push(given);
    if (script instanceof HTMLScriptElement) queueMicrotask(() => script.dispatchEvent(new Event('load')));
  });
  open({
    'GET /feedback-options': () => ({
      data: { canny: { script_url: 'https://canny.test/sdk.js', board_token: 'board-1' }, measures_usage: false },
    }),
    'POST /widget/generate-canny-token': () => ({ success: true, data: { token: 'a.b.c' } }),
  });
  await waitFor(() =>
    expect(rendered).toEqual([['render', { boardToken: 'board-1', basePath: '/feedback', ssoToken: 'a.b.c' }]]),
  );
  vi.restoreAllMocks();
  delete window.Canny;
});

test('where its script does not come, that is said, and it can be tried again', async () => {
  let isAway = true;
  vi.spyOn(document.head, 'append').mockImplementation((script) => {
    if (!isAway) window.Canny = () => undefined;
    const outcome = isAway ? 'error' : 'load';
    if (script instanceof HTMLScriptElement) queueMicrotask(() => script.dispatchEvent(new Event(outcome)));
  });
  open({
    'GET /feedback-options': () => ({
      data: { canny: { script_url: 'https://away.test/sdk.js', board_token: 'board-1' }, measures_usage: false },
    }),
    'POST /widget/generate-canny-token': () => ({ success: true, data: { token: 'a.b.c' } }),
  });
  await screen.findByText('Canny cannot be reached from this browser.');
  isAway = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.queryByText('Canny cannot be reached from this browser.')).toBeNull());
  vi.restoreAllMocks();
  delete window.Canny;
});

test('pages are reported where use is measured, each once, and by their pattern', async () => {
  const { api, calls } = fakeHttp({
    'GET /feedback-options': () => ({ data: { canny: null, measures_usage: true } }),
    'POST /usage': () => ({ success: true }),
  });
  let page: string | undefined = '/findings';
  let change: () => void = () => undefined;
  await startUsageReports(api, {
    current: () => page,
    subscribe: (listener) => {
      change = listener;
    },
  });
  change();
  page = '/findings/finding-details/:id';
  change();
  page = undefined;
  change();
  const reports = calls.filter(({ path }) => path === '/usage').map(({ body }) => body);
  expect(reports).toMatchObject([{ page: '/findings' }, { page: '/findings/finding-details/:id', from: '/findings' }]);
});
