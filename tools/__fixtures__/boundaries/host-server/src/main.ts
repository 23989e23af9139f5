import { beta } from '../../core/src/beta/server/index.ts';
export const main = beta;
