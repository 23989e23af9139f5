import { expect, test } from 'vitest';
import { accountOf } from './changes.ts';

test('net is what the open findings changed by; what neither import nor fix explains is named apart', () => {
  expect(accountOf({ openNow: 90, openBefore: 100, found: 5, fixed: 9 })).toEqual({ net: -10, other: -6 });
  expect(accountOf({ openNow: 7, openBefore: 0, found: 7, fixed: 0 })).toEqual({ net: 7, other: 0 });
  // found and fixed within the span: neither open before nor now
  expect(accountOf({ openNow: 3, openBefore: 3, found: 2, fixed: 2 })).toEqual({ net: 0, other: 0 });
});
