import { type FocusEvent, type RefObject, useEffect, useRef } from 'react';
import type { FindingsStore } from '../data/findings.store.ts';

/** Puts the focus on the finding of a row. False where the row is not there (yet). */
export const focusRow = (table: HTMLElement | null, index: number): boolean => {
  const finding = table?.querySelector<HTMLElement>(`[aria-rowindex="${index + 2}"] [data-finding]`);
  finding?.focus({ preventScroll: true });
  return finding !== null && finding !== undefined;
};

/** Calls `leave` when the person takes the focus to something outside the list: from then on nothing may take it back. */
const useLeaving = (tableRef: RefObject<HTMLElement | null>, leave: () => void): void => {
  const leaving = useRef(leave);
  useEffect(() => {
    leaving.current = leave;
  });
  useEffect(() => {
    const onEvent = ({ target }: Event) => {
      const isInside = target instanceof Node && tableRef.current?.contains(target) === true;
      if (!isInside && target !== document.body) leaving.current();
    };
    document.addEventListener('pointerdown', onEvent, true);
    return () => document.removeEventListener('pointerdown', onEvent, true);
  }, [tableRef]);
};

/**
 * Brings the row that the keyboard moved to into sight and gives it the focus, as soon as it is there: it may have to be drawn or read
 * first. Not when the person went elsewhere meanwhile.
 */
export const useCursorFocus = (
  cursor: { index: number } | undefined,
  tableRef: RefObject<HTMLElement | null>,
  scrollToIndex: (index: number) => void,
): void => {
  const wanted = useRef<{ index: number; left: Element | null }>(undefined);
  useLeaving(tableRef, () => {
    wanted.current = undefined;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a move of the cursor scrolls
  useEffect(() => {
    if (cursor === undefined) return;
    wanted.current = { index: cursor.index, left: document.activeElement };
    scrollToIndex(cursor.index);
  }, [cursor]);
  useEffect(() => {
    if (wanted.current === undefined) return;
    const { activeElement, body } = document;
    const isElsewhere = activeElement !== body && activeElement !== wanted.current.left;
    if (isElsewhere || focusRow(tableRef.current, wanted.current.index)) wanted.current = undefined;
  });
};

/**
 * Keeps the focus at its place in the list when the list is read anew, so that the finding that moves up has it. Give what it
 * returns to `onFocus` and `onBlur` of the list.
 */
export const useKeptFocus = (store: FindingsStore, tableRef: RefObject<HTMLElement | null>, isAsking: boolean) => {
  useLeaving(tableRef, () => {
    // a dialog gives the focus back
    if (!isAsking) store.setFocused(undefined);
  });
  useEffect(() => () => store.setFocused(undefined), [store]);
  const { generation } = store.list;
  const last = store.list.length - 1;
  const shown = store.focusedIndex === undefined ? undefined : store.idAt(Math.min(store.focusedIndex, last));
  // biome-ignore lint/correctness/useExhaustiveDependencies: only new rows can have taken the focus away
  useEffect(() => {
    if (store.focusedIndex === undefined || last < 0) return undefined;
    // what moved up has it now
    store.setFocused(Math.min(store.focusedIndex, last));
    if (isAsking) return undefined;
    const restore = () => {
      if (store.focusedIndex === undefined || document.activeElement !== document.body) return;
      focusRow(tableRef.current, Math.min(store.focusedIndex, last));
    };
    const frame = requestAnimationFrame(restore);
    return () => cancelAnimationFrame(frame);
  }, [generation, shown, last, isAsking]);
  return (event: FocusEvent) => {
    if (event.type === 'blur') {
      // to nothing: the row went; to a dialog: it comes back; to something else: the person went
      const isToDialog = event.relatedTarget instanceof Element && event.relatedTarget.closest('.bp6-overlay') !== null;
      if (event.relatedTarget !== null && !isToDialog) store.setFocused(undefined);
      return;
    }
    const row = event.target.closest('tr.ft-row')?.getAttribute('aria-rowindex');
    store.setFocused(row === null || row === undefined ? undefined : Number(row) - 2);
  };
};
