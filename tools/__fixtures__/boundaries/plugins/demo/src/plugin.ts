import { sdk } from '../../../sdk/src/index.ts';
export const plugin = { sdk };
