import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { SearchField } from './search-field.tsx';

const field = (search: string, onSearch: (text: string) => void) => (
  <SearchField label="Search" placeholder="Search..." search={search} onSearch={onSearch} />
);

test('letters typed before the address knows the search stay', async () => {
  const onSearch = vi.fn();
  const { rerender } = render(field('', onSearch));
  const box = screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search' });
  await userEvent.type(box, 'z');
  await vi.waitFor(() => expect(onSearch).toHaveBeenCalledWith('z'), { timeout: 30_000 });
  await userEvent.type(box, 'e');
  act(() => rerender(field('z', onSearch)));
  expect(box.value).toBe('ze');
  await vi.waitFor(() => expect(onSearch).toHaveBeenLastCalledWith('ze'), { timeout: 30_000 });
  act(() => rerender(field('ze', onSearch)));
  // another search comes from outside: a saved view, the Back button
  act(() => rerender(field('', onSearch)));
  expect(box.value).toBe('');
});
