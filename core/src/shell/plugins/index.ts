export { type AddedImporters, withAddedTools } from './added-tools.ts';
export type { LoadedPlugin } from './container.ts';
export type { PluginRegistry } from './registry.ts';
export { createPluginRegistry, withoutConflicts } from './registry.ts';
