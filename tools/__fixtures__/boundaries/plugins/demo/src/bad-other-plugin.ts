import { other } from '../../other/src/plugin.ts';
export const stolen = other;
