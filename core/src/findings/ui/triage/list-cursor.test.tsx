import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import type { EventKind, LiveEvents } from '../../../platform/ui/data/live-events.ts';
import { giveElementsASize } from '../../../testing/browser/element-sizes.tsx';
import { fakeHttp, listOf } from '../../../testing/browser/fake-http.ts';
import { renderPage } from '../../../testing/browser/render-page.tsx';
import { SHOWN_FINDING } from '../../../testing/browser/shown-finding.ts';
import { DEFAULT_COLUMNS } from '../../model/column-catalogue.ts';
import { FindingsScreen } from '../list/findings-screen.tsx';

giveElementsASize();
afterEach(cleanup);

/** A list whose rows a test changes; `fire` is the event after which it is read again. */
const open = async (names: string[]) => {
  const rows = { names, answer: Promise.resolve() };
  const listeners: (() => void)[] = [];
  const events: LiveEvents = {
    on:
      <T,>(_kind: EventKind<T>) =>
      () =>
        undefined,
    onReconnect: (listener) => {
      listeners.push(listener);
      return () => undefined;
    },
    start: () => undefined,
    stop: () => undefined,
  };
  const { api } = fakeHttp({
    'GET /findings': async () => {
      await rows.answer;
      return listOf(rows.names.map((title) => ({ _id: title, attributes: { ...SHOWN_FINDING.row, title } })));
    },
    'GET /findings-columns/selected': () => ({
      data: { default: [], selected: DEFAULT_COLUMNS.map((key) => ({ key, width: null })), available: [] },
    }),
    'GET /findings-filter/selected': () => ({ data: [], meta: { use_saved_filter: true } }),
    'GET /filter/findings': () => ({ success: true, data: {} }),
  });
  renderPage({ api, at: '/findings', events, routes: [{ path: '/findings', element: <FindingsScreen /> }] });
  await screen.findByRole('link', { name: names.at(-1)! });
  const fire = () => {
    for (const listener of listeners) listener();
  };
  return { rows, fire };
};

const link = (name: string) => screen.getByRole('link', { name });
const picked = () =>
  screen
    .getAllByRole<HTMLInputElement>('checkbox')
    .filter((box) => box.checked)
    .map((box) => within(box.closest('tr')!).getByRole('link').textContent);
/** What becomes of the focus where the row that has it is drawn anew. */
const loseFocus = () => {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  expect(document.activeElement).toBe(document.body);
};

test('keys that come while the list is read anew mean the row that had the focus, not where the keyboard moved last', async () => {
  await open(['a', 'b', 'c', 'd', 'e']);
  await userEvent.keyboard('jj');
  expect(document.activeElement).toBe(link('b'));
  link('d').focus();
  loseFocus();
  await userEvent.keyboard('x');
  expect(picked()).toEqual(['d']);
  loseFocus();
  await userEvent.keyboard('k');
  expect(document.activeElement).toBe(link('c'));
  loseFocus();
  await userEvent.keyboard('kX');
  expect(picked()).toEqual(['b', 'c', 'd']);
});

test('a range goes from the finding that was picked, though the list read anew holds one more above it', async () => {
  const { rows, fire } = await open(['a', 'b', 'c', 'd', 'e']);
  link('b').focus();
  await userEvent.keyboard('x');
  rows.names = ['new', ...rows.names];
  fire();
  await screen.findByRole('link', { name: 'new' });
  await waitFor(() => expect(picked()).toEqual(['b']));
  link('d').focus();
  loseFocus();
  await userEvent.keyboard('X');
  expect(picked()).toEqual(['b', 'c', 'd']);
});

test('the focus comes back to its place when the list was read anew, and not once somebody took it elsewhere', async () => {
  const { rows, fire } = await open(['a', 'b', 'c', 'd']);
  link('b').focus();
  rows.names = ['a', 'c', 'd'];
  loseFocus();
  fire();
  await waitFor(() => expect(screen.queryByRole('link', { name: 'b' })).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(link('c')));
  await userEvent.click(screen.getByRole('searchbox', { name: 'Search findings' }));
  loseFocus();
  await userEvent.keyboard('x');
  // the keyboard has not moved, and nothing has the focus: there is no row to pick
  expect(picked()).toEqual([]);
});
