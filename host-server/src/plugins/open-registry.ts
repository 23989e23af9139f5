import { join } from 'node:path';
import {
  createPluginRegistry,
  type LoadedPlugin,
  type PluginRegistry,
  withoutConflicts,
} from '@breakwater/core/shell/plugins/index.ts';
import type { Config } from '../config.ts';
import { type Isolation, keepDescribed } from './isolated-plugins.ts';
import { discoverPlugins, loadPlugins, type PluginCodeNeeded } from './loader.ts';
import type { PluginIssue } from './plugin-entries.ts';
import { isBuild, soundBuilds } from './sound-builds.ts';

const OUR_PLUGINS = join(import.meta.dirname, '../../../plugins');

/** The plugins that this process can use, and those it had to leave out. */
export interface OpenRegistry {
  readonly registry: PluginRegistry;
  /** What the registry was made of. */
  readonly plugins: readonly LoadedPlugin[];
  /** To be logged at start and shown to the operator; none of them is fatal. */
  readonly issues: readonly PluginIssue[];
  /** Ends the processes of plugins. */
  close(): void;
}

/** A folder that holds plugins. */
export interface PluginFolder {
  readonly path: string;
  /** Where its plugins run in processes of their own. */
  readonly isolation?: Isolation;
}

export type PluginSettings = Pick<Config, 'pluginsDirectory' | 'trustedPlugins' | 'canPluginsHaveNetwork'>;

/** Where plugins lie: ours first, then those of strangers in the operator's folder. */
export const pluginFolders = (
  settings: PluginSettings,
  described?: NonNullable<Isolation['described']>,
): PluginFolder[] => {
  const { pluginsDirectory, trustedPlugins: trusted, canPluginsHaveNetwork: mayHaveNetwork } = settings;
  if (pluginsDirectory === undefined) return [{ path: OUR_PLUGINS }];
  const isolation = { trusted, mayHaveNetwork, ...(described === undefined ? {} : { described }) };
  return [{ path: OUR_PLUGINS }, { path: pluginsDirectory, isolation }];
};

/** Finds, loads and registers the plugins. Called once per process or worker thread, with the code that it needs. */
export async function openRegistry(
  needed: PluginCodeNeeded,
  folders: readonly PluginFolder[] = [{ path: OUR_PLUGINS }],
): Promise<OpenRegistry> {
  const opened = await Promise.all(folders.map((folder) => openFolder(folder, needed)));
  const { plugins, conflicts } = withoutConflicts(opened.flatMap((folder) => folder.plugins));
  return {
    registry: createPluginRegistry(plugins),
    plugins,
    close: () => {
      for (const plugin of plugins) plugin.close?.();
    },
    issues: [
      ...opened.flatMap((folder) => folder.issues),
      ...conflicts.map(({ pluginId, reason }) => ({ name: pluginId, reason })),
    ],
  };
}

/** Builds are offered to organisations (`installed/configured-plugins.ts`), unless the operator trusts them. What is learnt of plugins outside of this process is kept for its threads. */
async function openFolder({ path, isolation }: PluginFolder, needed: PluginCodeNeeded) {
  const found = await discoverPlugins(path);
  const { entries, issues } =
    isolation === undefined
      ? { entries: found.entries, issues: [] }
      : await soundBuilds(found.entries.filter((entry) => !isBuild(entry) || isolation.trusted.includes(entry.name)));
  const loaded = await loadPlugins(entries, needed, isolation);
  if (isolation !== undefined && isolation.described === undefined) keepDescribed(loaded.described);
  return { plugins: loaded.plugins, issues: [...found.issues, ...issues, ...loaded.issues] };
}
