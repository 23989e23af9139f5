import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import type { Role } from '../../../platform/model/permissions.ts';
import { fakeHttp } from '../../../testing/browser/fake-http.ts';
import { renderPage } from '../../../testing/browser/render-page.tsx';
import { RepositoryWebhookCard } from './repository-webhook.tsx';

const ID = '0191c2e0-7b1a-7000-8000-000000000001';
const PATH = `/repositories/${ID}/webhook`;
const NOW = '2026-11-23T10:00:00Z';

const webhookOf = (facts: object) => ({
  ...{ is_available: true, state: 'none', problem: null, changed_at: null, next_at: null },
  ...facts,
});

const open = (facts: object, role: Role = 'admin') => {
  const http = fakeHttp({
    [`GET ${PATH}`]: () => ({ data: webhookOf(facts) }),
    [`POST ${PATH}`]: () => ({ data: webhookOf({ state: 'active', changed_at: NOW, next_at: NOW }) }),
    [`DELETE ${PATH}`]: () => ({ data: webhookOf({ changed_at: NOW }) }),
  });
  const routes = [{ path: '/', element: <RepositoryWebhookCard repositoryId={ID} /> }];
  return { ...renderPage({ api: http.api, at: '/', role, routes }), calls: http.calls };
};

afterEach(cleanup);

it('shows why one could not be made, makes it again and removes it', async () => {
  open({ state: 'failed', problem: 'GitHub: the installation may not write Webhooks.', changed_at: NOW, next_at: NOW });
  expect(await screen.findByText('GitHub: the installation may not write Webhooks.')).toBeDefined();
  expect(screen.getByText(/tried again without being asked/)).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Active')).toBeDefined();
  expect(screen.queryByText(/may not write/)).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText(/It was removed/)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull();
  await waitFor(() => expect(screen.getByRole('button', { name: 'Create' })).toBeDefined());
});

it.each<[string, object, Role]>([
  [
    'this server has no public address',
    { is_available: false, problem: 'This server has no public address.' },
    'admin',
  ],
  ['the role may not', { state: 'active', changed_at: NOW }, 'developer'],
])('offers nothing where %s', async (_, facts, role) => {
  open(facts, role);
  expect(await screen.findByText(/no public address|Active/)).toBeDefined();
  expect(screen.queryByRole('button')).toBeNull();
});
