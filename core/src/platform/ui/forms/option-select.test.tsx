import { BlueprintProvider } from '@blueprintjs/core';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { OptionList, type SelectOption } from './option-list.tsx';
import { OptionSelect } from './option-select.tsx';

const OPTIONS: SelectOption[] = [
  { value: 'high', label: 'High', count: 1204 },
  { value: 'low', label: 'Low', count: 3 },
];

function Field({ options, isMultiple }: { options: SelectOption[]; isMultiple: boolean }) {
  const [selected, setSelected] = useState<string[]>([]);
  return (
    <BlueprintProvider>
      <OptionSelect
        label="Severity"
        options={options}
        selected={selected}
        onChange={setSelected}
        isMultiple={isMultiple}
      />
    </BlueprintProvider>
  );
}

const open = async (options = OPTIONS, isMultiple = false) => {
  render(<Field options={options} isMultiple={isMultiple} />);
  await userEvent.click(screen.getByRole('button', { name: 'Severity' }));
};

const picked: string[] = [];
const plain = { isFilterable: false, hasFocus: true };

afterEach(cleanup);

test('asks with "Search..." and counts what each option stands for', async () => {
  await open();
  expect(await screen.findByPlaceholderText('Search...')).toBeTruthy();
  expect(screen.getByText('1,204')).toBeTruthy();
});

test('says "No options." where there are none', async () => {
  await open([]);
  expect(await screen.findByText('No options.')).toBeTruthy();
});

test('says "No results for the query" where none fits', async () => {
  await open();
  await userEvent.type(await screen.findByPlaceholderText('Search...'), 'zzz');
  expect(await screen.findByText('No results for the query')).toBeTruthy();
});

test('chooses one and shows it on the button', async () => {
  await open();
  await userEvent.click(await screen.findByText('Low'));
  expect(screen.getByRole('button', { name: 'Severity: Low' })).toBeTruthy();
});

test('chooses several while the list stays open, and takes one back', async () => {
  await open(OPTIONS, true);
  await userEvent.click(await screen.findByText('High'));
  await userEvent.click(screen.getByText('Low'));
  expect(screen.getByRole('button', { name: 'Severity: High, Low' })).toBeTruthy();
  await userEvent.click(within(screen.getByRole('listbox')).getByText('High'));
  expect(screen.getByRole('button', { name: 'Severity: Low' })).toBeTruthy();
});

test('the search is a combobox that names the highlighted option, and the keys choose it', async () => {
  await open(OPTIONS, true);
  const field = await screen.findByRole('combobox', { name: 'Search Severity' });
  await waitFor(() => expect(document.activeElement).toBe(field));
  const highlighted = () => document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent;
  expect(highlighted()).toContain('High');
  await userEvent.keyboard('{ArrowDown}');
  expect(highlighted()).toContain('Low');
  await userEvent.keyboard('{Enter}');
  expect(screen.getByRole('option', { name: /Low/ }).getAttribute('aria-selected')).toBe('true');
  expect(field.getAttribute('aria-controls')).toBe(screen.getByRole('listbox').id);
  await userEvent.keyboard('hi{Enter}{Escape}');
  expect(await screen.findByRole('button', { name: 'Severity: High, Low' })).toBeTruthy();
});

test('without a result the combobox points at nothing', async () => {
  await open();
  const field = await screen.findByRole('combobox');
  await userEvent.type(field, 'zzz');
  expect(field.getAttribute('aria-expanded')).toBe('false');
  expect(field.hasAttribute('aria-controls')).toBe(false);
  expect(screen.queryByRole('listbox')).toBeNull();
});

test('a list without a search takes the keys itself', async () => {
  render(
    <BlueprintProvider>
      <OptionList label="Role" options={OPTIONS} selected={[]} onPick={(value) => picked.push(value)} {...plain} />
    </BlueprintProvider>,
  );
  await userEvent.keyboard('{End}{Enter}{Home} ');
  expect(picked).toEqual(['low', 'high']);
});

test('draws a part of a very long list and reaches the rest by searching', async () => {
  await open(Array.from({ length: 5000 }, (_, index) => ({ value: `${index}`, label: `licence ${index}` })));
  expect(await screen.findByText('The first 200 of 5,000. Search for the others.')).toBeTruthy();
  await userEvent.type(screen.getByRole('combobox'), 'licence 4999');
  expect(screen.getAllByRole('option')).toHaveLength(1);
});
