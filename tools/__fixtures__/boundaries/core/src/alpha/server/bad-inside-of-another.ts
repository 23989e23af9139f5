import { beta } from '../../gamma/server/inside.ts';
export const stolen = beta;
