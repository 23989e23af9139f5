import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import type { Role } from '../../platform/model/permissions.ts';
import { answer, fakeHttp, listOf } from '../../testing/browser/fake-http.ts';
import { renderPage } from '../../testing/browser/render-page.tsx';
import { RepositoryScan } from './repository-scan.tsx';

const ID = '0191c2e0-7b1a-7000-8000-000000000001';

const scan = (extra: object) => ({
  _id: ID,
  attributes: {
    ...{ scan_type: 'all', repository_id: ID, status: 'queued', percentage: 0, trigger: 'person', branch: null },
    ...{ tools: [], commit: null, code: null, detail: null, created_by: 'ada', created_at: '2026-11-22T10:00:00Z' },
    ...{ started_at: null, finished_at: null, ...extra },
  },
});

const open = (answers: Parameters<typeof fakeHttp>[0], role: Role = 'admin') => {
  const http = fakeHttp(answers);
  const routes = [{ path: '/', element: <RepositoryScan repositoryId={ID} /> }];
  return { ...renderPage({ api: http.api, at: '/', role, routes }), calls: http.calls };
};

afterEach(cleanup);

it('asks for a scan, says how far it is, and cancels it', async () => {
  let scans: object[] = [];
  const { calls } = open({
    'GET /scan_requests': () => listOf(scans),
    'POST /request_repo_scan': () => {
      const tools = [
        { tool: 'bandit', title: 'Bandit', version: null, status: 'running', detail: null, scan_id: null },
      ];
      scans = [scan({ status: 'running', percentage: 40, tools })];
      return answer(202, { success: true, data: { scan_requests: [ID] } });
    },
    [`POST /scan_requests/${ID}/cancel`]: () => {
      scans = [scan({ status: 'cancelled' })];
      return { success: true };
    },
  });
  expect(await screen.findByText('The server has not scanned it yet.')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Scan now' }));
  expect(await screen.findByText('Scanning 40%')).toBeDefined();
  expect(screen.getByText('Bandit')).toBeDefined();
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ scan_type: 'all', repositories: [ID] });
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByText('Cancelled')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Scan now' })).toBeDefined();
});

it('says why the provider does not show how the scan ended', async () => {
  const commit_status = { state: null, problem: 'Gitea: the token may not write.', comment_url: null };
  open({ 'GET /scan_requests': () => listOf([scan({ status: 'done', commit_status })]) });
  expect(await screen.findByText(/^The status of the commit could not be set: Gitea: the token may not/)).toBeDefined();
});

it('shows a scanner that failed beside the others that did not, and what one was not let through to', async () => {
  const tool = { version: '1', scan_id: null, detail: null, status: 'done' };
  const tools = [
    { ...tool, tool: 'bandit', title: 'Bandit' },
    { ...tool, tool: 'clamav', title: 'ClamAV', status: 'failed', detail: 'It has no signatures: run "freshclam".' },
    { ...tool, tool: 'grype', title: 'Grype', status: 'failed', detail: 'Grype ended with code 1.' },
    { ...tool, tool: 'trivy', title: 'Trivy', detail: 'Trivy was not let through to "evil.test:443".' },
    { ...tool, tool: 'kics', title: 'KICS', status: 'missing' },
  ];
  open({ 'GET /scan_requests': () => listOf([scan({ status: 'done', tools, detail: 'It has no signatures.' })]) });
  expect(await screen.findByText('Done, but 2 of 4 scanners failed')).toBeDefined();
  const notes = screen.getAllByRole('listitem');
  expect(notes.map(({ textContent, className }) => [className, textContent])).toEqual([
    ['err', 'ClamAV failed. It has no signatures: run "freshclam".'],
    ['err', 'Grype ended with code 1.'],
    ['small muted', 'Trivy: Trivy was not let through to "evil.test:443".'],
  ]);
  expect(screen.queryByText('It has no signatures.')).toBeNull();
});

it('says why a scan failed, and why one is refused', async () => {
  const { toasts } = open({
    'GET /scan_requests': () => listOf([scan({ status: 'failed', detail: 'The repository cannot be cloned.' })]),
    'POST /request_repo_scan': () => answer(409, { detail: 'It has no clone address.', code: 'conflict' }),
  });
  expect(await screen.findByText('The repository cannot be cloned.')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Scan now' }));
  await screen.findByRole('button', { name: 'Scan now' });
  expect(toasts.toasts[0]?.message).toContain('It has no clone address.');
});
