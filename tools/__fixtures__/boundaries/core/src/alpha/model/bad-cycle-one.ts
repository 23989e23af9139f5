import type { Two } from './bad-cycle-two.ts';
export interface One { two: Two }
