import type { Alpha } from '../../core/src/alpha/model/alpha.ts';
export const alpha: Alpha = { name: 'a' };
