import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { fakeHttp, listOf } from '../../../testing/browser/fake-http.ts';
import { renderPage } from '../../../testing/browser/render-page.tsx';
import { SHOWN_FINDING } from '../../../testing/browser/shown-finding.ts';
import { FindingsScreen } from './findings-screen.tsx';

afterEach(cleanup);

test.each([
  [1, false],
  [2, true],
])('of %i repositories in the list: the column of the repository shows is %s', async (count, isShown) => {
  const selected = ['priority', 'title', 'repository'].map((key) => ({ key, width: null }));
  const repository = Array.from({ length: count }, (_, at) => ({ value: `id-${at}`, label: `name-${at}`, count: 54 }));
  const { api, calls } = fakeHttp({
    'GET /findings': () => listOf([{ _id: SHOWN_FINDING._id, attributes: SHOWN_FINDING.row }]),
    'GET /findings-columns/selected': () => ({ data: { default: [], selected, available: [] } }),
    'GET /findings-filter/selected': () => ({ data: [], meta: { use_saved_filter: true } }),
    'GET /filter/findings': () => ({ success: true, data: { repository } }),
  });
  renderPage({ api, at: '/findings', routes: [{ path: '/findings', element: <FindingsScreen /> }] });
  await screen.findByRole('columnheader', { name: 'Finding' });
  await waitFor(() =>
    expect(calls.map(({ path, query }) => path + query.get('filter_key'))).toContain('/filter/findingsrepository'),
  );
  await waitFor(() => expect(screen.queryByRole('columnheader', { name: 'Repository' }) !== null).toBe(isShown));
});
