import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answer, fakeHttp, listOf } from '../../testing/browser/fake-http.ts';
import { renderPage } from '../../testing/browser/render-page.tsx';
import { DashboardScreen } from './dashboard-screen.tsx';

const nothing = {
  data: {
    series: [],
    labels: [],
    total: 0,
    kev: 0,
    repositories: 0,
    components: 0,
    has_data: false,
    has_sample: false,
    has_verdict: false,
    has_pull_request: false,
  },
};

const open = (answers: Parameters<typeof fakeHttp>[0] = {}, role: 'admin' | 'developer' = 'admin') => {
  const http = fakeHttp({ 'GET /total_findings_chart': () => nothing, 'GET /findings': () => listOf([]), ...answers });
  return {
    ...renderPage({ api: http.api, at: '/', role, routes: [{ path: '/', element: <DashboardScreen /> }] }),
    ...http,
  };
};

beforeEach(() => window.localStorage.clear());
afterEach(cleanup);

describe('the first run', () => {
  it('has three doors, one primary button, and no link that leads nowhere', async () => {
    const { container } = open();
    for (const name of ['Connect source control', 'Upload reports', 'Look around with sample data']) {
      expect(await screen.findByRole('heading', { name })).toBeDefined();
    }
    expect(container.querySelectorAll('.bp6-intent-primary.bp6-button')).toHaveLength(1);
    for (const link of screen.getAllByRole('link')) {
      expect(link.getAttribute('href')).toBe('/manage-repositories');
    }
  });

  it('leads to the providers of source control, but no developer', async () => {
    open();
    const link = await screen.findByRole('link', { name: 'Choose a provider' });
    expect(link.getAttribute('href')).toBe('/manage-repositories');
    cleanup();
    open({}, 'developer');
    const button = await screen.findByRole('button', { name: 'Choose a provider' });
    expect(button.hasAttribute('disabled')).toBe(true);
    expect(screen.queryAllByRole('link')).toHaveLength(0);
  });

  it('shows how far the set-up really is, and why a step waits', async () => {
    open();
    expect(await screen.findByText('1 of 4 done')).toBeDefined();
    expect(screen.getByText('Signed in as u')).toBeDefined();
    expect(screen.getByText('Needs findings')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Hide' }));
    expect(screen.queryByText('1 of 4 done')).toBeNull();
  });

  it('takes several files at once', async () => {
    const { uploads, container } = open();
    await screen.findByRole('button', { name: 'Choose files' });
    const files = [new File(['1'], 'a.json'), new File(['2'], 'b.json')];
    await userEvent.upload(container.querySelector<HTMLInputElement>('input[type=file]')!, files);
    expect(uploads).toEqual([files]);
  });

  it('says why sample data could not be loaded', async () => {
    const { toasts } = open({
      'POST /sample_data': () => answer(409, { detail: 'The sample is being removed.', code: 'conflict' }),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Load sample data' }));
    await waitFor(() => expect(toasts.toasts[0]?.message).toBe('The sample is being removed.'));
    expect(screen.getByRole('button', { name: 'Load sample data' })).toBeDefined();
  });

  it('does not offer sample data to a developer', async () => {
    open({}, 'developer');
    const button = await screen.findByRole('button', { name: 'Load sample data' });
    expect(button.hasAttribute('disabled')).toBe(true);
    expect(button.getAttribute('title')).toBe('An admin or security operator can load it');
  });

  it('shows the cause when the dashboard cannot be read, and tries again', async () => {
    let isBroken = true;
    open({
      'GET /total_findings_chart': () =>
        isBroken ? answer(503, { detail: 'The database is away.', code: 'unavailable' }) : nothing,
    });
    expect(await screen.findByText(/The database is away/)).toBeDefined();
    isBroken = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'Where are your findings?' })).toBeDefined();
  });
});
