import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Role } from '../../../platform/model/permissions.ts';
import { connectedGitea, giteaCard } from '../../../testing/browser/connector-cards.ts';
import { type Answer, answer, fakeHttp } from '../../../testing/browser/fake-http.ts';
import { renderPage, withAddress } from '../../../testing/browser/render-page.tsx';
import { ProviderScreen } from '../catalogue/provider-screen.tsx';
import type { ConnectorItem } from '../data/connector.ts';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const READY = { ready: true, message: null, signed_in: false, installation: false };
const CONSENT = 'https://gitea.example.com/login/oauth/authorize?state=s';

const open = (
  item: ConnectorItem,
  { answers = {}, role = 'admin' as Role }: { answers?: Record<string, Answer>; role?: Role } = {},
) => {
  const went = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
  const http = fakeHttp({
    'GET /connectors': () => ({ data: [item] }),
    'POST /connectors': () => ({ success: true, data: { url: CONSENT } }),
    ...answers,
  });
  const routes = [{ path: '/connector', element: withAddress(<ProviderScreen />) }];
  const page = renderPage({ api: http.api, at: '/connector?source_control=gitea', routes, role });
  return { ...page, ...http, went };
};

const button = (name: string) => screen.findByRole('button', { name });

describe('signing in', () => {
  it('goes to the service in this window, after what was entered is saved', async () => {
    const saved = giteaCard({ state: 'draft', sign_in: READY });
    const { went, calls } = open(giteaCard({ sign_in: READY }), {
      answers: { 'PUT /connectors': () => ({ data: saved }) },
    });
    await userEvent.type(await screen.findByLabelText('Domain'), 'git.example.com');
    await userEvent.click(await button('Connect with Gitea'));
    await waitFor(() => expect(went.mock.calls).toEqual([[CONSENT]]));
    const changes = calls.filter(({ method }) => method !== 'GET').map(({ method, body }) => [method, body]);
    expect(changes).toEqual([
      ['PUT', { values: { hosted_domain: 'git.example.com' } }],
      ['POST', { step: 'sign-in' }],
    ]);
  });

  it('leads from what is connected to the import, for who may', async () => {
    open(connectedGitea());
    const link = await screen.findByRole('link', { name: 'Import repositories' });
    expect(link.getAttribute('href')).toBe('/manage-repositories?source_control=gitea');
    cleanup();
    open(connectedGitea(), { role: 'superadmin' });
    await screen.findByRole('heading', { name: 'Gitea', level: 1 });
    expect(screen.queryByRole('link', { name: 'Import repositories' })).toBeNull();
    cleanup();
    open(giteaCard({ sign_in: READY }));
    await button('Connect with Gitea');
    expect(screen.queryByRole('link', { name: 'Import repositories' })).toBeNull();
  });

  it('says why it cannot, or that the address is none, and stays', async () => {
    const refusal = () =>
      answer(409, { detail: '"Domain" is empty. Fill in the field.', code: 'integration_not_configured' });
    const { went, toasts } = open(giteaCard({ sign_in: READY }), { answers: { 'POST /connectors': refusal } });
    await userEvent.click(await button('Connect with Gitea'));
    await waitFor(() =>
      expect(toasts.toasts.map(({ message }) => message)).toEqual(['"Domain" is empty. Fill in the field.']),
    );
    expect(went).not.toHaveBeenCalled();
  });

  it('goes nowhere but to a web address', async () => {
    const { went, calls } = open(giteaCard({ sign_in: READY }), {
      answers: { 'POST /connectors': () => ({ success: true, data: { url: 'javascript:alert(1)' } }) },
    });
    await userEvent.click(await button('Connect with Gitea'));
    await waitFor(() => expect(calls.some(({ method }) => method === 'POST')).toBe(true));
    expect(went).not.toHaveBeenCalled();
  });

  it('says what is to be set up where it is not ready, and nothing to who may not', async () => {
    const message = 'To sign in with Gitea, register an OAuth application.';
    const item = giteaCard({ sign_in: { ...READY, ready: false, message } });
    open(item);
    expect(await screen.findByText(message)).toBeDefined();
    expect(screen.queryByRole('button', { name: /Connect with/ })).toBeNull();
    cleanup();
    open(giteaCard({ sign_in: READY }), { role: 'cyberoper' });
    await screen.findByRole('heading', { name: 'Gitea', level: 1 });
    expect(screen.queryByRole('button', { name: /Connect with/ })).toBeNull();
  });

  it.each<[string, ConnectorItem, string]>([
    ['waits', giteaCard({ state: 'authorizing', sign_in: READY }), 'Begin again with Gitea'],
    ['works', connectedGitea({ sign_in: { ...READY, signed_in: true } }), 'Connect again with Gitea'],
    [
      'needs it',
      connectedGitea({ state: 'needsAuth', sign_in: { ...READY, signed_in: true } }),
      'Connect again with Gitea',
    ],
  ])('of a connection that %s', async (_, item, name) => {
    open(item);
    expect(await button(name)).toBeDefined();
  });

  it('then chooses repositories, where the application is installed', async () => {
    const item = giteaCard({ state: 'draft', sign_in: { ...READY, signed_in: true, installation: true } });
    const { went, calls } = open(item);
    await userEvent.click(await button('Choose repositories on Gitea'));
    await waitFor(() => expect(went).toHaveBeenCalled());
    expect(calls.at(-1)?.body).toEqual({ step: 'installation' });
  });
});

it('a connection that was cleared because its token expired is set up on its own page', async () => {
  const text = 'Bitbucket cloud token expired, please create new one while redirecting to connector...';
  const item = connectedGitea({ id: 'bitbucket_cloud', title: 'Bitbucket Cloud' });
  const http = fakeHttp({
    'GET /connectors': () => ({ data: [item] }),
    'GET /connectors/bitbucket_cloud': () => ({ data: item }),
    'POST /connectors': () => answer(409, { detail: text, code: 'connection_expired' }),
  });
  const routes = [{ path: '/connector', element: withAddress(<ProviderScreen />) }];
  const { toasts } = renderPage({ api: http.api, at: '/connector?source_control=bitbucket_cloud', routes });
  await userEvent.click(await button('Check again'));
  await waitFor(() =>
    expect(screen.getByTestId('address').textContent).toBe('/connector?source_control=bitbucket cloud'),
  );
  expect(toasts.toasts.map(({ message }) => message)).toEqual([text]);
});
