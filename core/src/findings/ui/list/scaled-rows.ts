import { type Rect, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useDeferredValue, useEffect, useReducer, useRef } from 'react';

/** Browsers stop laying out elements at 16 to 33 million px; below this every one is safe. */
export const MAX_LIST_PX = 12_000_000;

/**
 * How a list that would be taller than a browser can lay out is squeezed: the element is `physicalPx` high, and one px
 * of its scroll bar means `scale` px of the list.
 */
export const listScale = (count: number, rowHeight: number, viewportPx: number) => {
  const virtualPx = count * rowHeight;
  const physicalPx = Math.min(virtualPx, MAX_LIST_PX);
  const isSqueezed = virtualPx > physicalPx && physicalPx > viewportPx;
  return { physicalPx, scale: isSqueezed ? (virtualPx - viewportPx) / (physicalPx - viewportPx) : 1 };
};

export interface PlacedRow {
  index: number;
  /** Distance from the top of the layer of rows, px. Stays the same while the list scrolls. */
  top: number;
}

/** Moves further apart than this belong to two throws. */
const FLING_GAP_MS = 150;

/** Tells a list that is thrown, too fast for anybody to read a row, from one that is moved. */
export class FlingWatch {
  #offset = 0;
  #at = Number.NEGATIVE_INFINITY;
  #wasLeap = false;

  /** Whether this move belongs to a throw: it and the one right before it each left everything behind that was in sight. One leap alone (End, a click on the scroll bar) is none. */
  moved(offsetPx: number, viewportPx: number, nowMs: number): boolean {
    const isLeap = Math.abs(offsetPx - this.#offset) >= Math.max(1, viewportPx);
    const isFlung = isLeap && this.#wasLeap && nowMs - this.#at <= FLING_GAP_MS;
    this.#offset = offsetPx;
    this.#at = nowMs;
    this.#wasLeap = isLeap;
    return isFlung;
  }
}

/** Rows that are there beyond those in sight, on either side. */
const OVERSCAN_ROWS = 6;
/** Rows are placed from every thousandth row on, so that no distance outgrows what browsers can lay out. */
const ANCHOR_ROWS = 1_000;

export interface ScaledRows {
  rows: PlacedRow[];
  /** How far the layer of rows stands from the top of the list's element, px. */
  shiftPx: number;
  heightPx: number;
  /** The list is thrown: rows change with every frame and nobody can read one. */
  isFlung: boolean;
  scrollToIndex: (index: number) => void;
}

export interface ScaledRowsOptions {
  count: number;
  rowHeight: number;
  scrollRef: RefObject<HTMLElement | null>;
  /** Height of the sticky head inside the scrolling element. */
  headPx: number;
}

/**
 * Reports the size of the scrolling element once the browser has laid it out. Measured at once, the page would be laid out for it, drawn again
 * and all that waits for the first look done before it; until then the list is taken to fill the window.
 */
const observeSize = (
  { scrollElement }: Virtualizer<HTMLElement, Element>,
  report: (rect: Rect) => void,
): (() => void) | undefined => {
  if (scrollElement === null) return undefined;
  const observer = new ResizeObserver(() =>
    report({ width: scrollElement.offsetWidth, height: scrollElement.offsetHeight }),
  );
  observer.observe(scrollElement);
  return () => observer.disconnect();
};

/** Only the rows in sight and a few beside them; any number of rows can be reached. */
export const useScaledRows = ({ count, rowHeight, scrollRef, headPx }: ScaledRowsOptions): ScaledRows => {
  const [, render] = useReducer((tick: number) => tick + 1, 0);
  const viewportPx = Math.max(0, (scrollRef.current?.clientHeight ?? 0) - headPx);
  const { physicalPx, scale } = listScale(count, rowHeight, viewportPx);
  // The virtualizer keeps the first observer for good: what it needs of later renders goes through here.
  const scaleRef = useRef(scale);
  scaleRef.current = scale;
  const fling = useFling(render);
  // those out of sight come a moment after the others
  const overscan = useDeferredValue(OVERSCAN_ROWS, 0);
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => rowHeight,
    overscan,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    observeElementRect: observeSize,
    // the list scrolls itself (scrollToIndex)
    scrollToFn: () => undefined,
    observeElementOffset: (instance, report) => {
      const element = instance.scrollElement;
      if (element === null) return undefined;
      const handleScroll = () => {
        fling.moved(element.scrollTop * scaleRef.current, element.clientHeight);
        report(element.scrollTop * scaleRef.current, true);
        // While squeezed rows move at another pace than the page: every scroll has to place them anew.
        if (scaleRef.current > 1) render();
      };
      // a list begins at its top; to ask where it stands would lay the page out, as its size would
      element.addEventListener('scroll', handleScroll, { passive: true });
      return () => element.removeEventListener('scroll', handleScroll);
    },
  });
  // the virtualizer keeps sizes until it is told that they changed
  const measuredHeight = useRef(rowHeight);
  useEffect(() => {
    if (measuredHeight.current === rowHeight) return;
    measuredHeight.current = rowHeight;
    virtualizer.measure();
  }, [virtualizer, rowHeight]);
  useWheelAtListPace(scrollRef, scale);
  const scrollTop = scrollRef.current?.scrollTop ?? 0;
  const items = virtualizer.getVirtualItems();
  const firstIndex = items.at(0)?.index ?? 0;
  const anchor = scale === 1 ? 0 : firstIndex - (firstIndex % ANCHOR_ROWS);
  return {
    rows: items.map(({ index }) => ({ index, top: (index - anchor) * rowHeight })),
    shiftPx: anchor * rowHeight + scrollTop - scrollTop * scale,
    heightPx: physicalPx,
    isFlung: fling.isFlung(),
    scrollToIndex: (index) => {
      const element = scrollRef.current;
      if (element === null) return;
      const top = index * rowHeight;
      const seen = element.scrollTop * scale;
      const height = element.clientHeight - headPx;
      if (top < seen) element.scrollTop = top / scale;
      else if (top + rowHeight > seen + height) element.scrollTop = (top + rowHeight - height) / scale;
    },
  };
};

const SCROLL_KEY = 'bw-list-scroll';

const readScroll = (address: string): number => {
  try {
    const [where, top]: unknown[] = JSON.parse(window.sessionStorage.getItem(SCROLL_KEY) ?? '[]');
    return where === address && typeof top === 'number' ? top : 0;
  } catch {
    return 0;
  }
};

const writeScroll = (address: string, top: number): void => {
  try {
    window.sessionStorage.setItem(SCROLL_KEY, JSON.stringify([address, top]));
  } catch {
    // a policy forbids to keep anything: the list begins at its top
  }
};

/** Whether the document was loaded again rather than opened anew: an address that somebody enters or follows begins at the top. */
const isLoadedAgain = (): boolean =>
  performance
    .getEntriesByType('navigation')
    .some((entry) => 'type' in entry && (entry.type === 'reload' || entry.type === 'back_forward'));

/**
 * A list that is read again by the browser (reload, back from another site) stands where it stood. `isReady`: its rows are there, and with them
 * its height.
 */
export const useKeptScroll = (scrollRef: RefObject<HTMLElement | null>, address: string, isReady: boolean): void => {
  const wanted = useRef<number>(undefined);
  useEffect(() => {
    const keep = () => writeScroll(address, scrollRef.current?.scrollTop ?? 0);
    window.addEventListener('pagehide', keep);
    return () => window.removeEventListener('pagehide', keep);
  }, [address, scrollRef]);
  useEffect(() => {
    // once a document: what is opened from within it begins at its top
    if (wanted.current === undefined) {
      wanted.current = isLoadedAgain() ? readScroll(address) : 0;
      writeScroll('', 0);
    }
    if (!isReady || wanted.current === 0 || scrollRef.current === null) return;
    scrollRef.current.scrollTop = wanted.current;
    wanted.current = 0;
  }, [address, isReady, scrollRef]);
};

/** Follows the moves of a list; `onEnd` comes once a throw is over. */
const useFling = (onEnd: () => void) => {
  const state = useRef({ watch: new FlingWatch(), isFlung: false, timer: 0 });
  useEffect(() => () => window.clearTimeout(state.current.timer), []);
  return {
    isFlung: (): boolean => state.current.isFlung,
    moved: (offsetPx: number, viewportPx: number): void => {
      const { current } = state;
      if (!current.watch.moved(offsetPx, viewportPx, performance.now())) return;
      current.isFlung = true;
      window.clearTimeout(current.timer);
      current.timer = window.setTimeout(() => {
        current.isFlung = false;
        onEnd();
      }, FLING_GAP_MS);
    },
  };
};

/** In a squeezed list the wheel still moves the rows by what it says, not by `scale` times as much. */
const useWheelAtListPace = (scrollRef: RefObject<HTMLElement | null>, scale: number): void => {
  useEffect(() => {
    const element = scrollRef.current;
    if (element === null || scale === 1) return undefined;
    const handleWheel = (event: WheelEvent) => {
      if (event.ctrlKey || event.deltaY === 0) return;
      event.preventDefault();
      const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 20 : event.deltaY;
      element.scrollTop += pixels / scale;
    };
    element.addEventListener('wheel', handleWheel, { passive: false });
    return () => element.removeEventListener('wheel', handleWheel);
  }, [scrollRef, scale]);
};
