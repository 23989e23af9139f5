import { cleanup, screen, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import { useRouteError } from 'react-router-dom';
import { afterEach, expect, it, vi } from 'vitest';
import { PageError } from '../../shell/ui/routing/guards.ts';
import { type Answer, answer, fakeHttp } from '../../testing/browser/fake-http.ts';
import { renderPage, withAddress } from '../../testing/browser/render-page.tsx';
import { CallbackScreen } from './callback-screen.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function Issue() {
  const error = useRouteError();
  return <p>{error instanceof PageError ? `${error.status} ${error.message}` : 'another error'}</p>;
}

const open = (at: string, exchange: Answer) => {
  const http = fakeHttp({ 'POST /api/oauth/token': exchange });
  const callback = (
    <StrictMode>
      <CallbackScreen />
    </StrictMode>
  );
  const routes = [
    { path: '/oauth/callback/:connector', element: callback, errorElement: <Issue /> },
    { path: '/connector/providers', element: withAddress(null) },
  ];
  return { ...http, ...renderPage({ api: http.api, at, routes }) };
};

const data = {
  source_control: 'github',
  connector: 'source-control/github',
  state: 'connected',
  is_configured: true,
  identity: 'mona',
  message: null,
};
const BACK =
  '/oauth/callback/github?code=c%2B1&state=s&installation_id=42&setup_action=install&next=https://evil.example';

it('hands on what the service said, once, and shows the card', async () => {
  const { calls, toasts } = open(BACK, () => ({ success: true, data }));
  await waitFor(() =>
    expect(screen.getByTestId('address').textContent).toBe('/connector/providers?open=source-control/github'),
  );
  expect(calls.map(({ body }) => body)).toEqual([
    { provider: 'github', code: 'c+1', state: 's', installation_id: '42', setup_action: 'install' },
  ]);
  expect(toasts.toasts).toHaveLength(1);
});

it('says in a sentence why it came to nothing, and leads back', async () => {
  open('/oauth/callback/github?error=access_denied&state=s', () =>
    answer(400, {
      success: false,
      error: 'access_denied',
      error_description: 'The sign-in at GitHub was refused there.',
      error_uri: '',
      code: 'token_exchange_failed',
    }),
  );
  expect(await screen.findByText('The sign-in at GitHub was refused there.')).toBeDefined();
  const link = screen.getByRole('link', { name: 'Back to the connector' });
  expect(link.getAttribute('href')).toBe('/connector?source_control=github');
});

it('an unknown provider is no page', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  open('/oauth/callback/svn?code=1&state=s', () =>
    answer(404, { detail: 'Oauth service not found', code: 'connector_not_found' }),
  );
  expect(await screen.findByText('404 SCM callback not found')).toBeDefined();
});
