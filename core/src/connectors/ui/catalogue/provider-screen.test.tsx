import { cleanup, screen } from '@testing-library/react';
import { useRouteError } from 'react-router-dom';
import { afterEach, expect, it, vi } from 'vitest';
import { PageError } from '../../../shell/ui/routing/guards.ts';
import { giteaCard } from '../../../testing/browser/connector-cards.ts';
import { fakeHttp } from '../../../testing/browser/fake-http.ts';
import { renderPage } from '../../../testing/browser/render-page.tsx';
import { createScene, SESSION_ANSWER, USER } from '../../../testing/browser/shell-scene.tsx';
import { routes } from '../routes.tsx';
import { ProviderScreen } from './provider-screen.tsx';

afterEach(cleanup);

const bitbucket = giteaCard({ id: 'bitbucket_cloud', title: 'Bitbucket Cloud' });

function Issue() {
  const error = useRouteError();
  return <p>{error instanceof PageError ? `${error.status} ${error.message}` : 'another error'}</p>;
}

const open = (query: string) => {
  const { api } = fakeHttp({ 'GET /connectors': () => ({ data: [giteaCard(), bitbucket] }) });
  const route = { path: '/connector', element: <ProviderScreen />, errorElement: <Issue /> };
  return renderPage({ api, at: `/connector${query}`, routes: [route] });
};

it.each([
  ['?source_control=gitea', 'Gitea'],
  ['?source_control=bitbucket%20cloud', 'Bitbucket Cloud'],
  ['?source_control=bitbucket_cloud', 'Bitbucket Cloud'],
  ['?source_control=BitBucket+Cloud', 'Bitbucket Cloud'],
])('/connector%s shows %s with its form', async (query, title) => {
  open(query);
  expect(await screen.findByRole('heading', { name: title, level: 1 })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Check and save' })).toBeDefined();
});

it('answers 403 for a source control that is not there', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  open('?source_control=svn');
  expect(await screen.findByText('403 Source control not found. Check your setting on connector page')).toBeDefined();
  vi.restoreAllMocks();
});

const visit = (address: string, role: 'admin' | 'developer') => {
  const { data } = SESSION_ANSWER;
  const session = () => ({ ...SESSION_ANSWER, data: { ...data, user: { ...USER, role } } });
  const scene = createScene({
    entries: routes,
    answers: {
      'GET /setup': () => ({ data: { needed: false } }),
      'GET /session': session,
      'GET /connectors': () => ({ data: [giteaCard()] }),
    },
  });
  scene.show(address);
};

it('answers 403 without the query', async () => {
  visit('/connector', 'admin');
  expect(await screen.findByText('Source control not found. Check your setting on connector page')).toBeDefined();
  expect(screen.getByRole('heading', { name: 'Error Status: 403' })).toBeDefined();
});

it.each(['/connector?source_control=gitea', '/connector/providers', '/connector/tools'])(
  'keeps developers out of %s',
  async (address) => {
    visit(address, 'developer');
    expect(await screen.findByText("You don't have permission for this page.")).toBeDefined();
  },
);
