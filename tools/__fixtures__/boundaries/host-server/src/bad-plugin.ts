import { plugin } from '../../plugins/demo/src/plugin.ts';
export const stolen = plugin;
