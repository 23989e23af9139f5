import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import type { Role } from '../../../platform/model/permissions.ts';
import { connectedGitea, failedWith, giteaCard, reportCard } from '../../../testing/browser/connector-cards.ts';
import { type Answer, answer, fakeHttp } from '../../../testing/browser/fake-http.ts';
import { renderPage, withAddress } from '../../../testing/browser/render-page.tsx';
import { ProvidersScreen, ToolsScreen } from './catalogue-screen.tsx';

afterEach(cleanup);

interface Setting {
  answers?: Record<string, Answer>;
  at?: string;
  role?: Role;
}

const open = ({ answers = {}, at = '/connector/providers', role = 'admin' }: Setting = {}) => {
  const http = fakeHttp({ 'GET /connectors': () => ({ data: [giteaCard(), reportCard()] }), ...answers });
  const listeners = new Map<string, (data: never) => void>();
  const page = renderPage({
    api: http.api,
    at,
    role,
    events: {
      on: (kind, listener) => {
        listeners.set(kind.type, listener);
        return () => listeners.delete(kind.type);
      },
      onReconnect: () => () => undefined,
      start: () => undefined,
      stop: () => undefined,
    },
    routes: [
      { path: '/connector/providers', element: withAddress(<ProvidersScreen />) },
      { path: '/connector/tools', element: withAddress(<ToolsScreen />) },
    ],
  });
  const emit = (data: object) => act(() => listeners.get('connection.changed')?.(data as never));
  return { ...page, ...http, emit };
};

const OPEN = '/connector/providers?open=source-control%2Fgitea';
const address = () => screen.getByTestId('address').textContent;
const card = (name: string) => screen.findByRole('article', { name });
const panel = async () => within(await screen.findByRole('complementary', { name: 'Gitea' }));

describe('the catalogue', () => {
  it('groups cards by category, with counts, state and the one thing to do', async () => {
    const { uploads } = open();
    const gitea = within(await card('Gitea'));
    expect(gitea.getByText('Not configured')).toBeDefined();
    expect(gitea.getByText('Needs access token and domain.')).toBeDefined();
    expect(screen.getByText('0 of 1 connected, 1 takes reports')).toBeDefined();
    expect(screen.getByRole('heading', { name: 'Source control' })).toBeDefined();
    await userEvent.click(within(await card('OpenGrep')).getByRole('button', { name: 'Upload report: OpenGrep' }));
    expect(uploads).toEqual(['open']);
  });

  it('searches names, categories and tool ids, keeps it in the address, and says when nothing matches', async () => {
    open();
    await card('Gitea');
    const search = screen.getByRole('searchbox', { name: 'Search connectors' });
    await userEvent.type(search, 'source control');
    await waitFor(() => expect(screen.queryByRole('article', { name: 'OpenGrep' })).toBeNull());
    expect(address()).toContain('search=source+control');
    await userEvent.clear(search);
    await userEvent.type(search, 'zebra');
    expect(await screen.findByText('No connector matches “zebra”')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Clear the search' }));
    expect(await card('OpenGrep')).toBeDefined();
  });

  it('shows what needs attention behind its tab', async () => {
    const broken = connectedGitea({ state: 'needsAuth', state_detail: failedWith('auth', 'The token was revoked.') });
    open({ answers: { 'GET /connectors': () => ({ data: [broken, reportCard()] }) } });
    await card('OpenGrep');
    await userEvent.click(screen.getByRole('button', { name: /Needs attention/ }));
    expect(screen.queryByRole('article', { name: 'OpenGrep' })).toBeNull();
    expect(within(await card('Gitea')).getByText('The token was revoked.')).toBeDefined();
    expect(address()).toBe('/connector/providers?tab=attention');
    await userEvent.click(screen.getByRole('button', { name: /^Connected/ }));
    expect(await screen.findByText('No connector is connected')).toBeDefined();
  });

  it('leaves places of code out of the tools', async () => {
    open({ at: '/connector/tools' });
    await card('OpenGrep');
    expect(screen.queryByRole('article', { name: 'Gitea' })).toBeNull();
  });

  it('follows what happens elsewhere', async () => {
    const { emit } = open({ answers: { 'GET /connectors/gitea': () => ({ data: connectedGitea() }) } });
    expect(within(await card('Gitea')).getByText('Not configured')).toBeDefined();
    emit({ connector_id: 'gitea' });
    await waitFor(async () => expect(within(await card('Gitea')).getByText('Connected')).toBeDefined());
  });

  it('says why it could not be read, and tries again', async () => {
    let isDown = true;
    open({
      answers: {
        'GET /connectors': () =>
          isDown ? answer(503, { detail: 'The database is away.', code: 'unavailable' }) : { data: [giteaCard()] },
      },
    });
    expect(await screen.findByText(/The database is away/)).toBeDefined();
    isDown = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await card('Gitea')).toBeDefined();
  });
});

describe('the panel', () => {
  it('has an address, takes the focus, and gives it back on Esc', async () => {
    open();
    await userEvent.click(within(await card('Gitea')).getByRole('button', { name: 'Set up: Gitea' }));
    expect(address()).toBe('/connector/providers?open=source-control/gitea');
    const title = await screen.findByRole('heading', { name: 'Set up Gitea' });
    expect(document.activeElement).toBe(title);
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('complementary', { name: 'Gitea' })).toBeNull());
    expect(address()).toBe('/connector/providers');
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Gitea'));
  });

  it('says what is wrong beside the field and on top, keeps the input, and sends nothing', async () => {
    const { calls } = open({ at: OPEN });
    const form = await panel();
    await userEvent.clear(form.getByRole('textbox', { name: 'Port' }));
    await userEvent.type(form.getByRole('textbox', { name: 'Port' }), '84430');
    await userEvent.click(form.getByRole('button', { name: 'Check and save' }));
    const summary = form.getByRole('alert');
    expect(document.activeElement).toBe(summary);
    expect(
      within(summary)
        .getAllByRole('link')
        .map((link) => link.textContent),
    ).toEqual([
      'Access token: This field is required.',
      'Domain: This field is required.',
      'Port: Must be at most 65535.',
    ]);
    const port = form.getByRole('textbox', { name: 'Port' });
    expect(port.getAttribute('aria-invalid')).toBe('true');
    expect(form.getByText('Must be at most 65535.')).toBeDefined();
    expect((port as HTMLInputElement).value).toBe('84430');
    expect(calls.filter(({ method }) => method === 'PUT')).toEqual([]);
    await userEvent.click(within(summary).getByRole('link', { name: 'Port: Must be at most 65535.' }));
    expect(document.activeElement).toBe(port);
    await userEvent.type(port, '{Backspace}');
    expect(form.queryByText('Must be at most 65535.')).toBeNull();
  });

  it('sends what changed, shows what the service said, and never the secret', async () => {
    const refused = connectedGitea({
      was_connected: false,
      state: 'needsAuth',
      state_detail: { ...failedWith('auth', 'Gitea refused the token.'), help: 'Enter a new token.' },
    });
    const { calls, container } = open({ at: OPEN, answers: { 'PUT /connectors': () => ({ data: refused }) } });
    const form = await panel();
    await userEvent.type(form.getByLabelText('Access token'), 'harbour-secret-3f9a');
    await userEvent.type(form.getByRole('textbox', { name: 'Domain' }), ' git.harbour.example ');
    await userEvent.click(form.getByRole('button', { name: 'Check and save' }));
    expect((await form.findByRole('alert')).textContent).toBe('Gitea refused the token.Enter a new token.');
    expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
      values: { oauth_token: 'harbour-secret-3f9a', hosted_domain: 'git.harbour.example' },
    });
    expect((form.getByLabelText('Access token') as HTMLInputElement).value).toBe('••••••••••••3f9a');
    expect(container.innerHTML).not.toContain('harbour-secret');
  });

  it('replaces a secret only when asked, and can keep the saved one', async () => {
    const { calls } = open({
      at: OPEN,
      answers: {
        'GET /connectors': () => ({ data: [connectedGitea()] }),
        'PUT /connectors': () => ({ data: connectedGitea() }),
      },
    });
    const form = await panel();
    await userEvent.click(form.getByRole('button', { name: 'Replace Access token' }));
    const field = form.getByLabelText('Access token');
    expect(document.activeElement).toBe(field);
    expect((field as HTMLInputElement).value).toBe('');
    await userEvent.type(field, 'short');
    await userEvent.click(form.getByRole('button', { name: 'Check and save' }));
    expect(form.getByText('Must have at least 8 characters.')).toBeDefined();
    await userEvent.click(form.getByRole('button', { name: 'Keep saved' }));
    const port = form.getByRole('textbox', { name: 'Port' });
    await userEvent.clear(port);
    await userEvent.type(port, '3000');
    await userEvent.click(form.getByRole('button', { name: 'Check and save' }));
    await waitFor(() => expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ values: { port: 3000 } }));
  });

  it("shows the server's own errors beside their fields, and the input stays", async () => {
    const issue = { loc: ['body', 'values', 'hosted_domain'], msg: 'Must not be an address.', type: 'format' };
    open({
      at: OPEN,
      answers: {
        'GET /connectors': () => ({ data: [connectedGitea()] }),
        'PUT /connectors': () => answer(422, { detail: [issue], code: 'validation_failed' }),
      },
    });
    const form = await panel();
    const domain = form.getByRole('textbox', { name: 'Domain' });
    await userEvent.type(domain, '/x');
    await userEvent.click(form.getByRole('button', { name: 'Check and save' }));
    expect(await form.findByText('Must not be an address.')).toBeDefined();
    expect(form.getByRole('link', { name: 'Domain: Must not be an address.' })).toBeDefined();
    expect((domain as HTMLInputElement).value).toBe('git.harbour.example/x');
  });

  it('shows that it asks, lets nobody send twice, and says who was found', async () => {
    let finish: (value: object) => void = () => undefined;
    const { calls } = open({
      at: OPEN,
      answers: {
        'GET /connectors': () => ({ data: [connectedGitea()] }),
        'POST /connectors': () => new Promise<object>((resolve) => (finish = resolve)),
      },
    });
    const form = await panel();
    const button = form.getByRole('button', { name: 'Check again' });
    await userEvent.click(button);
    expect(await form.findByText(/It goes on when you leave/)).toBeDefined();
    await userEvent.click(button);
    expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
    finish({ data: connectedGitea() });
    expect(await form.findByText('Checked just now as harbour-labs.')).toBeDefined();
  });

  it('asks before a changed form is left for another card or page', async () => {
    open({ at: OPEN });
    const form = await panel();
    await userEvent.type(form.getByRole('textbox', { name: 'Domain' }), 'git');
    await userEvent.keyboard('{Escape}');
    const dialog = await screen.findByRole('dialog', { name: 'Leave without saving' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect((form.getByRole('textbox', { name: 'Domain' }) as HTMLInputElement).value).toBe('git');
    await userEvent.click(screen.getByRole('link', { name: 'OpenGrep' }));
    const again = await screen.findByRole('dialog', { name: 'Leave without saving' });
    await userEvent.click(within(again).getByRole('button', { name: 'Leave without saving' }));
    expect(await screen.findByRole('complementary', { name: 'OpenGrep' })).toBeDefined();
  });

  it('does not ask where a filter changes beside the form', async () => {
    open({ at: OPEN });
    const form = await panel();
    await userEvent.type(form.getByRole('textbox', { name: 'Domain' }), 'git');
    await userEvent.click(screen.getByRole('button', { name: 'Connected' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect((form.getByRole('textbox', { name: 'Domain' }) as HTMLInputElement).value).toBe('git');
  });

  it('shows a security operator everything and lets nothing be changed, with the reason', async () => {
    open({ at: OPEN, role: 'cyberoper', answers: { 'GET /connectors': () => ({ data: [connectedGitea()] }) } });
    const form = await panel();
    expect(form.getByText(/An admin of your organisation sets up connectors/)).toBeDefined();
    expect(form.getByRole('textbox', { name: 'Domain' }).hasAttribute('disabled')).toBe(true);
    expect(form.queryByRole('button', { name: /Check|Save|Replace|Delete|Switch/ })).toBeNull();
    expect(form.getByText('git.harbour.example:443')).toBeDefined();
  });

  it('deletes the configuration after saying what goes and what stays', async () => {
    let isThere = true;
    const { toasts, calls } = open({
      at: OPEN,
      answers: {
        'GET /connectors': () => ({ data: [connectedGitea()] }),
        'GET /connectors/gitea': () => ({ data: isThere ? connectedGitea() : giteaCard() }),
        'DELETE /connectors': () => {
          isThere = false;
          return { success: true };
        },
      },
    });
    const form = await panel();
    await userEvent.click(form.getByRole('button', { name: 'Delete configuration' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete the configuration of Gitea' }));
    expect(dialog.getByText(/Findings, their verdicts and the history of this connection stay/)).toBeDefined();
    await userEvent.click(dialog.getByRole('button', { name: 'Delete configuration' }));
    await waitFor(() => expect(toasts.toasts[0]?.message).toBe('Configuration of Gitea deleted'));
    expect(calls.some(({ method }) => method === 'DELETE')).toBe(true);
    expect(await form.findByText('Needs access token and domain.')).toBeDefined();
  });

  it('switches off with a reason, and then says who did and why', async () => {
    const gate = {
      state: 'disabledByOrganisation',
      by: 'lead',
      at: new Date().toISOString(),
      reason: 'Audit',
    } as const;
    const { calls } = open({
      at: OPEN,
      answers: {
        'GET /connectors': () => ({ data: [connectedGitea()] }),
        'PUT /connectors/source-control%2Fgitea/enabled': () => ({ data: connectedGitea({ gate, enabled: false }) }),
      },
    });
    const form = await panel();
    await userEvent.click(form.getByRole('button', { name: 'Switch off for your organisation' }));
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.type(dialog.getByLabelText('Reason'), 'Audit');
    await userEvent.click(dialog.getByRole('button', { name: 'Switch off' }));
    expect(await form.findByText(/Switched off by lead just now\. Audit\./)).toBeDefined();
    expect(calls.at(-1)?.body).toEqual({ enabled: false, reason: 'Audit' });
    expect(form.queryByRole('button', { name: 'Check again' })).toBeNull();
    expect(form.getByRole('button', { name: 'Switch on for your organisation' })).toBeDefined();
  });

  it('pulls findings where the connector can, and only while it is connected', async () => {
    const abilities = ['check' as const, 'sync' as const];
    const { calls, toasts } = open({
      at: OPEN,
      answers: {
        'GET /connectors': () => ({ data: [connectedGitea({ abilities })] }),
        'POST /connectors/source-control%2Fgitea/sync': () => answer(202, { success: true, data: { job_id: null } }),
        'GET /connectors/gitea': () => ({ data: connectedGitea({ abilities, state: 'syncing' }) }),
      },
    });
    const form = await panel();
    await userEvent.click(form.getByRole('button', { name: 'Pull findings now' }));
    expect(await form.findByText('Pulling findings')).toBeDefined();
    expect(toasts.toasts[0]?.message).toBe('Gitea: findings are being pulled');
    expect(calls.some(({ path }) => path.endsWith('/sync'))).toBe(true);
    expect(form.queryByRole('button', { name: 'Pull findings now' })).toBeNull();
  });

  it('does not ask a service again that asked for a pause, until something is changed', async () => {
    const state_detail = failedWith('rate_limited', 'Asked too often.');
    open({
      at: OPEN,
      answers: { 'GET /connectors': () => ({ data: [connectedGitea({ state: 'paused', state_detail })] }) },
    });
    const form = await panel();
    expect(form.getByRole('button', { name: 'Check again' }).hasAttribute('disabled')).toBe(true);
    await userEvent.type(form.getByRole('textbox', { name: 'Domain' }), 'x');
    expect(form.getByRole('button', { name: 'Check and save' }).hasAttribute('disabled')).toBe(false);
  });

  it('shows where the service sends its deliveries', async () => {
    const webhook_path = '/api/webhooks/gitea/abc';
    open({
      at: OPEN,
      answers: { 'GET /connectors': () => ({ data: [connectedGitea({ webhook_path, abilities: ['webhook'] })] }) },
    });
    const form = await panel();
    const field = form.getByRole('textbox', { name: 'Webhook address' });
    expect((field as HTMLInputElement).value).toBe(`${window.location.origin}${webhook_path}`);
    cleanup();
    // of a source control it makes the webhooks itself
    open({
      at: OPEN,
      answers: {
        'GET /connectors': () => ({ data: [connectedGitea({ webhook_path, abilities: ['scm', 'webhook'] })] }),
      },
    });
    const own = await panel();
    expect(own.getByText(/makes them itself/)).toBeDefined();
    expect(own.queryByRole('textbox', { name: 'Webhook address' })).toBeNull();
  });

  it('gives a superadmin the switch of the platform', async () => {
    open({ at: OPEN, role: 'superadmin' });
    const form = await panel();
    expect(form.getByRole('button', { name: 'Switch off for every organisation' })).toBeDefined();
    expect(form.queryByRole('button', { name: 'Switch off for your organisation' })).toBeNull();
  });

  it('lets an admin release a connector from quarantine', async () => {
    const gate = { state: 'quarantined', by: null, at: null, reason: 'Its code failed three times.' } as const;
    open({
      at: OPEN,
      answers: {
        'GET /connectors': () => ({ data: [connectedGitea({ gate, enabled: false })] }),
        'POST /connectors/source-control%2Fgitea/release': () => ({ data: connectedGitea() }),
      },
    });
    const form = await panel();
    expect(form.getByText(/Its code failed three times/)).toBeDefined();
    await userEvent.click(form.getByRole('button', { name: 'Release from quarantine' }));
    expect(await form.findByText('Connected')).toBeDefined();
  });

  it('shows the history in words when asked', async () => {
    const entry = { event: 'FAIL', from: 'checking', to: 'needsAuth', code: 'auth', message: 'Token revoked.' };
    open({
      at: OPEN,
      answers: {
        'GET /connectors/source-control%2Fgitea/history': () => ({
          data: [{ ...entry, at: new Date().toISOString(), by: null }],
        }),
      },
    });
    const form = await panel();
    await userEvent.click(form.getByRole('button', { name: 'Show history' }));
    expect(await form.findByText('Token revoked.')).toBeDefined();
    expect(form.getByText('· Breakwater')).toBeDefined();
  });
});
