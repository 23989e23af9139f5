import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import type { Role } from '../../../platform/model/permissions.ts';
import { ToastsStore } from '../../../platform/ui/feedback/toasts.store.ts';
import { fakeHttp } from '../../../testing/browser/fake-http.ts';
import { renderPage } from '../../../testing/browser/render-page.tsx';
import { defaultView, type FindingView } from '../data/finding-view.ts';
import { SavedViewsStore } from './saved-views.store.ts';
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
