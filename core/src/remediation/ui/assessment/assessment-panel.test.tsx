import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { answer, fakeHttp } from '../../../testing/browser/fake-http.ts';
import { renderPage } from '../../../testing/browser/render-page.tsx';
import { AssessVerb } from './assess-verb.tsx';
import { AssessmentPanel } from './assessment-panel.tsx';

afterEach(cleanup);

const assessment = (change: object = {}) => ({
  ...{ verdict: 'false_positive', confidence: 85, file_path: 'src/users.ts', state: 'proposed', is_stale: null },
  reasons: [
    { text: 'The name is a parameter.', line: 4, end_line: 4 },
    { text: '<b>Nothing</b> else.\u202E', line: 5, end_line: 7 },
  ],
  ai: { model: 'gpt-4.1', input_tokens: 1000, output_tokens: 234, cost_usd: 0.0123 },
  ...{ created_at: '2026-11-23T10:00:00.000Z', created_by: 'ada', decided_at: null, decided_by: null, ...change },
});
const now = (change: object = {}) => ({
  data: { availability: 'available', unavailable_because: null, is_running: false, assessment: null, ...change },
});

const PATH = 'GET /findings/f-1/assessment';
const open = (answers: Parameters<typeof fakeHttp>[0], mayDecide = true) => {
  const http = fakeHttp(answers);
  const onAccept = vi.fn();
  const element = <AssessmentPanel id="f-1" verdict="none" mayDecide={mayDecide} onAccept={onAccept} />;
  return {
    ...http,
    onAccept,
    ...renderPage({ api: http.api, at: '/f', routes: [{ path: '/f', element }], role: 'admin' }),
  };
};
const button = (name: string) => screen.queryByRole('button', { name });

test('asked, read with its reasons, taken over as the text of a verdict', async () => {
  let is: object = now();
  const { onAccept, calls } = open({
    [PATH]: () => is,
    'POST /findings/f-1/assessment': () => {
      is = now({ assessment: assessment() });
      return is;
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Ask AI whether it is a false positive' }));
  await screen.findByText('Likely a false positive');
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'Line 4The name is a parameter.',
    'Lines 5–7<b>Nothing</b> else.\\u202E',
  ]);
  expect(screen.getByText(/1,234 tokens/).textContent).toContain('gpt-4.1 · 1,234 tokens · $0.0123 · asked by ada');
  await userEvent.click(screen.getByRole('button', { name: 'Accept as false positive…' }));
  expect(onAccept).toHaveBeenCalledExactlyOnceWith(
    'false_positive',
    expect.stringMatching(/^Proposed by gpt-4.1 \(85 % sure\):\nsrc\/users.ts:4: The name is a parameter\.\n/),
  );
  // nothing but the question itself was sent
  expect(calls.filter(({ method }) => method !== 'GET').map(({ path }) => path)).toEqual(['/findings/f-1/assessment']);
});

test('a refusal is shown with its reason, and what was proposed before stays', async () => {
  open({
    [PATH]: () => now({ assessment: assessment({ verdict: 'uncertain', is_stale: true }) }),
    'POST /findings/f-1/assessment': () =>
      answer(409, { detail: 'gpt-4.1 gave no answer that could be used.', code: 'upstream_failed', request_id: 'r' }),
  });
  expect(await screen.findByText(/The file has changed since/)).toBeTruthy();
  expect(button('Accept as false positive…')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Ask again' }));
  expect((await screen.findByRole('alert')).textContent).toBe('gpt-4.1 gave no answer that could be used.');
  expect(screen.getByText('Undecided')).toBeTruthy();
});

test('while the model works it can be cancelled; a dismissed proposal says who dismissed it', async () => {
  let is: object = now({ is_running: true });
  open({
    [PATH]: () => is,
    'POST /findings/f-1/assessment/cancel': () => {
      is = now({ assessment: assessment() });
      return is;
    },
    'POST /findings/f-1/assessment/dismiss': () => {
      is = now({ assessment: assessment({ state: 'dismissed', decided_by: 'bob' }) });
      return { success: true };
    },
  });
  expect((await screen.findByRole('status')).textContent).toContain('looking at the code');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Dismiss' }));
  expect(await screen.findByText('The proposal of gpt-4.1 was dismissed by bob.')).toBeTruthy();
});

test('switched off there is neither panel nor verb; used up says why; who only looks is offered nothing', async () => {
  const off = open({ [PATH]: () => now({ availability: 'off', assessment: assessment() }) });
  await waitFor(() => expect(off.calls).toHaveLength(1));
  expect(screen.queryByRole('heading')).toBeNull();
  cleanup();
  open({ [PATH]: () => now({ availability: 'used_up', unavailable_because: 'The plan allows 200.' }) });
  expect(await screen.findByText('The plan allows 200.')).toBeTruthy();
  expect(screen.getByRole('button').hasAttribute('disabled')).toBe(true);
  cleanup();
  open({ [PATH]: () => now({ assessment: assessment() }) }, false);
  expect(await screen.findByText('Likely a false positive')).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
  cleanup();
  const http = fakeHttp({
    'GET /assessments/availability': () => ({ data: { availability: 'available', unavailable_because: null } }),
  });
  const onAsk = vi.fn();
  renderPage({
    api: http.api,
    at: '/f',
    routes: [{ path: '/f', element: <AssessVerb onAsk={onAsk} /> }],
    role: 'admin',
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Ask AI' }));
  expect(onAsk).toHaveBeenCalledOnce();
});
