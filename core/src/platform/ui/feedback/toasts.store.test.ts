import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../data/api-error.ts';
import { ToastsStore } from './toasts.store.ts';

const textsOf = (store: ToastsStore) => store.toasts.map((toast) => toast.message);

describe('ToastsStore', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('shows a notice for 5000 ms', () => {
    const store = new ToastsStore();
    store.show('Saved');
    vi.advanceTimersByTime(4_999);
    expect(textsOf(store)).toEqual(['Saved']);
    vi.advanceTimersByTime(1);
    expect(textsOf(store)).toEqual([]);
  });

  it('keeps at most three, the newest', () => {
    const store = new ToastsStore();
    for (const text of ['1', '2', '3', '4']) store.show(text);
    expect(textsOf(store)).toEqual(['2', '3', '4']);
  });

  it('lets an undo be taken for ten seconds, once', () => {
    const store = new ToastsStore();
    const onUndo = vi.fn();
    const id = store.showUndo('13 marked false positive', onUndo);
    vi.advanceTimersByTime(9_999);
    expect(store.toasts[0]).toMatchObject({ hasBar: true, action: { label: 'Undo' } });
    store.runAction(id);
    store.runAction(id);
    expect(onUndo).toHaveBeenCalledTimes(1);
    expect(textsOf(store)).toEqual([]);
  });

  it('stands still while paused and goes on with what is left', () => {
    const store = new ToastsStore();
    const id = store.showUndo('Done', () => undefined);
    vi.advanceTimersByTime(6_000);
    store.pause(id);
    vi.advanceTimersByTime(60_000);
    expect(textsOf(store)).toEqual(['Done']);
    store.resume(id);
    vi.advanceTimersByTime(3_999);
    expect(textsOf(store)).toEqual(['Done']);
    vi.advanceTimersByTime(1);
    expect(textsOf(store)).toEqual([]);
  });

  it('shows each message of a failed call, and nothing for one given up', () => {
    const store = new ToastsStore();
    const details = {
      status: 422,
      code: 'validation_failed',
      issues: [],
      requestId: undefined,
      retryAfterSeconds: undefined,
    };
    store.showError(new ApiError({ ...details, messages: ['Enter a name.', 'Enter an address.'] }));
    store.showError(new DOMException('gone', 'AbortError'));
    expect(textsOf(store)).toEqual(['Enter a name.', 'Enter an address.']);
    store.clear();
    store.showError(new Error('an internal error'));
    expect(textsOf(store)).toEqual(['An unexpected error occurred.']);
  });
});
