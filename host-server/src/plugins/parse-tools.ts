import type { ReportTools } from '@breakwater/core/platform/model/connector-catalogue.ts';
import { withAddedTools } from '@breakwater/core/shell/plugins/index.ts';
import { createReaderStore } from './added-readers.ts';
import { describedPath, readDescribed } from './isolated-plugins.ts';
import { openRegistry, type PluginSettings, pluginFolders } from './open-registry.ts';

/** Where the address of this module says which plugins there are besides ours. */
const SETTINGS = 'plugins';
const DESCRIBED = 'described';

/** Address by which a parse worker imports this module. What this thread knows of plugins of strangers goes along. */
export const parseToolsModule = (settings: PluginSettings): string => {
  const url = new URL(import.meta.url);
  const { pluginsDirectory, trustedPlugins, canPluginsHaveNetwork } = settings;
  if (pluginsDirectory === undefined) return url.href;
  url.searchParams.set(SETTINGS, JSON.stringify({ pluginsDirectory, trustedPlugins, canPluginsHaveNetwork }));
  const described = describedPath();
  if (described !== undefined) url.searchParams.set(DESCRIBED, described);
  return url.href;
};

const NO_OTHERS: PluginSettings = { pluginsDirectory: undefined, trustedPlugins: [], canPluginsHaveNetwork: false };

const openShared = async (): Promise<ReportTools> => {
  const { searchParams } = new URL(import.meta.url);
  const [settings, described] = [searchParams.get(SETTINGS), searchParams.get(DESCRIBED)];
  const folders = pluginFolders(
    settings === null ? NO_OTHERS : JSON.parse(settings),
    described === null ? undefined : readDescribed(described),
  );
  const { registry } = await openRegistry({ parsers: true, server: false }, folders);
  return registry;
};

let shared: Promise<ReportTools> | undefined;
const readers = createReaderStore();

/**
 * The importers for a parse worker thread: manifests and parsers, nothing that talks to services. A worker of a slice gets this
 * module's address from the composition root and imports it, because slices may not import the host.
 * @param added what an organisation added, as `ReportToolSource` said
 */
export async function openReportTools(added: readonly unknown[] = []): Promise<ReportTools> {
  shared ??= openShared();
  const opening = shared;
  opening.catch(() => {
    shared = undefined;
  });
  const [tools, own] = await Promise.all([opening, readers.open(added)]);
  return own.length === 0 ? tools : withAddedTools(tools, own);
}
