import { useSyncExternalStore } from 'react';
import type { Density } from '../../model/locale.ts';

let current: Density | null = null;
const listeners = new Set<() => void>();

/** Sets how dense tables are: those of style sheets by the document, those that place their rows themselves by `useDensity`. */
export const setDensity = (density: Density | null, root: Pick<HTMLElement, 'dataset'>): void => {
  current = density;
  if (density === null) delete root.dataset.density;
  else root.dataset.density = density;
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** How dense tables are; null is the usual height of rows. */
export const useDensity = (): Density | null => useSyncExternalStore(subscribe, () => current);
