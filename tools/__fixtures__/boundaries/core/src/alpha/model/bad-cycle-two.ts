import type { One } from './bad-cycle-one.ts';
export interface Two { one?: One }
