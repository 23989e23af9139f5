import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { ServicesProvider } from '../data/services.tsx';
import { ToastArea } from './toast-area.tsx';
import { ToastsStore } from './toasts.store.ts';

const show = () => {
  const toasts = new ToastsStore();
  const services = { get: () => toasts as never };
  render(
    <ServicesProvider services={services}>
      <ToastArea />
    </ServicesProvider>,
  );
  return toasts;
};

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

test('the area is there before the first notice, so that a screen reader hears it', () => {
  const toasts = show();
  expect(screen.getByRole('status').textContent).toBe('');
  act(() => void toasts.show('Saved'));
  expect(screen.getByRole('status').textContent).toBe('Saved');
});

test('an undo pauses under the pointer and the focus, acts once and goes', async () => {
  const toasts = show();
  const onUndo = vi.fn();
  act(() => void toasts.showUndo('13 marked false positive', onUndo));
  const undo = screen.getByRole('button', { name: 'Undo' });
  await userEvent.hover(undo);
  expect(toasts.toasts[0]?.isPaused).toBe(true);
  await userEvent.unhover(undo);
  expect(toasts.toasts[0]?.isPaused).toBe(false);
  await userEvent.tab();
  expect(document.activeElement).toBe(undo);
  expect(toasts.toasts[0]?.isPaused).toBe(true);
  await userEvent.keyboard('{Enter}');
  expect(onUndo).toHaveBeenCalledTimes(1);
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('a notice can be closed', async () => {
  const toasts = show();
  act(() => void toasts.show('The upload failed', { tone: 'problem' }));
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByText('The upload failed')).toBeNull();
});
