import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { aiUsage } from '../../../testing/browser/ai-usage.ts';
import { answer, fakeHttp } from '../../../testing/browser/fake-http.ts';
import { renderPage } from '../../../testing/browser/render-page.tsx';
import { BulkFixDialog } from './bulk-fix-dialog.tsx';

afterEach(cleanup);

const PLAN = {
  targets: [
    {
      ...{ repository: 'shop', branch: 'main', findings: 2, can_open: true },
      ...{ ready: 1, fix_branch: 'breakwater/fixes-0a', ready_fix_branch: 'breakwater/fixes-0b' },
    },
    {
      ...{ repository: 'by-hand', branch: 'trunk', findings: 1, can_open: false },
      ...{ ready: 0, fix_branch: 'breakwater/fixes-0c', ready_fix_branch: null },
    },
  ],
  ready: ['rem-1'],
  opened: 1,
};

const IDS = ['f-1', 'f-2', 'f-3'];

/** The dialog about three findings; what it starts is begun at once, as the list does it. */
const open = (answers: Parameters<typeof fakeHttp>[0]) => {
  const http = fakeHttp({ 'GET /ai_usage': () => ({ data: aiUsage() }), ...answers });
  const started: string[] = [];
  const element = (
    <BulkFixDialog
      ids={IDS}
      onClose={() => undefined}
      onStart={(start, done) => void start().then((jobId) => started.push(`${jobId} ${done}`))}
    />
  );
  renderPage({ api: http.api, at: '/', routes: [{ path: '/', element }] });
  return { ...http, started };
};

const job = () => answer(202, { success: true, data: { job_id: 'job-1' } });

test('repositories and branches are named before anything is done; then one job generates and opens', async () => {
  const { calls, started } = open({
    'POST /bulk_actions/plan': () => ({ data: PLAN }),
    'POST /bulk_actions/generate_patch': job,
  });
  const targets = within(await screen.findByRole('list', { name: 'Repositories' })).getAllByRole('listitem');
  expect(targets.map((target) => target.textContent)).toEqual([
    'shopinto main2 findingsOne pull request from breakwater/fixes-0a',
    expect.stringContaining('by-handinto trunk1 findingAdded by its address'),
  ]);
  expect(screen.getByText('Open or merged already: 1 fix.')).toBeTruthy();
  expect(calls.filter(({ method }) => method !== 'GET')).toHaveLength(1);
  await userEvent.click(await screen.findByLabelText('Ask AI (gpt-4.1) where there is no fix without it'));
  await userEvent.click(screen.getByRole('button', { name: 'Generate and open' }));
  await waitFor(() => expect(started).toEqual(['job-1 opened']));
  expect(calls.at(-1)?.body).toEqual({
    ...{ findings: IDS, apply_pr: true, apply_issues: true, group: 'repository', ask_ai: false },
  });
});

test('what is ready is opened without being generated anew', async () => {
  const { calls, started } = open({
    'POST /bulk_actions/plan': () => ({ data: PLAN }),
    'POST /bulk_actions/apply_patch': job,
  });
  await userEvent.click(await screen.findByRole('radio', { name: 'Only open the 1 fix that is ready' }));
  screen.getByText('breakwater/fixes-0b');
  await userEvent.click(screen.getByRole('radio', { name: 'One for each fix' }));
  expect(screen.queryByText('breakwater/fixes-0b')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Open pull requests' }));
  await waitFor(() => expect(started).toEqual(['job-1 opened']));
  expect(calls.at(-1)?.body).toEqual({ remediations: ['rem-1'], group: 'finding' });
});

test('a plan that cannot be read says why, and nothing can be started', async () => {
  open({
    'POST /bulk_actions/plan': () => answer(503, { detail: 'Try again later.', code: 'unavailable', request_id: '1' }),
  });
  await screen.findByText('Try again later.');
  const button: HTMLButtonElement = screen.getByRole('button', { name: 'Generate and open' });
  expect(button.disabled).toBe(true);
});
