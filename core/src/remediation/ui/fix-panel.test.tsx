import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { Role } from '../../platform/model/permissions.ts';
import { answer, fakeHttp } from '../../testing/browser/fake-http.ts';
import { renderPage } from '../../testing/browser/render-page.tsx';
import { writeDiff } from '../model/unified-diff.ts';
import { diffFiles } from './diff-view.tsx';
import { FixPanel, type FixPanelProps } from './fix-panel.tsx';

afterEach(cleanup);

const DIFF = writeDiff([
  { path: 'a b/requirements.txt', before: 'flask==1.0\n-- x\n', after: 'flask==2.3.2\n-- x\n' },
  { path: 'new.txt', before: null, after: '++ y\n' },
]);

const fix = (change: object = {}) => ({
  _id: 'rem-1',
  attributes: {
    ...{ client_id: 'c', finding_id: 'f-1', repository_id: 'r', title: 'Upgrade flask to 2.3.2', description: 'Why' },
    ...{ date: '2026-11-23T05:00:00.000Z', file_path: 'requirements.txt', line: 1, processing_status: 'ready' },
    ...{ remediation_type: 'pull_request', code_diff: DIFF, code_diff_original: DIFF, code_snippet: null },
    ...{ code_snippet_original: null, is_template: false, template: null, template_fields: [], template_values: {} },
    ...{
      diff_parser: 'git',
      diff_format: 'unified',
      reference_url: null,
      branch: 'main',
      fix_branch: 'breakwater/fix-1',
    },
    ...{ repository: 'shop', number: null, files: ['requirements.txt'], is_edited: false, failure: null, remarks: [] },
    ...{ history: [], ...change },
  },
});
const OPENED = { processing_status: 'pr_submitted', number: 7, reference_url: 'https://git.example.test/shop/pulls/7' };

const open = (
  answers: Parameters<typeof fakeHttp>[0],
  { role = 'developer', ...props }: { role?: Role } & Partial<FixPanelProps> = {},
) => {
  const http = fakeHttp(answers);
  const onChanged = vi.fn();
  const element = <FixPanel id="f-1" request={undefined} onChanged={onChanged} {...props} />;
  return {
    ...http,
    onChanged,
    ...renderPage({ api: http.api, at: '/fix', routes: [{ path: '/fix', element }], role }),
  };
};

test('generated, looked at with branch and target, opened: two clicks', async () => {
  let now: object | null = null;
  const { calls, onChanged } = open({
    'GET /findings/f-1/remediation': () => ({ data: now }),
    'POST /remediation/f-1': () => {
      now = fix();
      return { data: now };
    },
    'POST /pull_request': () => {
      now = fix(OPENED);
      return { success: true, data: {} };
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Generate fix' }));
  const change = within(await screen.findByRole('region', { name: 'Change of a b/requirements.txt' }));
  expect(change.getByText('-flask==1.0').textContent).toBe('Removed: -flask==1.0');
  expect(change.getByText('+flask==2.3.2').textContent).toBe('Added: +flask==2.3.2');
  expect(screen.getByText('breakwater/fix-1').parentElement?.textContent).toBe(
    'Pull request in shop: breakwater/fix-1 into main',
  );
  await userEvent.click(screen.getByRole('button', { name: 'Open pull request' }));
  const link = await screen.findByRole('link', { name: 'Open pull request 7' });
  expect(link.getAttribute('href')).toBe(OPENED.reference_url);
  expect(calls.find(({ path }) => path === '/pull_request')?.body).toEqual({ remediation_id: 'rem-1' });
  expect(screen.queryByRole('button', { name: /Generate/ })).toBeNull();
  await waitFor(() => expect(onChanged).toHaveBeenCalledTimes(2));
});

test('what is refused says why, and the fix is read anew', async () => {
  let reads = 0;
  open({
    'GET /findings/f-1/remediation': () => {
      reads += 1;
      return { data: fix({ title: reads === 1 ? 'Old fix' : 'New fix' }) };
    },
    'POST /pull_request': () =>
      answer(409, { detail: 'Its files were changed since.', code: 'conflict', request_id: '1' }),
  });
  await screen.findByText('Old fix');
  await userEvent.click(screen.getByRole('button', { name: 'Open pull request' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Its files were changed since.');
  expect(screen.getByText('New fix')).toBeTruthy();
});

test('a key opens the pull request once, as soon as the fix is read', async () => {
  let isOpen = false;
  const { calls } = open(
    {
      'GET /findings/f-1/remediation': () => ({ data: fix(isOpen ? OPENED : {}) }),
      'POST /pull_request': () => {
        isOpen = true;
        return { success: true, data: {} };
      },
    },
    { request: { kind: 'open', count: 1 } },
  );
  await screen.findByRole('link', { name: 'Open pull request 7' });
  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

test('no fix says why; an issue can be prepared instead', async () => {
  const issue = { remediation_type: 'issue', code_diff: null, description: 'What was found', failure: null };
  let now = fix({ processing_status: 'failed', failure: 'No fixed version is known.', code_diff: null });
  open({
    'GET /findings/f-1/remediation': () => ({ data: now }),
    'POST /issues/f-1': () => {
      now = fix(issue);
      return { data: now };
    },
  });
  await screen.findByText('No fixed version is known.');
  await userEvent.click(screen.getByRole('button', { name: 'Prepare an issue' }));
  expect(await screen.findByRole('button', { name: 'Open issue' })).toBeTruthy();
  expect(screen.getByText('What was found')).toBeTruthy();
});

test('values that a template asks for are sent, and what is wrong with them is said', async () => {
  const field = { key: 'user', label: 'User', help: 'Who runs it.', pattern: '[a-z]+', message: 'Letters only.' };
  const waiting = fix({
    processing_status: 'pending_input',
    is_template: true,
    template_fields: [field],
    code_diff: null,
  });
  const { calls } = open({
    'GET /findings/f-1/remediation': () => ({ data: waiting }),
    'POST /remediation/fill-template/rem-1': () =>
      answer(422, {
        detail: [{ loc: ['body', 'template_values', 'user'], msg: 'Letters only.', type: 'pattern' }],
        code: 'validation_failed',
        request_id: '1',
      }),
  });
  await userEvent.type(await screen.findByLabelText('User'), '007');
  await userEvent.click(screen.getByRole('button', { name: 'Fill in' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Letters only.');
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ template_values: { user: '007' } });
});

test('a ticket that was not taken is told in the words of the specification', async () => {
  const data = { delivery_id: 'd', status: 'pending', status_code: null, body: null, title: 'Send webhook failed' };
  const { toasts } = open({
    'GET /findings/f-1/remediation': () => ({ data: fix() }),
    'POST /webhook/send_ticket': () => ({
      success: false,
      data: { ...data, description: 'No response was received from webhook' },
    }),
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Send ticket' }));
  await waitFor(() => expect(toasts.toasts).toHaveLength(1));
  expect(toasts.toasts[0]?.message).toContain('Send webhook failed: No response was received from webhook');
});

test('who may only look gets no buttons, and an address that is none of the web is no link', async () => {
  open(
    { 'GET /findings/f-1/remediation': () => ({ data: fix({ reference_url: 'javascript:alert(1)' }) }) },
    { role: 'superadmin' },
  );
  await screen.findByText('Upgrade flask to 2.3.2');
  expect(screen.queryByRole('button')).toBeNull();
  expect(screen.queryByRole('link')).toBeNull();
});

test('lines that look like heads of a diff are lines', () => {
  const files = diffFiles(writeDiff([{ path: 'a', before: '-- x\n', after: '++ y\n' }]));
  expect(files).toEqual([
    {
      path: 'a',
      lines: [
        { kind: 'head', text: '@@ -1,1 +1,1 @@' },
        { kind: 'del', text: '--- x' },
        { kind: 'add', text: '+++ y' },
      ],
    },
  ]);
});
