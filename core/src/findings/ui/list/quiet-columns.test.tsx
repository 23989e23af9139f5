import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { fakeHttp } from '../../../testing/browser/fake-http.ts';
import { renderPage } from '../../../testing/browser/render-page.tsx';
import { SHOWN_FINDING } from '../../../testing/browser/shown-finding.ts';
import { FindingsScreen } from './findings-screen.tsx';

afterEach(cleanup);

const { row } = SHOWN_FINDING;
const option = (value: string) => ({ value, label: value, count: 54 });

/** A list of so many findings, of which the first two are read, whose options are these. */
const openList = (total: number, rows: (typeof row)[], options: Record<string, string[]> = {}) => {
  const selected = ['priority', 'title', 'repository', 'tool'].map((key) => ({ key, width: null }));
  const pageCount = Math.ceil(total / 100);
  const { api, calls } = fakeHttp({
    'GET /findings': () => ({
      data: rows.map((attributes, at) => ({ _id: `${at}`.padStart(36, SHOWN_FINDING._id), attributes })),
      meta: { pagination: { page: 1, pageSize: 100, pageCount, total } },
    }),
    'GET /findings-columns/selected': () => ({ data: { default: [], selected, available: [] } }),
    'GET /findings-filter/selected': () => ({ data: [], meta: { use_saved_filter: true } }),
    'GET /filter/findings': ({ query }) => {
      const key = query.get('filter_key') ?? '';
      return { success: true, data: { [key]: (options[key] ?? ['one', 'two']).map(option) } };
    },
  });
  renderPage({ api, at: '/findings/all', routes: [{ path: '/findings/all', element: <FindingsScreen /> }] });
  return { asked: () => calls.flatMap(({ query }) => query.get('filter_key') ?? []) };
};

const isHeadShown = (name: string) => screen.queryByRole('columnheader', { name }) !== null;

test('where all rows are here, columns that say the same step back, and what they say stands beside the count', async () => {
  const { asked } = openList(2, [row, { ...row, title: 'Another', tool: 'bandit' }]);
  await screen.findByRole('columnheader', { name: 'Tool' });
  expect(isHeadShown('Repository')).toBe(false);
  screen.getByText('In every row: Repository juice-shop');
  expect(asked()).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Columns' }));
  await screen.findByRole('checkbox', { name: 'Repository the same in every row' });
});

test('where they are too many, the list asks for the values of the columns', async () => {
  openList(250, [row, { ...row, title: 'Another' }], { tool: ['OpenGrep'] });
  await screen.findByText('In every row: Tool OpenGrep');
  await waitFor(() => expect(isHeadShown('Tool')).toBe(false));
  expect(isHeadShown('Repository')).toBe(true);
});
