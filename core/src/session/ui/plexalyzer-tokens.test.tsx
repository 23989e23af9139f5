import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Answer, answer, fakeHttp, listOf } from '../../testing/browser/fake-http.ts';
import { renderPage } from '../../testing/browser/render-page.tsx';
import { PlexalyzerTokens } from './plexalyzer-tokens.tsx';

const TOKEN = `bwp_${'a1B2'.repeat(10)}xyz`;
const item = (name: string, changes: object = {}) => ({
  _id: `id-of-${name}`,
  attributes: {
    name,
    hint: '3f9a',
    scopes: ['upload', 'read'],
    status: 'active',
    created_at: '2026-11-01T08:00:00.000Z',
    expired_at: '2027-11-01T23:59:59.999Z',
    last_used_at: null,
    created_by: 'lead',
    owner: null,
    ...changes,
  },
});

afterEach(cleanup);
beforeEach(() => localStorage.clear());

const show = async (answers: Record<string, Answer>) => {
  const { api, calls } = fakeHttp(answers);
  const page = renderPage({ api, at: '/tokens', routes: [{ path: '/tokens', element: <PlexalyzerTokens /> }] });
  await waitFor(() => expect(calls.length).toBeGreaterThan(0));
  return { ...page, calls };
};

test('lists tokens with their facts, never with their text', async () => {
  const rows = [
    item('Pipeline', { last_used_at: new Date().toISOString() }),
    item('Old', { status: 'expired', created_by: null }),
  ];
  await show({ 'GET /plexalyzer_tokens': () => listOf(rows) });
  const list = await screen.findByRole('list', { name: 'Tokens' });
  const [first, second] = within(list).getAllByRole('listitem');
  expect(first?.textContent).toMatch(/Pipeline.*3f9a.*Active.*by lead.*MayUpload, Read data.*Last usedjust now/);
  expect(second?.textContent).toMatch(/Old.*Expired.*Last usedNever/);
});

test('names whose the personal ones are, and pages through more than fit', async () => {
  const pageOf = (page: string | null) => listOf([item(`Script ${page}`, { owner: 'dev' })], 201);
  await show({ 'GET /plexalyzer_tokens': ({ query }) => pageOf(query.get('pagination[page]')) });
  const list = await screen.findByRole('list', { name: 'Tokens' });
  expect(within(list).getByRole('listitem').textContent).toMatch(/Script 1.*Calls as.*dev/);
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }));
  await screen.findByText('Script 2');
});

test('shows a new token once, with a warning and a way to copy it', async () => {
  let rows: object[] = [];
  const { calls } = await show({
    'GET /plexalyzer_tokens': () => listOf(rows),
    'POST /generate_plexalyzer_token': () => {
      rows = [item('Pipeline')];
      return answer(201, {
        success: true,
        data: { _id: 'x', token: TOKEN, name: 'Pipeline', scopes: ['upload', 'read'], created_at: '', expired_at: '' },
      });
    },
  });
  await screen.findByText('No token yet.');
  await userEvent.type(screen.getByLabelText('Name'), ' Pipeline ');
  await userEvent.click(screen.getByLabelText('Read findings, scans and the list of repositories'));
  await userEvent.click(screen.getByRole('button', { name: 'Create token' }));
  const field = await screen.findByLabelText<HTMLInputElement>('Token');
  expect(field.value).toBe(TOKEN);
  expect(screen.getByRole('status').textContent).toContain('nobody, not even an admin, can show it again');
  const sent = calls.find((call) => call.method === 'POST')?.body;
  expect(sent).toEqual({
    name: 'Pipeline',
    expired_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
    scopes: ['upload', 'read'],
  });
  // userEvent stands in for the clipboard of the browser
  await userEvent.click(screen.getByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).toBe(TOKEN);
  await userEvent.click(screen.getByRole('button', { name: 'I have stored it' }));
  expect(document.body.innerHTML).not.toContain(TOKEN);
  await screen.findByRole('list', { name: 'Tokens' });
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('');
});

test('an empty name is not sent; a taken one is said on top and input is kept', async () => {
  const detail = 'There is a token named "Pipeline". Choose another name.';
  const { calls } = await show({
    'GET /plexalyzer_tokens': () => listOf([]),
    'POST /generate_plexalyzer_token': () => answer(409, { detail, code: 'conflict' }),
  });
  await userEvent.click(screen.getByRole('button', { name: 'Create token' }));
  expect(screen.getByRole('alert').textContent).toContain('Name the token');
  expect(calls.filter((call) => call.method === 'POST')).toEqual([]);
  await userEvent.type(screen.getByLabelText('Name'), 'Pipeline');
  await userEvent.click(screen.getByRole('button', { name: 'Create token' }));
  await screen.findByText(detail);
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Pipeline');
});

test('a token that may do nothing is not asked for', async () => {
  const { calls } = await show({ 'GET /plexalyzer_tokens': () => listOf([]) });
  await userEvent.type(screen.getByLabelText('Name'), 'Pipeline');
  await userEvent.click(screen.getByLabelText('Upload reports and follow their import'));
  await userEvent.click(screen.getByRole('button', { name: 'Create token' }));
  expect(screen.getByRole('alert').textContent).toContain('Choose what the token may do.');
  expect(calls.filter((call) => call.method === 'POST')).toEqual([]);
});

test('revoking asks first, says what follows, and takes the row away', async () => {
  let rows = [item('Pipeline')];
  const { calls, toasts } = await show({
    'GET /plexalyzer_tokens': () => listOf(rows),
    'DELETE /plexalyzer_tokens/': () => {
      rows = [];
      return { success: true };
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Revoke Pipeline' }));
  const dialog = await screen.findByRole('dialog', { name: 'Revoke token Pipeline' });
  expect(dialog.textContent).toContain('refused at once');
  expect(calls.filter((call) => call.method === 'DELETE')).toEqual([]);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Revoke token' }));
  await screen.findByText('No token yet.');
  expect(calls.find((call) => call.method === 'DELETE')?.path).toBe('/plexalyzer_tokens/id-of-Pipeline');
  expect(toasts.toasts.map((toast) => toast.message)).toEqual(['Token Pipeline revoked']);
});

test('a list that cannot be read says so and can be tried again', async () => {
  let isBroken = true;
  await show({
    'GET /plexalyzer_tokens': () =>
      isBroken ? answer(503, { detail: 'The database is away.', code: 'unavailable' }) : listOf([item('Pipeline')]),
  });
  await screen.findByText('The database is away.');
  isBroken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('Pipeline');
});
