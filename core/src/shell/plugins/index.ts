export type { Capabilities, CapabilityName } from './capability.ts';
export { createPluginContainer } from './container.ts';
export type { LoadedPlugin } from './loaded-plugin.ts';
export type { Card, PluginConflict, PluginRegistry } from './registry.ts';
export { createPluginRegistry, withoutConflicts } from './registry.ts';
