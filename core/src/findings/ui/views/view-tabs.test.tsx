import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { ToastsStore } from '../../../platform/ui/feedback/toasts.store.ts';
import { fakeHttp } from '../../../testing/browser/fake-http.ts';
import { renderPage } from '../../../testing/browser/render-page.tsx';
import { SHOWN_VIEW } from '../../../testing/browser/shown-view.ts';
import { defaultView, type FindingView } from '../data/finding-view.ts';
import { type SavedView, SavedViewsStore } from './saved-views.store.ts';
import { ActiveView, ViewTabs } from './view-tabs.tsx';

afterEach(cleanup);

const CRITICAL = {
  ...defaultView('open'),
  filters: { ...defaultView('open').filters, severity: ['critical' as const] },
};
const SAVED: SavedView = {
  ...SHOWN_VIEW,
  name: 'Critical first',
  active: true,
  filters: [{ status: 'open' }, { severity: 'high' }],
};

const open = async (isUsedAtFirst: boolean) => {
  let isUsed = isUsedAtFirst;
  const http = fakeHttp({
    'GET /findings-filter/selected': () => ({ data: [SAVED], meta: { use_saved_filter: isUsed } }),
    'PUT /findings-filter/use': ({ body }) => {
      isUsed = (body as { use_saved_filter: boolean }).use_saved_filter;
      return { success: true, data: { use_saved_filter: isUsed } };
    },
    'POST /findings-filter/activate': () => {
      isUsed = true;
      return { success: true, data: SAVED, message: 'Success activate filter findings!' };
    },
    'PUT /findings-filter/Critical%20first/update-activate': () => ({
      success: true,
      data: SAVED,
      message: 'Success update filter findings!',
    }),
  });
  const shown: FindingView[] = [];
  const views = new SavedViewsStore(http.api, new ToastsStore(), 'app');
  await views.load();
  const element = (
    <>
      <ActiveView views={views} view={CRITICAL} />
      <ViewTabs views={views} view={CRITICAL} base="open" onView={(view) => shown.push(view)} />
    </>
  );
  renderPage({ api: http.api, at: '/', role: 'admin', routes: [{ path: '/', element }] });
  await screen.findByRole('button', { name: 'All open' });
  return { shown, calls: http.calls };
};

const current = () => screen.getAllByRole('button').filter((one) => one.getAttribute('aria-current') === 'true');

test('tabs begin with everything open, and one click leaves a view', async () => {
  const { shown } = await open(true);
  const names = screen.getAllByRole('listitem').map((tab) => tab.textContent);
  expect(names).toEqual(['All open', 'Assigned to me', 'Critical first']);
  expect(current().map((tab) => tab.textContent)).toEqual(['Critical first']);
  expect(screen.getByText('Changed')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'All open' }));
  await waitFor(() => expect(shown).toEqual([defaultView('open')]));
  expect(current().map((tab) => tab.textContent)).toEqual(['All open']);
  expect(screen.queryByText('Changed')).toBeNull();
});

test('a saved view opens by its tab, and is updated beside the title', async () => {
  const { shown, calls } = await open(false);
  expect(current().map((tab) => tab.textContent)).toEqual(['All open']);
  await userEvent.click(screen.getByRole('button', { name: 'Critical first' }));
  await waitFor(() => expect(shown.at(-1)?.filters.severity).toEqual(['high']));
  await userEvent.click(screen.getByRole('button', { name: 'Update view' }));
  await waitFor(() => expect(calls.some(({ method }) => method === 'PUT')).toBe(true));
});
