import { describe, expect, it } from 'vitest';
import { FlingWatch, listScale, MAX_LIST_PX } from './scaled-rows.ts';

describe('listScale', () => {
  it('leaves a list alone that a browser can lay out', () => {
    expect(listScale(10_000, 52, 800)).toEqual({ physicalPx: 520_000, scale: 1 });
  });

  it('squeezes a million rows and still reaches the last one', () => {
    const { physicalPx, scale } = listScale(1_000_000, 52, 800);
    expect(physicalPx).toBe(MAX_LIST_PX);
    const atTheEnd = (physicalPx - 800) * scale;
    expect(Math.round(atTheEnd)).toBe(1_000_000 * 52 - 800);
  });

  it('is harmless before the list was measured', () => {
    expect(listScale(0, 52, 0)).toEqual({ physicalPx: 0, scale: 1 });
  });
});

describe('FlingWatch', () => {
  const throwBy = (pixels: number, everyMs: number): boolean[] => {
    const watch = new FlingWatch();
    return [1, 2, 3, 4].map((step) => watch.moved(step * pixels, 800, 1_000 + step * everyMs));
  };

  it('knows a throw from its second leap on', () => {
    expect(throwBy(9_000, 16)).toEqual([false, true, true, true]);
    expect(throwBy(-9_000, 16)).toEqual([false, true, true, true]);
  });

  it('takes no list for thrown of which something stays in sight', () => {
    expect(throwBy(700, 16)).toEqual([false, false, false, false]);
  });

  it('takes single leaps for what they are', () => {
    expect(throwBy(9_000, 400)).toEqual([false, false, false, false]);
  });

  it('ends with the first small move', () => {
    const watch = new FlingWatch();
    expect([9_000, 18_000, 18_100, 27_100].map((px, at) => watch.moved(px, 800, at * 16))).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });
});
