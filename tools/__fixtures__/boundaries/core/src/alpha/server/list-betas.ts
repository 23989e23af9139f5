import { beta } from '../../beta/server/index.ts';
export const listBetas = () => [beta];
