import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { type Answer, answer, fakeHttp } from '../../../testing/browser/fake-http.ts';
import { renderPage, withAddress } from '../../../testing/browser/render-page.tsx';
import { BuilderScreen } from './builder-screen.tsx';

afterEach(() => {
  cleanup();
  window.localStorage.clear();
});

const TRIED = {
  identity: 'Ada',
  operations: [
    { name: 'check', is_ok: true, message: '', requests: ['GET /account'], answer: { name: 'Ada' } },
    { name: 'findings.sync', is_ok: true, message: '', requests: ['GET /issues'], answer: { rule: 'r1' } },
  ],
  applications: ['Dock'],
  findings: [{ rule: 'r1', title: 'SQL injection', severity: 'high', type: 'SAST', place: 'a.ts:3' }],
  fixtures: { connectors: { dock: {} } },
  scrubbed: [{ kind: 'e-mail address', count: 2 }],
  is_one_page: false,
  is_unsent: false,
  report: null,
};

const open = (answers: Record<string, Answer> = {}, at = '/connector/builder') => {
  const { api, calls } = fakeHttp({
    'POST /user_connectors/check': () => ({ success: true, data: { issues: [] } }),
    'POST /user_connectors/test': () => ({ success: true, data: TRIED }),
    'POST /user_connectors/publish': () => ({ success: true, data: { id: 'p' } }),
    'GET /user_connectors/list': () => ({
      data: [],
      meta: { pagination: { page: 1, pageSize: 24, pageCount: 1, total: 0 } },
    }),
    ...answers,
  });
  const routes = [
    { path: '/connector/builder', element: withAddress(<BuilderScreen />) },
    { path: '/connector/published', element: withAddress(<p>Published</p>) },
  ];
  return { ...renderPage({ api, at, routes }), calls };
};

const field = (name: string, index = 0): HTMLInputElement => screen.getAllByLabelText<HTMLInputElement>(name)[index]!;
const type = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });
const documentOf = () => JSON.parse(field('connector.json').value);

test('form and text are the same document', () => {
  open();
  type('Name', 'Dock Scan');
  type('Hosts', 'api.dock.example\n\nfiles.dock.example');
  fireEvent.change(field('Sign-in'), { target: { value: 'header' } });
  type('Severities', 'MAJOR = high');
  fireEvent.change(field('Add a field of the finding'), { target: { value: 'cwe' } });
  type('cwe', '[cwe]');
  expect(documentOf()).toMatchObject({
    title: 'Dock Scan',
    permissions: { egress: ['api.dock.example', 'files.dock.example'] },
    auth: { type: 'header', name: 'x-api-key', value: '{{token}}' },
    findings: { severities: { MAJOR: 'high' }, map: { cwe: '[cwe]' } },
  });
  type('connector.json', JSON.stringify({ ...documentOf(), title: 'Quay', permissions: { egress: ['quay.example'] } }));
  expect(field('Name').value).toBe('Quay');
  expect(field('Hosts').value).toBe('quay.example');
  type('connector.json', '{ "title": ');
  expect(screen.getByText(/no JSON object/)).toBeDefined();
  expect(field('Name').closest('fieldset')?.disabled).toBe(true);
});

test('a draft is there again after the page was left, for the person who wrote it', async () => {
  const first = open();
  type('Name', 'Dock Scan');
  first.unmount();
  const second = open();
  expect(field('Name').value).toBe('Dock Scan');
  fireEvent.click(screen.getByRole('button', { name: 'Discard draft' }));
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Discard' }));
  expect(field('Name').value).toBe('');
  second.unmount();
  expect(window.localStorage).toHaveLength(0);
});

test('what the server finds stands at its field and beside the text', async () => {
  open({
    'POST /user_connectors/check': () => ({
      success: true,
      data: { issues: [{ path: ['check', 'identity'], message: 'is no JSONata' }] },
    }),
  });
  type('Identity', '(');
  expect(await screen.findAllByText(/is no JSONata/)).toHaveLength(2);
  expect(field('Identity').getAttribute('aria-invalid')).toBe('true');
});

test('it is tested with credentials that are kept nowhere, shown and published with what was recorded', async () => {
  const { calls } = open();
  const publish = () => screen.getByRole('button', { name: 'Publish' });
  type('Name', 'Dock Scan');
  expect(publish().matches(':disabled')).toBe(true);
  type('API token', 'token-1234');
  fireEvent.click(screen.getByRole('button', { name: 'Test' }));
  expect(await screen.findByText('SQL injection')).toBeDefined();
  expect(screen.getByText('Signed in as Ada')).toBeDefined();
  expect(screen.getByText('High')).toBeDefined();
  expect(calls.find(({ path }) => path.endsWith('/test'))?.body).toMatchObject({ values: { token: 'token-1234' } });
  expect(JSON.stringify({ ...window.localStorage })).not.toContain('token-1234');
  // another document is not what was tried
  type('Name', 'Dock');
  expect(publish().matches(':disabled')).toBe(true);
  expect(screen.getByText(/was changed since this test/)).toBeDefined();
  type('Name', 'Dock Scan');
  fireEvent.click(publish());
  const dialog = await screen.findByRole('dialog');
  fireEvent.click(within(dialog).getByRole('button', { name: 'Publish' }));
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/connector/published'));
  expect(calls.find(({ path }) => path.endsWith('/publish'))?.body).toMatchObject({
    document: { title: 'Dock Scan' },
    fixtures: TRIED.fixtures,
  });
  expect(window.localStorage).toHaveLength(0);
});

test('what is wrong with the credentials stands at their field, and why it did not succeed above', async () => {
  const detail = [
    { loc: ['body', 'values', 'token'], msg: 'This field is required.', type: 'connector' },
    { loc: ['body', 'document', 'id'], msg: 'The id is missing.', type: 'connector' },
  ];
  const { calls } = open({
    'POST /user_connectors/check': () => ({
      success: true,
      data: { issues: [{ path: ['id'], message: 'The id is missing.' }] },
    }),
    'POST /user_connectors/test': () => answer(422, { detail, code: 'validation_failed', request_id: 'r' }),
  });
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(screen.queryByText('The id is missing.')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Test' }));
  expect(await screen.findByText('This field is required.')).toBeDefined();
  expect(screen.getAllByRole('alert')).toHaveLength(1);
  expect(screen.getByRole('alert').textContent).toContain('Correct the document first');
  expect(await screen.findAllByText('The id is missing.')).toHaveLength(2);
  // a field without a name has no value, and is not where the error stands
  fireEvent.click(screen.getByRole('button', { name: 'Add field' }));
  expect(screen.getAllByText(/Correct the document first/)).toHaveLength(1);
});

test('a new version begins with what is published, is kept as a draft of its own, and replaces it', async () => {
  const reports = { dock: [{ text: '{}', expect: [] }] };
  const document = {
    ...{ id: 'dock', version: '1.2.9', title: 'Dock Scan', category: 'sast', description: 'Reads Dock.' },
    check: { request: { path: '/account' }, identity: 'name' },
  };
  const attributes = {
    title: 'Dock Scan',
    visibility: 'public',
    document,
    fixtures: { connectors: { old: {} }, reports },
  };
  const { calls, unmount } = open(
    {
      'GET /user_connectors/p1': () => ({ data: { _id: 'p1', attributes } }),
      'PUT /user_connectors/edit/p1': () => ({ success: true, data: { id: 'p1' } }),
    },
    '/connector/builder?of=p1',
  );
  expect(await screen.findByRole('heading', { name: 'New version of Dock Scan' })).toBeDefined();
  expect(documentOf()).toEqual({ ...document, version: '1.2.10' });
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Discard draft' }).disabled).toBe(true);
  type('Name', 'Dock Scan 2');
  fireEvent.click(screen.getByRole('button', { name: 'Test' }));
  await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Publish' }).disabled).toBe(false));
  fireEvent.click(screen.getByRole('button', { name: 'Publish' }));
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Publish' }));
  expect(await screen.findByText('Published')).toBeDefined();
  const sent = calls.find(({ path }) => path === '/user_connectors/edit/p1');
  expect(sent?.body).toMatchObject({
    document: { title: 'Dock Scan 2', version: '1.2.10' },
    fixtures: { connectors: { dock: {} }, reports },
    visibility: 'public',
  });
  unmount();
  open();
  expect(field('Name').value).toBe('');
});

test('tickets and messages are written by the form, and sent by a test only where that is allowed', async () => {
  const { calls } = open({
    'POST /user_connectors/test': () => ({ success: true, data: { ...TRIED, fixtures: null, is_unsent: true } }),
  });
  fireEvent.click(screen.getByLabelText('The service has findings'));
  expect(documentOf().findings).toBeUndefined();
  fireEvent.click(screen.getByLabelText('Messages to a channel'));
  fireEvent.click(screen.getByLabelText('Tickets'));
  fireEvent.click(screen.getByLabelText('Follow how it stands'));
  expect(documentOf().actions).toMatchObject({
    notify: { text: 'plain' },
    ticket: { read: { request: { path: '/tickets/{{ticket.id}}' } } },
  });
  const tests = () => calls.filter(({ path }) => path.endsWith('/test')).map(({ body }) => body);
  fireEvent.click(screen.getByRole('button', { name: 'Test' }));
  expect(await screen.findByText(/What it sends was not tried/)).toBeDefined();
  expect(tests()).toEqual([expect.not.objectContaining({ sends: true })]);
  fireEvent.click(screen.getByLabelText('Also send one message to the channel and make one ticket'));
  fireEvent.click(screen.getByRole('button', { name: 'Test' }));
  await waitFor(() => expect(tests()).toEqual([expect.anything(), expect.objectContaining({ sends: true })]));
  fireEvent.click(screen.getByLabelText('Messages to a channel'));
  expect(screen.getByLabelText('Also make one ticket')).toBeDefined();
  fireEvent.click(screen.getByLabelText('Tickets'));
  expect(documentOf().actions).toBeUndefined();
});

test('a report is read in the test, shown, and published with what was recorded of it', async () => {
  const read = { is_ok: true, message: '', count: 30, findings: TRIED.findings, unreadable: ['record 2: no rule'] };
  const reports = { dock: [{ text: '{}', expect: [] }] };
  const { calls } = open({
    'POST /user_connectors/test': ({ body }) => {
      const has = typeof body === 'object' && body !== null && 'report' in body;
      const tried = has ? { ...TRIED, report: read, fixtures: { connectors: {}, reports } } : TRIED;
      return { success: true, data: tried };
    },
  });
  fireEvent.click(screen.getByLabelText('It reads reports that people upload'));
  type('Known by', '"generator":"dock"');
  expect(documentOf().report).toMatchObject({ format: 'json', recognise: ['"generator":"dock"'] });
  fireEvent.click(screen.getByRole('button', { name: 'Test' }));
  expect(await screen.findByText(/none was read/)).toBeDefined();
  const publish = screen.getByRole('button', { name: 'Publish' });
  expect(publish.matches(':disabled')).toBe(true);
  const choose = (text: string) =>
    fireEvent.change(field('Report'), { target: { files: [new File([text], 'dock.json')] } });
  choose('x'.repeat(200_001));
  expect(await screen.findByText(/at most 200,000 characters/)).toBeDefined();
  choose('{"generator":"dock"}');
  expect(await screen.findByText('dock.json')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Test' }));
  expect(await screen.findByText('30 findings as they will be imported')).toBeDefined();
  expect(screen.getByText('record 2: no rule')).toBeDefined();
  fireEvent.click(publish);
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Publish' }));
  await screen.findByText('Published');
  expect(calls.find(({ path }) => path.endsWith('/publish'))?.body).toMatchObject({ fixtures: { reports } });
});
