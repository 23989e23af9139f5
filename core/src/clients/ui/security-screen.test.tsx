import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { fakeHttp } from '../../testing/browser/fake-http.ts';
import { renderPage } from '../../testing/browser/render-page.tsx';
import { SecurityScreen } from './security-screen.tsx';

afterEach(cleanup);

test('two-factor is required once that was confirmed, and no longer at a click', async () => {
  const { api, calls } = fakeHttp({
    'POST /user/check-2fa': () => ({
      success: true,
      data: { enable_2fa: true, require_2fa: false, recovery_codes_left: 10 },
    }),
    'PUT /client': () => ({ success: true }),
  });
  const changes = () => calls.filter(({ method }) => method === 'PUT').map(({ body }) => body);
  renderPage({ api, at: '/settings/security', routes: [{ path: '/settings/security', element: <SecurityScreen /> }] });
  await userEvent.click(await screen.findByLabelText('Require two-factor of everybody'));
  expect(changes()).toEqual([]);
  await userEvent.click(await screen.findByRole('button', { name: 'Require it' }));
  await waitFor(() => expect(changes()).toEqual([{ require_2fa: true }]));
  await waitFor(() =>
    expect(screen.getByLabelText<HTMLInputElement>('Require two-factor of everybody').checked).toBe(true),
  );
  await userEvent.click(screen.getByLabelText('Require two-factor of everybody'));
  await waitFor(() => expect(changes()).toEqual([{ require_2fa: true }, { require_2fa: false }]));
});
