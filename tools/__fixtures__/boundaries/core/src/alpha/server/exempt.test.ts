import { beta } from '../../gamma/server/inside.ts';
export const tested = beta;
