import { describe, expect, it } from 'vitest';
import { listScale, MAX_LIST_PX } from './scaled-rows.ts';

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
