export type { PluginCode } from './check-plugin.ts';
export { checkPlugin } from './check-plugin.ts';
