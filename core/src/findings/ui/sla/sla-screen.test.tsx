import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { fakeHttp } from '../../../testing/browser/fake-http.ts';
import { renderPage } from '../../../testing/browser/render-page.tsx';
import { DEFAULT_SLA_RULES } from '../../model/sla.ts';
import { SlaScreen } from './sla-screen.tsx';

const stored = { ...DEFAULT_SLA_RULES, updated_at: null, updated_by: null };

const open = (role: 'admin' | 'cyberoper') => {
  const http = fakeHttp({
    'GET /client/sla': () => ({ data: stored }),
    'PUT /client/sla': ({ body }) => ({ success: true, data: { ...stored, ...Object(body) } }),
  });
  renderPage({ api: http.api, at: '/due-dates', role, routes: [{ path: '/due-dates', element: <SlaScreen /> }] });
  return http;
};

afterEach(cleanup);

it('saves from which day due dates count, and goes back to the default', async () => {
  const { calls } = open('admin');
  const found = await screen.findByRole<HTMLInputElement>('radio', { name: /When it was first found here/ });
  expect(found.checked).toBe(false);
  await userEvent.click(found);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText(/^Saved\./);
  expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ ...DEFAULT_SLA_RULES, starts: 'found' });
  await userEvent.click(screen.getByRole('button', { name: /^Back to 1, 7, 30, 90/ }));
  await waitFor(() => expect(found.checked).toBe(false));
});

it('shows who may not change it what holds', async () => {
  open('cyberoper');
  const reported = await screen.findByRole<HTMLInputElement>('radio', { name: /When the tool reported it/ });
  expect([reported.checked, reported.disabled]).toEqual([true, true]);
});
