import { describe, expect, it, vi } from 'vitest';
import { answer, fakeHttp, listOf } from '../../../testing/browser/fake-http.ts';
import { defaultView, parseView } from './finding-view.ts';
import { FindingsStore } from './findings.store.ts';

const rows = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    _id: `id-${from + index}`,
    attributes: { title: `Finding ${from + index}`, false_positive: false, status: 'enriched' },
  }));

const TOTAL = 250;

const server = (overrides: Parameters<typeof fakeHttp>[0] = {}) =>
  fakeHttp({
    'GET /findings': ({ query }) => {
      const size = Number(query.get('pagination[pageSize]'));
      const page = Number(query.get('pagination[page]'));
      const narrowed = query.has('filters[severity]');
      const from = (page - 1) * size;
      return listOf(rows(from, Math.min(size, TOTAL - from)), narrowed || size > 1 ? TOTAL : 400);
    },
    ...overrides,
  });

/** Many turns of the event loop: a busy machine makes them late, not fewer. */
const settle = async (): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, 10));
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0));
};

describe('FindingsStore', () => {
  it('asks with the filters, sorting and page of the view', async () => {
    const { api, calls } = server();
    const store = new FindingsStore(api);
    store.show(parseView(new URLSearchParams('severity=high&search=login&sort_field=date'), 'open'));
    await settle();
    const list = calls.find(({ query }) => query.get('pagination[pageSize]') === '100');
    expect(list?.query.get('filters[severity]')).toBe('high');
    expect(list?.query.get('filters[is_duplicate]')).toBe('hide');
    expect(list?.query.get('search')).toBe('login');
    expect(list?.query.get('sort_field')).toBe('date');
    expect(store.total).toBe(TOTAL);
    expect(store.list.rowAt(7)?._id).toBe('id-7');
    store.dispose();
  });

  it('says of how many the rows were picked: 250 of 400', async () => {
    const { api } = server();
    const store = new FindingsStore(api);
    store.show(parseView(new URLSearchParams('severity=high'), 'open'));
    await settle();
    expect([store.total, store.scopeTotal, store.isNarrowed]).toEqual([250, 400, true]);
  });

  it.each([
    ['among other rows', [true, false], true],
    ['alone', [true, true], false],
    ['nowhere', [false, false], false],
  ])('knows samples %s', async (_, samples, isMixed) => {
    const data = samples.map((is_sample, index) => ({ _id: `id-${index}`, attributes: { title: 'x', is_sample } }));
    const store = new FindingsStore(server({ 'GET /findings': () => listOf(data) }).api);
    store.show(defaultView('open'));
    await settle();
    expect(store.list.rowAt(1)?._id).toBe('id-1');
    expect(store.hasMixedSamples).toBe(isMixed);
  });

  it('reads a further page once, when it comes into sight', async () => {
    const { api, calls } = server();
    const store = new FindingsStore(api);
    store.show(defaultView('open'));
    await settle();
    store.list.ensure(95, 130);
    store.list.ensure(95, 130);
    await settle();
    expect(store.list.rowAt(130)?._id).toBe('id-130');
    expect(calls.filter(({ query }) => query.get('pagination[page]') === '2')).toHaveLength(1);
  });

  it('asks nothing when the same view is shown again', async () => {
    const { api, calls } = server();
    const store = new FindingsStore(api);
    store.show(defaultView('open'));
    await settle();
    const before = calls.length;
    store.show(defaultView('open'));
    await settle();
    expect(calls).toHaveLength(before);
  });

  it('drops the answer of a view that nobody looks at any more', async () => {
    const { promise, resolve } = Promise.withResolvers<object>();
    const { api } = server({
      'GET /findings': ({ query }) => (query.get('search') === 'slow' ? promise : listOf(rows(0, 1), 1)),
    });
    const store = new FindingsStore(api);
    store.show({ ...defaultView('open'), search: 'slow' });
    store.show({ ...defaultView('open'), search: 'fast' });
    await settle();
    resolve(listOf(rows(500, 2), 2));
    await settle();
    expect(store.total).toBe(1);
    expect(store.list.rowAt(0)?._id).toBe('id-0');
  });

  it('keeps the error for the screen, and forgets it on retry', async () => {
    let isBroken = true;
    const { api } = server({
      'GET /findings': () =>
        isBroken ? answer(503, { detail: 'The database is away.', code: 'unavailable' }) : listOf(rows(0, 1), 1),
    });
    const store = new FindingsStore(api);
    store.show(defaultView('open'));
    await settle();
    expect(store.list.error).toMatchObject({ code: 'unavailable' });
    isBroken = false;
    store.reload();
    await settle();
    expect(store.list.error).toBeUndefined();
    expect(store.total).toBe(1);
  });

  it('shows the skeleton only when the answer takes longer than 100 ms', async () => {
    vi.useFakeTimers();
    const { promise, resolve } = Promise.withResolvers<object>();
    const { api } = server({ 'GET /findings': () => promise });
    const store = new FindingsStore(api);
    store.show(defaultView('open'));
    await vi.advanceTimersByTimeAsync(99);
    expect(store.list.isSkeletonDue).toBe(false);
    await vi.advanceTimersByTimeAsync(2);
    expect(store.list.isSkeletonDue).toBe(true);
    resolve(listOf(rows(0, 1), 1));
    await vi.advanceTimersByTimeAsync(1);
    expect(store.list.isSkeletonDue).toBe(false);
    vi.useRealTimers();
  });

  it('asks the options of a filter under all the others', async () => {
    const { api, calls } = server({
      'GET /filter/findings': () => ({
        success: true,
        data: { severity: [{ value: 'high', label: 'High', count: 3 }] },
      }),
    });
    const store = new FindingsStore(api);
    store.show(parseView(new URLSearchParams('severity=high&tool=grype'), 'open'));
    await store.loadFacet('severity');
    const call = calls.find(({ path }) => path === '/filter/findings');
    expect(call?.query.has('filters[severity]')).toBe(false);
    expect(call?.query.get('filters[tool]')).toBe('grype');
    expect(store.facets.get('severity')).toEqual([{ value: 'high', label: 'High', count: 3 }]);
  });

  it('reads options again that were still on their way when the list was read anew', async () => {
    const first = Promise.withResolvers<object>();
    const options = { success: true, data: { tool: [{ value: 'trivy', label: 'Trivy', count: 3 }] } };
    let asked = 0;
    const { api } = server({
      'GET /filter/findings': () => {
        asked += 1;
        return asked === 1 ? first.promise : options;
      },
    });
    const store = new FindingsStore(api);
    store.show(defaultView('open'));
    await settle();
    const loading = store.loadFacet('tool');
    store.refresh();
    first.resolve(options);
    await loading;
    await settle();
    expect(store.facets.get('tool')).toEqual(options.data.tool);
    expect(asked).toBe(2);
    // what has come once is not asked for by every reading
    store.show({ ...defaultView('open'), search: 'a' });
    await settle();
    expect(asked).toBe(3);
  });

  it('takes over a change to a row that is loaded', async () => {
    const { api } = server();
    const store = new FindingsStore(api);
    store.show(defaultView('open'));
    await settle();
    store.setCurrent('id-3');
    expect(store.currentIndex).toBe(3);
    store.patch('id-3', { false_positive: true });
    expect(store.list.rowAt(3)?.attributes.false_positive).toBe(true);
    expect(store.list.rowAt(4)?.attributes.false_positive).toBe(false);
  });

  it('shows rows before they are counted, and keeps the count while the same list is read again', async () => {
    const counted = Promise.withResolvers<object>();
    let isCounted = false;
    const { api, calls } = server({
      'GET /findings': ({ query }) => {
        if (query.get('pagination[pageSize]') === '1') return isCounted ? listOf(rows(0, 1), 300) : counted.promise;
        return { data: rows(0, 100), meta: { pagination: { page: 1, pageSize: 100, pageCount: null, total: null } } };
      },
    });
    const store = new FindingsStore(api);
    store.show({ ...defaultView('open'), search: 'a' });
    await settle();
    // longer than the skeleton waits
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect([store.total, store.list.length, store.list.rowAt(99)?._id]).toEqual([undefined, 100, 'id-99']);
    counted.resolve(listOf(rows(0, 1), 300));
    isCounted = true;
    await settle();
    expect([store.total, store.list.length]).toEqual([300, 300]);
    const count = calls.find(({ query }) => query.get('pagination[pageSize]') === '1' && query.get('search') === 'a');
    expect(count?.query.has('total')).toBe(false);
    store.refresh();
    expect(store.total).toBe(300);
    await settle();
    expect(store.total).toBe(300);
  });

  it('keeps only pages near the view', async () => {
    const { api } = fakeHttp({ 'GET /findings': () => listOf(rows(0, 100), 1_000_000) });
    const store = new FindingsStore(api);
    store.show(defaultView('open'));
    await settle();
    for (let page = 1; page < 60; page += 1) await store.list.fetchRow(page * 100);
    expect(store.list.pages.size).toBeLessThanOrEqual(40);
    expect(store.list.rowAt(5_900)).toBeDefined();
    expect(store.list.rowAt(0)).toBeUndefined();
  });
});
