import { BlueprintProvider } from '@blueprintjs/core';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { DialogBox } from './dialogs.tsx';

const closings: string[] = [];

function Page({ canEscapeKeyClose }: { canEscapeKeyClose: boolean }) {
  const [isOpen, setIsOpen] = useState(true);
  const handleClose = () => {
    closings.push('closed');
    setIsOpen(false);
  };
  return (
    <BlueprintProvider>
      <button type="button">Behind</button>
      <DialogBox isOpen={isOpen} onClose={handleClose} title="Keys" canEscapeKeyClose={canEscapeKeyClose}>
        <input aria-label="Reason" />
      </DialogBox>
    </BlueprintProvider>
  );
}

afterEach(() => {
  cleanup();
  closings.length = 0;
});

test('Esc closes it once, whether the focus has come to it or not', async () => {
  render(<Page canEscapeKeyClose />);
  fireEvent.keyDown(screen.getByText('Behind'), { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(closings).toHaveLength(1);
  cleanup();
  render(<Page canEscapeKeyClose />);
  screen.getByLabelText('Reason').focus();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(closings).toHaveLength(2);
});

test('a dialog that must be answered stays', () => {
  render(<Page canEscapeKeyClose={false} />);
  fireEvent.keyDown(screen.getByText('Behind'), { key: 'Escape' });
  expect(screen.getByRole('dialog')).toBeDefined();
  expect(closings).toHaveLength(0);
});
