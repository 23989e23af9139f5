import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { Role } from '../../platform/model/permissions.ts';
import { answer, fakeHttp } from '../../testing/browser/fake-http.ts';
import { renderPage } from '../../testing/browser/render-page.tsx';
import { shownFix as fix } from '../../testing/browser/shown-fix.ts';
import { FixPanel, type FixPanelProps } from './fix-panel.tsx';

afterEach(cleanup);

const OPENED = { processing_status: 'pr_submitted', number: 7, reference_url: 'https://git.example.test/shop/pulls/7' };

const open = (
  answers: Parameters<typeof fakeHttp>[0],
  { role = 'developer', ...props }: { role?: Role } & Partial<FixPanelProps> = {},
) => {
  const http = fakeHttp({ 'GET /tickets/targets': () => ({ data: [] }), ...answers });
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
  expect(await screen.findByRole('button', { name: 'Open the issue' })).toBeTruthy();
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

test('several ticket systems give a choice; a ticket is shown with its key and state, and not offered again', async () => {
  const target = (connector_id: string, title: string) => ({ connector_id, title, problem: null });
  const ticket = { key: 'SEC-12', url: 'https://acme.atlassian.net/browse/SEC-12', status: 'To Do', is_done: false };
  const sent = { connector_id: 'jira_cloud', title: 'Jira Cloud', status: 'delivered', is_gone: false, problem: null };
  let tickets: object[] = [];
  const { calls, toasts } = open({
    'GET /findings/f-1/remediation': () => ({ data: fix({ tickets }) }),
    'GET /tickets/targets': () => ({ data: [target('webhook', 'Ticket webhook'), target('jira_cloud', 'Jira Cloud')] }),
    'POST /webhook/send_ticket': () => {
      tickets = [{ ...sent, ticket }];
      return { success: true, data: { title: 'Ticket sent to Jira Cloud: SEC-12', description: null, ticket } };
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Send to Jira Cloud' }));
  expect((await screen.findByRole('link', { name: 'SEC-12' })).getAttribute('href')).toBe(ticket.url);
  expect(screen.getByRole('list', { name: 'Tickets' }).textContent).toBe('Jira Cloud: SEC-12 To Do');
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
    remediation_id: 'rem-1',
    connector_id: 'jira_cloud',
  });
  expect(toasts.toasts[0]?.message).toBe('Ticket sent to Jira Cloud: SEC-12');
  expect(screen.queryByRole('button', { name: 'Send to Jira Cloud' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Send ticket' })).toBeTruthy();
});

test('what a ticket would say is shown before it is sent, for each ticket system; a refusal is said', async () => {
  const target = (connector_id: string, title: string) => ({ connector_id, title, problem: null });
  const drafts: Record<string, object> = {
    webhook: { summary: '<b>Flask</b>\nin shop', assignee: '' },
  };
  const { calls } = open({
    'GET /findings/f-1/remediation': () => ({ data: fix() }),
    'GET /tickets/targets': () => ({ data: [target('webhook', 'Ticket webhook'), target('jira_cloud', 'Jira Cloud')] }),
    'POST /webhook/preview_ticket': ({ body }) => {
      const ticket = drafts[(body as { connector_id: string }).connector_id];
      return ticket === undefined
        ? answer(409, { detail: 'Jira Cloud is not configured.', code: 'integration_not_configured' })
        : { data: { ticket } };
    },
    'POST /webhook/send_ticket': () => ({ success: true, data: { title: 'Successfully send webhook' } }),
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Preview for Jira Cloud' }));
  const refused = await screen.findByRole('dialog', { name: 'Preview for Jira Cloud' });
  expect((await within(refused).findByRole('alert')).textContent).toBe('Jira Cloud is not configured.');
  expect(within(refused).getByRole('button', { name: 'Send to Jira Cloud' }).hasAttribute('disabled')).toBe(true);
  await userEvent.click(within(refused).getByRole('button', { name: 'Cancel' }));

  await userEvent.click(screen.getByRole('button', { name: 'Preview ticket' }));
  const dialog = await screen.findByRole('dialog', { name: 'Preview for Ticket webhook' });
  await within(dialog).findByText('summary');
  expect([...dialog.querySelectorAll('dd')].map(({ textContent }) => textContent)).toEqual([
    '<b>Flask</b>\nin shop',
    'Empty',
  ]);
  expect(calls.some(({ path }) => path.endsWith('/webhook/send_ticket'))).toBe(false);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Send ticket' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Preview for Ticket webhook' })).toBeNull());
  expect(calls.find(({ path }) => path.endsWith('/webhook/send_ticket'))?.body).toEqual({
    remediation_id: 'rem-1',
    connector_id: 'webhook',
  });
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

const SETTINGS = [{ setting: 'Force pushes to "main"', from: 'accepted', to: 'refused' }];
const settingFix = (change: object = {}) =>
  fix({ ...{ code_diff: null, remediation_type: 'issue', settings: SETTINGS }, ...change });

test('settings at the provider are changed once an admin has seen and confirmed what becomes of them', async () => {
  let now = settingFix();
  const { calls } = open(
    {
      'GET /findings/f-1/remediation': () => ({ data: now }),
      'POST /remediation/rem-1/settings': () => {
        now = settingFix({ processing_status: 'applied' });
        return { data: now };
      },
    },
    { role: 'admin' },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Change settings…' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText('Force pushes to "main"')).toBeTruthy();
  expect(calls.some(({ method }) => method === 'POST')).toBe(false);
  await userEvent.click(dialog.getByRole('button', { name: 'Change settings' }));
  expect(await screen.findByText('Settings changed')).toBeTruthy();
});

test('who may not use the connection opens an issue instead', async () => {
  open({ 'GET /findings/f-1/remediation': () => ({ data: settingFix() }) }, { role: 'developer' });
  expect(await screen.findByText('Force pushes to "main"')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Open the issue' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Change settings…' })).toBeNull();
});
