import { act, cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { runInAction } from 'mobx';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeHttp, listOf } from '../../../testing/browser/fake-http.ts';
import { renderPage, withAddress } from '../../../testing/browser/render-page.tsx';
import { DEFAULT_COLUMNS } from '../../model/column-catalogue.ts';
import { FindingsScreen } from './findings-screen.tsx';

type Listing = Parameters<typeof fakeHttp>[0][string];

const open = (at: string, listing: Listing) => {
  const { api } = fakeHttp({
    'GET /findings': listing,
    'GET /findings-columns/selected': () => ({
      data: { default: [], selected: DEFAULT_COLUMNS.map((key) => ({ key, width: null })), available: [] },
    }),
    'GET /filter/findings': () => ({ success: true, data: { severity: [], repository: [] } }),
  });
  return renderPage({ api, at, routes: [{ path: '/findings', element: withAddress(<FindingsScreen />) }] });
};
const address = () => screen.getByTestId('address').textContent;

beforeEach(() => window.localStorage.clear());
afterEach(cleanup);

describe('a list without findings', () => {
  it('says that nothing matches, names the filters and offers to remove the last chosen one', async () => {
    open('/findings?severity=low&cve=CVE-2023-44487', ({ query }) => listOf([], query.has('filters[cve]') ? 0 : 108));
    expect(await screen.findByText('No finding matches these 3 filters')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Remove CVE CVE-2023-44487' }));
    expect(address()).toBe('/findings?severity=low');
  });

  it('congratulates where everything was decided, and not where a filter hides it', async () => {
    // the work to do is empty; without its filters there are twelve
    const done: Listing = ({ query }) => listOf([], query.has('filters[false_positive]') ? 0 : 12);
    open('/findings', done);
    expect(await screen.findByText('All done. Good work!')).toBeDefined();
    expect(screen.getByText('All 12 findings are fixed or decided. Nothing waits for you here.')).toBeDefined();
    expect(screen.getByRole('link', { name: 'See what was decided' }).getAttribute('href')).toBe('/findings/all');
    cleanup();
    open('/findings?severity=low', done);
    expect(await screen.findByText('No finding matches these 2 filters')).toBeDefined();
    expect(screen.queryByText('All done. Good work!')).toBeNull();
  });

  it('leads to the upload while nothing was ever imported', async () => {
    const { uploads } = open('/findings', () => listOf([], 0));
    expect(await screen.findByText('No findings yet')).toBeDefined();
    await userEvent.click(screen.getAllByRole('button', { name: 'Upload reports' }).at(-1)!);
    expect(uploads).toEqual(['open']);
  });

  it('says that reports are being read, instead of asking for one', async () => {
    const { uploads, isImporting } = open('/findings', () => listOf([], 0));
    await screen.findByText('No findings yet');
    act(() => runInAction(() => isImporting.set(true)));
    expect(screen.getByText('Your reports are being read')).toBeDefined();
    expect(screen.queryByText('No findings yet')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'See how far they are' }));
    expect(uploads).toEqual(['open']);
  });
});
