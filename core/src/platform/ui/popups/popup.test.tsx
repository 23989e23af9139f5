import { Button } from '@blueprintjs/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { MenuPopup } from './menu-popup.tsx';
import { Popup } from './popup.tsx';

test('a popup opens and closes by its button, by Esc and by a click outside, and its button stays the same element', async () => {
  render(
    <>
      <Popup kind="dialog" content={<input aria-label="Inside" />}>
        <Button text="Columns" />
      </Popup>
      <p>Outside</p>
    </>,
  );
  const button = screen.getByRole('button', { name: 'Columns' });
  const isOpen = () => button.getAttribute('aria-expanded') === 'true';
  expect([button.getAttribute('aria-haspopup'), isOpen()]).toEqual(['dialog', false]);
  const closings = [
    () => userEvent.click(button),
    () => userEvent.keyboard('{Escape}'),
    () => userEvent.click(screen.getByText('Outside')),
  ];
  for (const close of closings) {
    await userEvent.click(button);
    const field = await screen.findByRole('textbox', { name: 'Inside' });
    expect(isOpen()).toBe(true);
    await userEvent.click(field);
    expect(isOpen()).toBe(true);
    await close();
    await vi.waitFor(() => expect(screen.queryByRole('textbox', { name: 'Inside' })).toBeNull());
    expect(isOpen()).toBe(false);
  }
  expect(screen.getByRole('button', { name: 'Columns' })).toBe(button);
});

test('a menu tells what was picked, and closes', async () => {
  const picked = vi.fn();
  const items = [
    { text: 'CSV', hint: 'every field', onPick: () => picked('csv') },
    { text: 'JSON', isDisabled: true, onPick: () => picked('json') },
  ];
  render(
    <MenuPopup label="Export" title="3 findings" items={items}>
      <Button text="Export" />
    </MenuPopup>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Export' }));
  expect(await screen.findByRole('menu', { name: 'Export' })).toBeTruthy();
  expect(screen.getByText('3 findings')).toBeTruthy();
  await userEvent.click(screen.getByRole('menuitem', { name: /CSV/ }));
  expect(picked.mock.calls).toEqual([['csv']]);
  await vi.waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
});
