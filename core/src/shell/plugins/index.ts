export type { LoadedPlugin } from './loaded-plugin.ts';
export type { PluginRegistry } from './registry.ts';
export { createPluginRegistry, withoutConflicts } from './registry.ts';
