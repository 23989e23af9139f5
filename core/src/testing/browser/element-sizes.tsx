import { afterEach, beforeEach, vi } from 'vitest';

const SIZES = ['clientHeight', 'offsetHeight', 'offsetWidth'] as const;

/** happy-dom lays nothing out, and without a height no row is in sight: during the tests of a file every element is 800 px high and wide. */
export const giveElementsASize = (): void => {
  let replaced: { mockRestore: () => void }[] = [];
  beforeEach(() => {
    replaced = SIZES.map((size) => vi.spyOn(HTMLElement.prototype, size, 'get').mockReturnValue(800));
  });
  afterEach(() => {
    for (const one of replaced) one.mockRestore();
  });
};
