import { useEffect } from 'react';

/** A box that was ticked keeps the focus, and takes only Space: letters are keys of the list there. */
const TAKES_LETTERS = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [role="menu"], [role="listbox"]';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.closest(TAKES_LETTERS) !== null);

/** The focus may be on what lies around a dialog, so that asking for the target's own is not enough. */
const isDialogOpen = (): boolean => document.querySelector('[role="dialog"]') !== null;

/** Single keys of a page. None fires while somebody types, with a modifier held, or while a dialog is open. */
export const useListKeys = (keys: Record<string, () => void>): void => {
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || isDialogOpen()) return;
      const act = keys[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  });
};
