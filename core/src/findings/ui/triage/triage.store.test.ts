import { expect, it, vi } from 'vitest';
import { ToastsStore } from '../../../platform/ui/feedback/toasts.store.ts';
import { UnsavedTexts } from '../../../platform/ui/feedback/unsaved-texts.ts';
import { answer, fakeHttp, listOf } from '../../../testing/browser/fake-http.ts';
import { SHOWN_FINDING } from '../../../testing/browser/shown-finding.ts';
import { FindingDetailStore } from '../data/finding-detail.store.ts';
import { defaultView } from '../data/finding-view.ts';
import { FindingsStore } from '../data/findings.store.ts';
import { SelectionStore } from './selection.store.ts';
import { TriageStore } from './triage.store.ts';

const ID = '0191c2e0-7b1a-7000-8000-00000000000a';
const OTHER_CHANGE = '0191c2e0-7b1a-7000-8000-00000000000b';

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

const kept = new Map<string, string>();
const storage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
};
const unsaved = new UnsavedTexts(storage, () => '/findings');

const open = (routes: Parameters<typeof fakeHttp>[0]) => {
  const http = fakeHttp({ 'GET /findings': () => listOf([], 0), ...routes });
  const toasts = new ToastsStore();
  const list = new FindingsStore(http.api);
  const selection = new SelectionStore();
  return { ...http, toasts, selection, triage: new TriageStore({ api: http.api, toasts, list, selection, unsaved }) };
};

it('keeps the reason of what the server has not answered when the session ends', async () => {
  const { triage } = open({
    [`PUT /findings/${ID}`]: () => {
      unsaved.keep('u');
      return answer(401, { detail: 'No session.', code: 'not_authenticated' });
    },
    'PUT /findings/bulk': () => ({ data: { done: 2, refused: [], change_id: ID } }),
  });
  const verdict = { value: 'valid', reason: 'It is reachable from the shop' } as const;
  await triage.change({ ids: [ID, OTHER_CHANGE] }, { verdict }, 'confirmed as valid');
  unsaved.keep('u');
  unsaved.restore('u');
  expect(unsaved.left).toEqual([]);
  await triage.change({ ids: [ID] }, { verdict }, 'confirmed as valid');
  unsaved.restore('somebody else');
  expect(unsaved.left).toEqual([]);
  // what another person may not see is gone
  unsaved.restore('u');
  expect(unsaved.left).toEqual([]);
  await triage.change({ ids: [ID] }, { verdict }, 'confirmed as valid');
  unsaved.restore('u');
  const what = '“This finding” was not confirmed as valid.';
  expect(unsaved.left).toEqual([{ what, text: verdict.reason, href: '/findings' }]);
  unsaved.dismiss();
  unsaved.restore('u');
  expect(unsaved.left).toEqual([]);
});

it('takes the last decision back once, also when its notice has gone', async () => {
  const { triage, toasts, calls } = open({
    'PUT /findings/bulk': () => ({ data: { done: 2, refused: [], change_id: OTHER_CHANGE } }),
    'POST /findings/undo': () => ({ data: { done: 2, refused: [], change_id: null } }),
  });
  const undone = () => calls.filter(({ path }) => path.endsWith('/findings/undo')).map(({ body }) => body);
  expect(triage.undoLast()).toBe(false);
  await triage.change({ ids: [ID, OTHER_CHANGE] }, { verdict: { value: 'valid' } }, 'confirmed as valid');
  toasts.clear();
  expect(triage.undoLast()).toBe(true);
  await vi.waitFor(() => expect(undone()).toEqual([{ change_id: OTHER_CHANGE }]));
  expect(triage.undoLast()).toBe(false);
  toasts.clear();
});

it('takes up a job of before the reload: progress, result, why some were refused, and undo', async () => {
  const states = [job({ done: 50, percentage: 60 }), job(ENDED)];
  const { triage, toasts, selection, calls } = open({
    'GET /jobs': () => ({ data: [job({})] }),
    [`GET /jobs/${ID}`]: () => ({ data: states.shift() ?? job(ENDED) }),
    [`POST /jobs/${ID}/seen`]: () => ({ success: true }),
    'POST /findings/undo': () => ({ data: { done: 118, refused: [], change_id: null } }),
  });
  selection.toggle('picked meanwhile', 0);
  await triage.resume();
  await vi.waitFor(() => expect(triage.progress).toEqual({ done: 50, refused: 0, total: 120, prepared: 72 }), {
    timeout: 30_000,
  });
  await vi.waitFor(() => expect(triage.outcome).toMatchObject({ done: 118, refusedCount: 2 }), { timeout: 120_000 });
  expect(triage.isBusy).toBe(false);
  expect(selection.isEmpty).toBe(false);
  const [toast] = toasts.toasts;
  expect(toast?.message).toBe('118 changed, 2 refused');
  // its end is seen once the reasons were put away
  expect(calls.some(({ path }) => path.endsWith('/seen'))).toBe(false);
  triage.dismissOutcome();
  await vi.waitFor(() => expect(calls.some(({ path }) => path.endsWith('/seen'))).toBe(true), { timeout: 30_000 });
  toasts.runAction(toast?.id ?? 0);
  await vi.waitFor(
    () => expect(calls.find(({ path }) => path.endsWith('/findings/undo'))?.body).toEqual({ change_id: ID }),
    { timeout: 120_000 },
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
    timeout: 120_000,
  });
});

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
  await vi.waitFor(() => expect(triage.progress?.done).toBe(1), { timeout: 30_000 });
  triage.leave();
  await vi.waitFor(() => expect(triage.isBusy).toBe(false), { timeout: 120_000 });
  expect(triage.progress).toBeUndefined();
  expect(toasts.toasts).toEqual([]);
  expect(asked).toBe(1);
});

const { _id: SHOWN, row, detail } = SHOWN_FINDING;

/** The list with one finding, which is open beside it; what was read so far is left out of the calls. */
const openFinding = async (verdict: string, answered: object, bulk: () => object = () => ({})) => {
  const now = { ...detail, verdict, false_positive: verdict === 'false_positive' };
  const http = fakeHttp({
    'GET /findings': () => listOf([{ _id: SHOWN, attributes: { ...row, ...now } }], 1),
    [`GET /findings/${SHOWN}`]: () => ({ data: { _id: SHOWN, attributes: now } }),
    [`GET /findings/${SHOWN}/history`]: () => ({ data: [] }),
    'PUT /findings/bulk': bulk,
    [`GET /jobs/${ID}`]: () => ({ data: job({}) }),
    'PUT /findings': () => ({
      data: { _id: SHOWN, attributes: { ...now, ...answered } },
      meta: { change_id: ID },
    }),
  });
  const list = new FindingsStore(http.api);
  const selection = new SelectionStore();
  const triage = new TriageStore({ api: http.api, toasts: new ToastsStore(), list, selection, unsaved });
  const panel = new FindingDetailStore(http.api);
  list.show(defaultView('open'));
  await panel.load(SHOWN);
  triage.attach(panel);
  await vi.waitFor(() => expect([list.total, list.scopeTotal]).toEqual([1, 1]), { timeout: 30_000 });
  http.calls.length = 0;
  return { ...http, list, triage, panel };
};

/** Method and path of each call; of the list also what is read of it. */
const namesOf = (calls: { method: string; path: string; query: URLSearchParams }[]) =>
  calls.map(({ method, path, query }) => {
    const size = query.get('pagination[pageSize]');
    return `${method} ${path.replace(SHOWN, ':id')}${size === null ? '' : ` ${size}`}`;
  });

it('a verdict costs one write and one refresh: the answer brings the finding, and the event of it nothing more', async () => {
  const { triage, list, panel, calls } = await openFinding('none', { verdict: 'valid', priority: 12 });
  expect(await triage.change({ ids: [SHOWN] }, { verdict: { value: 'valid' } }, 'confirmed as valid')).toBe(true);
  list.refreshAfter(ID);
  await vi.waitFor(() => expect(list.total).toBe(1), { timeout: 30_000 });
  expect(panel.detail).toMatchObject({ verdict: 'valid', priority: 12 });
  expect(namesOf(calls).sort()).toEqual([
    'GET /findings 1',
    'GET /findings 100',
    'GET /findings/:id/history',
    'PUT /findings/:id',
  ]);
  // what somebody else changes is read
  list.refreshAfter(OTHER_CHANGE);
  await vi.waitFor(() => expect(namesOf(calls).filter((name) => name === 'GET /findings 100')).toHaveLength(2), {
    timeout: 30_000,
  });
});

const lists = (calls: { method: string; path: string; query: URLSearchParams }[]) =>
  namesOf(calls).filter((name) => name === 'GET /findings 100').length;

it.each(['before', 'after'])(
  'a verdict by filter refreshes once, also where its event comes %s the answer',
  async (when) => {
    const done = { done: 1, refused: [], change_id: ID };
    const { triage, list, calls } = await openFinding('none', {}, () => {
      if (when === 'before') list.refreshAfter(ID);
      return { data: done };
    });
    const change = { verdict: { value: 'valid' } } as const;
    expect(await triage.change({ view: defaultView('open'), total: 1 }, change, 'confirmed as valid')).toBe(true);
    if (when === 'after') list.refreshAfter(ID);
    await vi.waitFor(() => expect(lists(calls)).toBe(1), { timeout: 30_000 });
    list.refreshAfter(OTHER_CHANGE);
    await vi.waitFor(() => expect(lists(calls)).toBe(2), { timeout: 30_000 });
  },
);

it('what somebody else changed while a verdict was refused or became a job is read', async () => {
  const refused = await openFinding('none', {}, () => {
    refused.list.refreshAfter(OTHER_CHANGE);
    throw new Error('away');
  });
  const change = { verdict: { value: 'valid' } } as const;
  const target = { view: defaultView('open'), total: 1 };
  expect(await refused.triage.change(target, change, 'confirmed as valid')).toBe(false);
  await vi.waitFor(() => expect(lists(refused.calls)).toBe(1), { timeout: 30_000 });
  const long = await openFinding('none', {}, () => {
    long.list.refreshAfter(OTHER_CHANGE);
    return { data: { job_id: ID } };
  });
  void long.triage.change(target, change, 'confirmed as valid');
  await vi.waitFor(() => expect(lists(long.calls)).toBe(1), { timeout: 30_000 });
  long.list.refreshAfter(OTHER_CHANGE);
  await vi.waitFor(() => expect(lists(long.calls)).toBe(2), { timeout: 30_000 });
  long.triage.leave();
});

it('false positive is a switch: on with the reason, off to the verdict before', async () => {
  const on = await openFinding('none', { verdict: 'false_positive', false_positive: true });
  const verdict = { value: 'false_positive', reason: 'Dead code' } as const;
  await on.triage.change({ ids: [SHOWN] }, { verdict }, 'marked false positive');
  expect(on.calls[0]).toMatchObject({
    path: `/findings/${SHOWN}/toggle_false_positive`,
    body: { is_false_positive: true, reason: 'Dead code' },
  });
  const off = await openFinding('false_positive', { verdict: 'accepted_risk', false_positive: false });
  await off.triage.toggleFalsePositive(SHOWN);
  expect(off.calls[0]).toMatchObject({
    path: `/findings/${SHOWN}/toggle_false_positive`,
    body: { is_false_positive: false },
  });
  expect(off.panel.detail?.verdict).toBe('accepted_risk');
  // another reason is no switch
  const again = await openFinding('false_positive', {});
  await again.triage.change({ ids: [SHOWN] }, { verdict }, 'marked false positive');
  expect(again.calls[0]).toMatchObject({ path: `/findings/${SHOWN}`, body: { verdict } });
});
