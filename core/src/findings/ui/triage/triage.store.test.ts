import { expect, it, vi } from 'vitest';
import { ToastsStore } from '../../../platform/ui/feedback/toasts.store.ts';
import { answer, fakeHttp, listOf } from '../../../testing/fake-http.ts';
import { FindingsStore } from '../data/findings.store.ts';
import { SelectionStore } from './selection.store.ts';
import { TriageStore } from './triage.store.ts';

const ID = '0191c2e0-7b1a-7000-8000-00000000000a';

const job = (attributes: object) => ({
  _id: ID,
  attributes: {
    kind: 'findings.change',
    status: 'running',
    total: 120,
    done: 0,
    refused_count: 0,
    refused: [],
    percentage: 0,
    detail: null,
    created_at: '2026-11-22T10:00:00Z',
    finished_at: null,
    ...attributes,
  },
});
const ENDED = {
  status: 'done',
  done: 118,
  refused_count: 2,
  refused: [{ _id: ID, why: 'It is closed.' }],
  finished_at: '2026-11-22T10:01:00Z',
};

const open = (routes: Parameters<typeof fakeHttp>[0]) => {
  const http = fakeHttp({ 'GET /findings': () => listOf([], 0), ...routes });
  const toasts = new ToastsStore();
  const list = new FindingsStore(http.api);
  const selection = new SelectionStore();
  return { ...http, toasts, selection, triage: new TriageStore({ api: http.api, toasts, list, selection }) };
};

it('takes up a job of before the reload: progress, result, why some were refused, and undo', async () => {
  const states = [job({ done: 50 }), job(ENDED)];
  const { triage, toasts, selection, calls } = open({
    'GET /jobs': () => ({ data: [job({})] }),
    [`GET /jobs/${ID}`]: () => ({ data: states.shift() ?? job(ENDED) }),
    [`POST /jobs/${ID}/seen`]: () => ({ success: true }),
    'POST /findings/undo': () => ({ data: { done: 118, refused: [], change_id: null } }),
  });
  selection.toggle('picked meanwhile', 0);
  await triage.resume();
  await vi.waitFor(() => expect(triage.progress).toEqual({ done: 50, refused: 0, total: 120 }));
  await vi.waitFor(() => expect(triage.outcome).toMatchObject({ done: 118, refusedCount: 2 }), { timeout: 5000 });
  expect(triage.isBusy).toBe(false);
  expect(selection.isEmpty).toBe(false);
  const [toast] = toasts.toasts;
  expect(toast?.message).toBe('118 changed, 2 refused');
  // its end is seen once the reasons were put away
  expect(calls.some(({ path }) => path.endsWith('/seen'))).toBe(false);
  triage.forgetOutcome();
  await vi.waitFor(() => expect(calls.some(({ path }) => path.endsWith('/seen'))).toBe(true));
  toasts.act(toast?.id ?? 0);
  await vi.waitFor(() =>
    expect(calls.find(({ path }) => path.endsWith('/findings/undo'))?.body).toEqual({ change_id: ID }),
  );
});

it('waits while the server is away, and says of a job that broke off what was done', async () => {
  let asked = 0;
  const { triage, toasts } = open({
    'GET /jobs': () => ({ data: [job({})] }),
    [`GET /jobs/${ID}`]: () => {
      asked += 1;
      return asked === 1
        ? answer(503, { detail: 'Starting', code: 'unavailable', request_id: 'x' })
        : {
            data: job({
              ...ENDED,
              status: 'failed',
              detail: 'This broke off.',
              done: 40,
              refused_count: 0,
              refused: [],
            }),
          };
    },
    [`POST /jobs/${ID}/seen`]: () => ({ success: true }),
  });
  await triage.resume();
  await vi.waitFor(() => expect(toasts.toasts.map(({ message }) => message)).toEqual(['40 changed. This broke off.']), {
    timeout: 9000,
  });
}, 15_000);

it('stops asking when the page is left, without a word', async () => {
  let asked = 0;
  const { triage, toasts } = open({
    'GET /jobs': () => ({ data: [job({})] }),
    [`GET /jobs/${ID}`]: () => {
      asked += 1;
      return { data: job({ done: asked }) };
    },
  });
  await triage.resume();
  await vi.waitFor(() => expect(triage.progress?.done).toBe(1));
  triage.leave();
  await vi.waitFor(() => expect(triage.isBusy).toBe(false), { timeout: 3000 });
  expect(triage.progress).toBeUndefined();
  expect(toasts.toasts).toEqual([]);
  expect(asked).toBe(1);
});
