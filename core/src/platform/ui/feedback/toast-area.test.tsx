import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { ServicesProvider } from '../data/services.tsx';
import { copyText } from './clipboard.ts';
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

/** What the browser gives for copying. */
const withClipboard = (clipboard: Partial<Clipboard> | undefined): Navigator =>
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard });

test.each([
  ['a browser that has none', undefined, 'Clipboard API not supported'],
  ['one that copies', { writeText: async () => undefined }, 'Text copied to clipboard'],
  [
    'one that refuses',
    { writeText: () => Promise.reject(new Error('Document is not focused.')) },
    'Failed to copy text: Document is not focused.',
  ],
])('copying in %s', async (_, clipboard, notice) => {
  const known = Object.getOwnPropertyDescriptor(navigator, 'clipboard');
  withClipboard(clipboard);
  const toasts = show();
  await act(() => copyText('CVE-2024-1', toasts));
  expect(screen.getByText(notice)).toBeDefined();
  if (known === undefined) Reflect.deleteProperty(navigator, 'clipboard');
  else Object.defineProperty(navigator, 'clipboard', known);
});

test('an error that says nothing is told as an unexpected one', () => {
  const toasts = show();
  act(() => toasts.showError(new Error('an internal error')));
  expect(screen.getByText('An unexpected error occurred.')).toBeDefined();
});
