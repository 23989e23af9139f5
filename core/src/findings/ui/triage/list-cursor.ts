import { useEffect, useRef, useState } from 'react';
import { matchPath, useNavigate } from 'react-router-dom';
import type { ListRoute } from '../data/list-route.ts';
import type { FindingsList } from './findings-context.ts';
import { focusRow } from './kept-focus.ts';

export interface CursorRow {
  index: number;
  /** Grows with every move: the same row may be asked for again. */
  move: number;
}

export interface ListCursor {
  /** Row that the keyboard moved to last; the table brings it into sight and gives it the focus. */
  row: CursorRow | undefined;
  /** Index of the row that keys mean: the one in focus, or the one that is on its way to it. */
  index: () => number | undefined;
  /** To the next row (1) or the one before (-1); beside an open finding to the next finding. */
  move: (step: 1 | -1) => void;
}

/** Index of the row that has the focus. */
const focusedIndex = (): number | undefined => {
  const row = document.activeElement?.closest('tr.ft-row')?.getAttribute('aria-rowindex');
  return row === null || row === undefined ? undefined : Number(row) - 2;
};

/**
 * A row far down is not in the document yet: until it is, the focus stays where it was, and the next key counts from the new row. While the
 * list is read anew the row in focus may be gone for a moment: keys mean its place.
 */
const useFocusedRow = ({ store }: FindingsList) => {
  const pending = useRef<{ index: number; left: Element | null }>(undefined);
  const index = () => {
    const { activeElement, body } = document;
    if (activeElement !== pending.current?.left && activeElement !== body) pending.current = undefined;
    return pending.current?.index ?? focusedIndex() ?? (activeElement === body ? store.focusedIndex : undefined);
  };
  const focus = (at: number) => {
    store.setFocused(at);
    // at once where the row is there, so that the next key finds it
    pending.current = focusRow(document.body, at) ? undefined : { index: at, left: document.activeElement };
  };
  return { index, focus };
};

/** The finding that is open now: the address changes a moment before the page does, and keys come in between. */
const openNow = ({ listPath, panelPath }: ListRoute, drawn: string | undefined): string | undefined => {
  const { pathname } = window.location;
  return pathname === listPath ? undefined : (matchPath(panelPath, pathname)?.params.id ?? drawn);
};

/** Place of the open finding. A verdict may take it out of the list: "next" then is what moved up. */
const useOpenPosition = (list: FindingsList, openId: string | undefined) => {
  const { store, hrefOf } = list;
  const navigate = useNavigate();
  const kept = useRef(-1);
  const asked = useRef<{ index: number; id?: string }>(undefined);
  useEffect(() => {
    if (store.currentIndex >= 0) kept.current = store.currentIndex;
    if (asked.current?.id === openId) asked.current = undefined;
  });
  const step = (by: 1 | -1, open: string): number => {
    // keys are faster than addresses
    if (asked.current !== undefined) return asked.current.index + by;
    const index = store.list.indexOf((row) => row._id === open);
    if (index >= 0) return index + by;
    return by > 0 ? kept.current : kept.current - 1;
  };
  const openAt = async (index: number, open: string): Promise<void> => {
    const wish: { index: number; id?: string } = { index };
    asked.current = wish;
    const row = await store.list.fetchRow(index);
    if (asked.current !== wish) return;
    if (row === undefined || row._id === open) asked.current = undefined;
    else {
      wish.id = row._id;
      navigate(hrefOf(row._id), { replace: true });
    }
  };
  /** What was on its way when the panel closed; from then on nothing is. */
  const giveUp = (): string | undefined => {
    const id = asked.current?.id;
    asked.current = undefined;
    return id;
  };
  return { kept, step, openAt, giveUp };
};

/** The way of the keyboard through the list and beside it. Where a finding closes, its row has the focus again. */
export const useListCursor = (list: FindingsList, openId: string | undefined): ListCursor => {
  const { store, listHref } = list;
  const [row, setRow] = useState<CursorRow>();
  const focused = useFocusedRow(list);
  const { kept, step, openAt, giveUp } = useOpenPosition(list, openId);
  const undrawn = useRef(giveUp);
  undrawn.current = giveUp;
  const before = useRef({ openId, listHref });
  useEffect(() => {
    const { openId: closed, listHref: left } = before.current;
    before.current = { openId, listHref };
    if (openId !== undefined || closed === undefined || left !== listHref) return;
    // the last key may have changed the address, and Esc have left it, before it was drawn
    const lastOpen = undrawn.current() ?? closed;
    const found = store.list.indexOf((one) => one._id === lastOpen);
    const index = Math.min(found < 0 ? kept.current : found, store.list.length - 1);
    if (index >= 0) setRow((now) => ({ index, move: (now?.move ?? 0) + 1 }));
  }, [openId, listHref, store, kept]);
  const move = (by: 1 | -1) => {
    const last = store.list.length - 1;
    if (last < 0) return;
    const open = openNow(list.route, openId);
    if (open !== undefined) {
      const index = step(by, open);
      if (index >= 0 && index <= last) void openAt(index, open);
      return;
    }
    const from = focused.index() ?? (openId === undefined ? row?.index : kept.current) ?? (by > 0 ? -1 : last + 1);
    const index = Math.min(last, Math.max(0, from + by));
    focused.focus(index);
    setRow((now) => ({ index, move: (now?.move ?? 0) + 1 }));
  };
  return { row, index: focused.index, move };
};
