import { BlueprintProvider } from '@blueprintjs/core';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { OptionSelect, type SelectOption } from './option-select.tsx';

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
