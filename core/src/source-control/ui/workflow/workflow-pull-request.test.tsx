import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import type { Role } from '../../../platform/model/permissions.ts';
import { answer, fakeHttp } from '../../../testing/browser/fake-http.ts';
import { renderPage } from '../../../testing/browser/render-page.tsx';
import { WorkflowPullRequest } from './workflow-pull-request.tsx';

const ID = '0191c2e0-7b1a-7000-8000-000000000001';
const PATH = `/repositories/${ID}/create_workflow_pr`;
const PREVIEW = {
  ...{ branch: 'breakwater/scan-pipeline-1', into: 'main', title: 'Scan' },
  files: [{ path: '.github/workflows/breakwater.yml', content: 'name: Breakwater' }],
  steps: ['Keep the token as the secret `BREAKWATER_TOKEN`.'],
};

const open = (answers: Parameters<typeof fakeHttp>[0], role: Role = 'admin') => {
  const available = { is_available: true, problem: null };
  const http = fakeHttp({ [`GET ${PATH}/availability`]: () => ({ data: available }), ...answers });
  const routes = [{ path: '/', element: <WorkflowPullRequest repositoryId={ID} /> }];
  return { ...renderPage({ api: http.api, at: '/', role, routes }), calls: http.calls };
};

afterEach(cleanup);

it('shows branch, file and content before anything is written, then leads to the pull request', async () => {
  const { calls } = open({
    [`GET ${PATH}`]: () => ({ data: PREVIEW }),
    [`POST ${PATH}`]: () => ({
      success: true,
      data: { url: 'https://git.example.com/pulls/1', number: 1, files: [], steps: PREVIEW.steps },
    }),
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Propose a pipeline' }));
  const content = await screen.findByRole('region', { name: 'Content of .github/workflows/breakwater.yml' });
  expect(content.textContent).toBe('name: Breakwater');
  expect(screen.getByText('Keep the token as the secret BREAKWATER_TOKEN.')).toBeDefined();
  const tokens = screen.getByRole('link', { name: 'API tokens' });
  expect(tokens.getAttribute('href')).toBe('/connector/tools?open=miscellaneous/plexalyzer');
  expect(calls.filter(({ method }) => method === 'POST')).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Open pull request' }));
  const link = await screen.findByRole('link', { name: 'Pull request with the pipeline' });
  expect(link.getAttribute('href')).toBe('https://git.example.com/pulls/1');
});

it('says why the server refuses', async () => {
  const { toasts } = open({
    [`GET ${PATH}`]: () => answer(409, { detail: 'shop was added by its address.', code: 'conflict', request_id: 'r' }),
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Propose a pipeline' }));
  await waitFor(() => expect(toasts.toasts[0]?.message).toContain('added by its address'));
});

it('offers nothing to a repository without a provider, and says what to do', async () => {
  const problem = 'shop was added by its address. Import it from the list of its provider.';
  open({ [`GET ${PATH}/availability`]: () => ({ data: { is_available: false, problem } }) });
  expect(await screen.findByText(problem)).toBeDefined();
  expect(screen.queryByRole('button')).toBeNull();
});

it('opens nothing where the pipeline is there already, and says what is left to do', async () => {
  const steps = ['`.gitlab-ci.yml` was left as it is.'];
  const { calls } = open({ [`GET ${PATH}`]: () => ({ data: { ...PREVIEW, files: [], steps } }) }, 'developer');
  await userEvent.click(await screen.findByRole('button', { name: 'Propose a pipeline' }));
  expect(await screen.findByText('The pipeline is there already.')).toBeDefined();
  expect(screen.getByText('.gitlab-ci.yml was left as it is.')).toBeDefined();
  // who may not make tokens is not led to their page
  expect(screen.queryByRole('link', { name: 'API tokens' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Open pull request' })).toHaveProperty('disabled', true);
  expect(calls.filter(({ method }) => method === 'POST')).toEqual([]);
});

it('is nothing to who may not fix', () => {
  open({}, 'superadmin');
  expect(screen.queryByRole('region', { name: 'Pipeline' })).toBeNull();
});
