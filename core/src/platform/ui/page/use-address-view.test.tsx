import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { lazy, Suspense } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, expect, test } from 'vitest';
import { SearchField } from '../forms/search-field.tsx';
import { useAddressView } from './use-address-view.ts';

interface View {
  search: string;
  open: string;
}

const VIEW = {
  parse: (params: URLSearchParams): View => ({ search: params.get('search') ?? '', open: params.get('open') ?? '' }),
  format: (view: View) => new URLSearchParams(Object.entries(view).filter(([, value]) => value !== '')),
};

const panel = Promise.withResolvers<{ default: () => React.ReactNode }>();
const Panel = lazy(() => panel.promise);

function Page() {
  const [{ search, open }, onView] = useAddressView(VIEW);
  return (
    <Suspense>
      <SearchField label="Search" placeholder="" search={search} onSearch={(text) => onView({ search: text }, true)} />
      <button type="button" onClick={() => onView({ open: 'card' })}>
        Card
      </button>
      <button
        type="button"
        onClick={() => {
          onView({ search: 'one' });
          onView({ open: 'other' });
        }}
      >
        Both
      </button>
      {open === 'card' && <Panel />}
    </Suspense>
  );
}

const visit = () => {
  const router = createMemoryRouter([{ path: '/', element: <Page /> }], { initialEntries: ['/'] });
  render(<RouterProvider router={router} />);
  return router;
};

afterEach(cleanup);

test('what is opened stays open though the search was still being typed, and is one step of the history', async () => {
  const router = visit();
  await userEvent.type(screen.getByLabelText('Search'), 'acme');
  await userEvent.click(screen.getByText('Card'));
  // Longer than the field waits for another letter; the panel's code has not come yet.
  await new Promise((resolve) => setTimeout(resolve, 400));
  await act(async () => panel.resolve({ default: () => <p>Panel</p> }));
  await screen.findByText('Panel');
  expect(router.state.location.search).toBe('?search=acme&open=card');
  await act(() => router.navigate(-1));
  expect(router.state.location.search).toBe('?search=acme');
});

test('changes that come before the page is drawn again add up', async () => {
  const router = visit();
  await userEvent.click(screen.getByText('Both'));
  expect(router.state.location.search).toBe('?search=one&open=other');
});
