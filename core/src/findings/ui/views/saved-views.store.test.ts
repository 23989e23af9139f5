import { describe, expect, it } from 'vitest';
import { ToastsStore } from '../../../platform/ui/feedback/toasts.store.ts';
import { answer, fakeHttp } from '../../../testing/browser/fake-http.ts';
import { SHOWN_VIEW } from '../../../testing/browser/shown-view.ts';
import { defaultView } from '../data/finding-view.ts';
import { entriesOf, isOtherView, type SavedView, SavedViewsStore, viewOf } from './saved-views.store.ts';

const INJECTION = {
  ...defaultView('open'),
  search: 'login',
  filters: { ...defaultView('open').filters, cwe: [79, 89] },
};

describe('a saved view', () => {
  it('comes back as it was, whatever list it was saved from', () => {
    expect(viewOf({ filters: entriesOf(INJECTION) })).toEqual({ ...viewOf({ filters: [] }), ...INJECTION });
    expect(entriesOf(INJECTION)).toContainEqual({ cwe: '79,89' });
    expect(entriesOf(INJECTION).map((entry) => entry['status'])).not.toContain('open');
    expect(isOtherView({ filters: entriesOf(INJECTION) }, INJECTION)).toBe(false);
    expect(isOtherView({ filters: entriesOf(INJECTION) }, { ...INJECTION, search: '' })).toBe(true);
  });

  it('that names what is gone opens without it', () => {
    const filters = [{ gone: 'x' }, { severity: 'fatal,high' }, { cwe: ['79', 'x'] }, { repository: 'no-id' }];
    expect(viewOf({ filters }).filters).toEqual({ severity: ['high'], cwe: [79] });
  });
});

/** A server with saved filters of one person. */
const scene = (overrides: Parameters<typeof fakeHttp>[0] = {}) => {
  const stored: SavedView[] = [];
  const one = (id: unknown) => stored.find((view) => view._id === id);
  const activate = (id: unknown) => {
    for (const view of stored) view.active = view._id === id;
  };
  let use = true;
  const http = fakeHttp({
    'GET /findings-filter/selected': () => ({ data: structuredClone(stored), meta: { use_saved_filter: use } }),
    'POST /findings-filter/save': ({ body }) => {
      const { name, filters } = body as Pick<SavedView, 'name' | 'filters'>;
      const view: SavedView = { ...SHOWN_VIEW, _id: name, name, filters };
      stored.push(view);
      return { success: true, data: view, message: 'Success save filter findings!' };
    },
    'POST /findings-filter/activate': ({ body }) => {
      const { id } = body as { id: string };
      activate(id);
      return { success: true, data: one(id)!, message: 'Success activate filter findings!' };
    },
    'PUT /findings-filter/Mine/update-activate': ({ body }) => {
      Object.assign(one('Mine')!, body);
      return { success: true, data: one('Mine')!, message: 'Success update filter findings!' };
    },
    'PUT /findings-filter/use': ({ body }) => {
      use = (body as { use_saved_filter: boolean }).use_saved_filter;
      return { success: true, data: { use_saved_filter: use } };
    },
    'DELETE /findings-filter/delete': ({ body }) => {
      stored.splice(
        stored.findIndex((view) => view._id === (body as { id: string }).id),
        1,
      );
      return { success: true, message: 'Success remove filter findings!' };
    },
    ...overrides,
  });
  const toasts = new ToastsStore();
  return {
    store: new SavedViewsStore(http.api, toasts),
    toasts,
    said: () => toasts.toasts.map(({ message }) => message),
  };
};

describe('saved views', () => {
  it('are saved, marked when the list shows something else, updated, deleted and put back', async () => {
    const { store, toasts, said } = scene();
    expect(await store.save(' Mine ', INJECTION)).toBe(true);
    expect(store.active?.name).toBe('Mine');
    expect(store.hasName('mINE ')).toBe(true);
    const other = { ...INJECTION, search: 'other' };
    expect([store.isChanged(INJECTION), store.isChanged(other)]).toEqual([false, true]);
    await store.update(other);
    expect([store.isChanged(INJECTION), store.isChanged(other)]).toEqual([true, false]);
    await store.setUsed(false);
    expect([store.active, store.isChanged(INJECTION)]).toEqual([undefined, false]);
    await store.activate(store.views[0]!);
    expect(store.active?.name).toBe('Mine');
    await store.remove(store.views[0]!);
    expect(store.views).toEqual([]);
    expect(said()).toEqual([
      'Success update filter findings!',
      'Success activate filter findings!',
      'Success remove filter findings!',
    ]);
    toasts.runAction(toasts.toasts.at(-1)!.id);
    await expect.poll(() => store.views.map((view) => [view.name, view.active])).toEqual([['Mine', true]]);
    toasts.clear();
  });

  it('say what the server says when it refuses', async () => {
    const refusal = () => answer(409, { detail: 'You have 200 saved filters. Delete one first.', code: 'conflict' });
    const { store, said, toasts } = scene({ 'POST /findings-filter/save': refusal });
    expect(await store.save('x', INJECTION)).toBe(false);
    expect(said()).toEqual(['You have 200 saved filters. Delete one first.']);
    expect(store.isBusy).toBe(false);
    toasts.clear();
  });
});
