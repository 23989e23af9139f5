import { join } from 'node:path';
import {
  createPluginRegistry,
  type LoadedPlugin,
  type PluginRegistry,
  withoutConflicts,
} from '@breakwater/core/shell/plugins/index.ts';
import { discoverPlugins, loadPlugins, type PluginCodeNeeded, type PluginIssue } from './loader.ts';

const OUR_PLUGINS = join(import.meta.dirname, '../../../plugins');

/** The plugins that this process can use, and those it had to leave out. */
export interface OpenRegistry {
  readonly registry: PluginRegistry;
  /** What the registry was made of. */
  readonly plugins: readonly LoadedPlugin[];
  /** To be logged at start and shown to the operator; none of them is fatal. */
  readonly issues: readonly PluginIssue[];
}

/** Where plugins lie: ours first, then those of the operator's own folder, which run in this process like ours. */
export const pluginFolders = (ownFolder: string | undefined): string[] =>
  ownFolder === undefined ? [OUR_PLUGINS] : [OUR_PLUGINS, ownFolder];

/** Finds, loads and registers the plugins. Called once per process or worker thread, with the code that it needs. */
export async function openRegistry(
  needed: PluginCodeNeeded,
  folders: readonly string[] = [OUR_PLUGINS],
): Promise<OpenRegistry> {
  const discovered = await Promise.all(folders.map(discoverPlugins));
  const loaded = await loadPlugins(
    discovered.flatMap(({ entries }) => entries),
    needed,
  );
  const { plugins, conflicts } = withoutConflicts(loaded.plugins);
  return {
    registry: createPluginRegistry(plugins),
    plugins,
    issues: [
      ...discovered.flatMap(({ issues }) => issues),
      ...loaded.issues,
      ...conflicts.map(({ pluginId, reason }) => ({ name: pluginId, reason })),
    ],
  };
}
