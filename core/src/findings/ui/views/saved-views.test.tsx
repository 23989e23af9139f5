import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import type { Role } from '../../../platform/model/permissions.ts';
import { ToastsStore } from '../../../platform/ui/feedback/toasts.store.ts';
import { fakeHttp } from '../../../testing/browser/fake-http.ts';
import { renderPage } from '../../../testing/browser/render-page.tsx';
import { SHOWN_VIEW } from '../../../testing/browser/shown-view.ts';
import { defaultView, type FindingView } from '../data/finding-view.ts';
import { type SavedView, SavedViewsStore } from './saved-views.store.ts';
import { SavedViews } from './saved-views.tsx';

afterEach(cleanup);

const open = (role: Role) => {
  const { api } = fakeHttp({});
  const shown: FindingView[] = [];
  const views = new SavedViewsStore(api, new ToastsStore(), 'app');
  const element = (
    <SavedViews views={views} view={defaultView('open')} base="open" onView={(view) => shown.push(view)} />
  );
  renderPage({ api, at: '/', role, routes: [{ path: '/', element }] });
  return shown;
};

test.each<[Role, Record<string, string[]>]>([
  ['developer', { developer: ['u'] }],
  ['cyberoper', { issue_owner: ['u'] }],
])('"Assigned to me" is there for a %s without saving it', async (role, filters) => {
  const shown = open(role);
  await userEvent.click(await screen.findByRole('button', { name: 'Assigned to me' }));
  const start = defaultView('open');
  expect(shown).toEqual([{ ...start, filters: { ...start.filters, ...filters } }]);
  expect(screen.queryByRole('button', { name: 'Owned by me' }) !== null).toBe(role === 'developer');
});

/** Their views on a server that shares, stars and deletes; the caller may change what is theirs alone. */
const openStored = async (stored: SavedView[]) => {
  const change = (id: unknown, fields: Partial<SavedView>) => {
    for (const view of stored) if (view._id === id) Object.assign(view, fields);
    return { success: true, data: stored.find((view) => view._id === id)! };
  };
  const { api, calls } = fakeHttp({
    'GET /findings-filter/selected': () => ({ data: structuredClone(stored), meta: { use_saved_filter: true } }),
    'PUT /findings-filter/share': ({ body }) => {
      const { id, shared } = body as { id: string; shared: boolean };
      return { ...change(id, { shared }), message: 'Everyone in the organisation sees this view now.' };
    },
    'PUT /findings-filter/star': ({ body }) => {
      const { id, starred } = body as { id: string; starred: boolean };
      return change(id, { starred });
    },
    'DELETE /findings-filter/delete': ({ body }) => {
      stored.splice(
        stored.findIndex((view) => view._id === (body as { id: string }).id),
        1,
      );
      return { success: true, message: 'Success remove filter findings!' };
    },
  });
  const toasts = new ToastsStore();
  let changes = 0;
  const views = new SavedViewsStore(api, toasts, 'app', () => {
    changes += 1;
  });
  await views.load();
  const element = <SavedViews views={views} view={defaultView('open')} base="open" onView={() => undefined} />;
  renderPage({ api, at: '/', role: 'cyberoper', routes: [{ path: '/', element }] });
  const said = () => toasts.toasts.map(({ message, action }) => [message, action?.label]);
  return { calls, said, toasts, changes: () => changes };
};

const OTHERS = { ...SHOWN_VIEW, _id: 'o', name: 'Release', owner: 'ben', shared: true, own: false, editable: false };

test('a view is shared and starred where it stands, and the navigation hears of it', async () => {
  const { calls, said, toasts, changes } = await openStored([{ ...SHOWN_VIEW }]);
  await userEvent.click(await screen.findByRole('button', { name: 'Share Mine with the organisation' }));
  const shared = await screen.findByRole('button', { name: 'Stop sharing Mine' });
  expect(shared.getAttribute('aria-pressed')).toBe('true');
  expect(said()).toEqual([['Everyone in the organisation sees this view now.', undefined]]);
  await userEvent.click(screen.getByRole('button', { name: 'Show Mine in the navigation' }));
  await screen.findByRole('button', { name: 'Take Mine out of the navigation' });
  expect(calls.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([
    { id: 's', shared: true },
    { id: 's', starred: true },
  ]);
  expect(changes()).toBe(2);
  toasts.clear();
});

test('what another one shares names them, and only who may changes it', async () => {
  await openStored([{ ...SHOWN_VIEW }, OTHERS]);
  const line = (await screen.findByText('Release · ben')).closest('li')!;
  expect(within(line).getAllByRole('button')).toHaveLength(2);
  expect(within(line).getByRole('button', { name: 'Show Release in the navigation' })).toBeDefined();
  // a view of one's own of that name is a new one
  await userEvent.type(screen.getByLabelText('Save what the list shows now'), 'release');
  expect(screen.getByRole('button', { name: 'Save' })).toBeDefined();
  await userEvent.clear(screen.getByLabelText('Save what the list shows now'));
  await userEvent.type(screen.getByLabelText('Save what the list shows now'), 'mine');
  expect(screen.getByRole('button', { name: 'Replace' })).toBeDefined();
});

test('a shared view is deleted only when that is confirmed; of another one there is no undo', async () => {
  const { calls, said, toasts } = await openStored([{ ...OTHERS, editable: true }]);
  const deletions = () => calls.filter(({ method }) => method === 'DELETE').length;
  await userEvent.click(await screen.findByRole('button', { name: 'Delete the view Release' }));
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(deletions()).toBe(0);
  await userEvent.click(screen.getByRole('button', { name: 'Delete the view Release' }));
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(screen.queryByText('Release · ben')).toBeNull());
  expect(deletions()).toBe(1);
  expect(said()).toEqual([['Success remove filter findings!', undefined]]);
  toasts.clear();
});
