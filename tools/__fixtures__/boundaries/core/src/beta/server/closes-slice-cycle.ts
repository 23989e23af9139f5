import { listBetas } from '../../alpha/server/index.ts';
export const again = listBetas;
