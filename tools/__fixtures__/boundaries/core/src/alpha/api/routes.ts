import type { Alpha } from '../model/alpha.ts';
export const routes: Alpha[] = [];
