import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import type { Role } from '../../../platform/model/permissions.ts';
import type { LiveEvents } from '../../../platform/ui/data/live-events.ts';
import { aiUsage } from '../../../testing/browser/ai-usage.ts';
import { fakeHttp } from '../../../testing/browser/fake-http.ts';
import { renderPage } from '../../../testing/browser/render-page.tsx';
import { shownFix } from '../../../testing/browser/shown-fix.ts';
import { FixPanel } from '../fix-panel.tsx';

afterEach(cleanup);

/** Events that the test sends. */
const createEvents = () => {
  const listeners = new Map<string, (data: never) => void>();
  const events: LiveEvents = {
    on: ({ type }, listener) => {
      listeners.set(type, listener);
      return () => listeners.delete(type);
    },
    onReconnect: () => () => undefined,
    start: () => undefined,
    stop: () => undefined,
  };
  const send = (type: string, data: object) =>
    act(() => listeners.get(type)?.({ finding_id: 'f-1', ...data } as never));
  return { events, send };
};

const open = (answers: Parameters<typeof fakeHttp>[0], role: Role = 'developer') => {
  const http = fakeHttp({ 'GET /ai_usage': () => ({ data: aiUsage() }), ...answers });
  const { events, send } = createEvents();
  const element = <FixPanel id="f-1" request={undefined} onChanged={() => undefined} />;
  return {
    ...http,
    send,
    ...renderPage({ api: http.api, at: '/fix', routes: [{ path: '/fix', element }], role, events }),
  };
};

const AI = { model: 'gpt-4.1', input_tokens: 9120, output_tokens: 312, cost_usd: 0.0123, repaired: null };

test('a model is asked, tells how far it is and why it is asked again, and what it took is shown', async () => {
  let now: object | null = null;
  let answerWith: (data: object) => void = () => undefined;
  const { calls, send } = open({
    'GET /findings/f-1/remediation': () => ({ data: now }),
    'POST /remediation/f-1': () => new Promise<object>((resolve) => (answerWith = (data) => resolve({ data }))),
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Ask AI' }));
  await screen.findByText('The fix is being made.');
  expect(calls.find(({ method }) => method === 'POST')?.query.get('engine')).toBe('ai');
  now = shownFix({ processing_status: 'processing', code_diff: null });
  send('remediation.changed', { remediation_id: 'rem-1' });
  await screen.findByRole('button', { name: 'Cancel' });
  send('remediation.progress', { model: 'gpt-4.1', characters: 1234, repaired: null });
  await screen.findByText('gpt-4.1 is asked for the fix.');
  expect(screen.getByText('1,234 characters have arrived.')).toBeTruthy();
  send('remediation.progress', { model: 'gpt-4.1', characters: 0, repaired: 'it holds no JSON object.' });
  await screen.findByText(/asked once more. The first answer could not be used: it holds no JSON object./);
  expect(screen.queryByRole('button', { name: /Generate|Ask AI/ })).toBeNull();
  now = shownFix({ ai: { ...AI, repaired: 'it holds no JSON object.' } });
  answerWith(now);
  await screen.findByText(/9,120 tokens read, 312 tokens written · \$0.0123/);
  expect(screen.getByText('Second try. The first answer could not be used: it holds no JSON object.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull();
});

test('what somebody began is cancelled, and tried again with the same model', async () => {
  let now: object = shownFix({ processing_status: 'processing', code_diff: null });
  const failed = (failure: string, ai: object | null) =>
    shownFix({ processing_status: 'failed', code_diff: null, failure, ai });
  const { calls } = open({
    'GET /findings/f-1/remediation': () => ({ data: now }),
    'POST /remediation/rem-1/cancel': () => {
      now = failed('The generation was cancelled.', null);
      return { data: now };
    },
    'POST /remediation/f-1': () => {
      now = failed('gpt-4.1 was asked too often. Try again in 60 minutes.', { ...AI, cost_usd: null });
      return { data: now };
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
  await screen.findByText('The generation was cancelled.');
  await userEvent.click(await screen.findByRole('button', { name: 'Ask AI' }));
  await screen.findByText('gpt-4.1 was asked too often. Try again in 60 minutes.');
  // no prices, no cost
  expect(screen.getByText(/tokens read/).textContent).not.toContain('$');
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  const engines = () => calls.filter(({ path }) => path === '/remediation/f-1').map(({ query }) => query.get('engine'));
  await waitFor(() => expect(engines()).toEqual(['ai', 'ai']));
});

test.each([
  ['not_configured', 'Ask AI: not set up'],
  ['not_connected', 'Ask AI: not connected'],
  ['quota_used_up', 'Ask AI: used up this month'],
] as const)('%s: the button says so and leads to the settings of those who may see them', async (state, text) => {
  const answers = {
    'GET /findings/f-1/remediation': () => ({ data: null }),
    'GET /ai_usage': () => ({ data: aiUsage({ remediation: { state, name: null } }) }),
  };
  open(answers, 'admin');
  expect((await screen.findByRole('link', { name: text })).getAttribute('href')).toBe('/settings/ai');
  cleanup();
  open(answers, 'developer');
  const button: HTMLButtonElement = await screen.findByRole('button', { name: text });
  expect([button.disabled, button.title]).toEqual([true, expect.stringContaining('An admin sets AI up.')]);
});
