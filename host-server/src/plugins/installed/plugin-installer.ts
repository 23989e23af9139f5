import type { PluginInstaller } from '@breakwater/core/installed-plugins/server/index.ts';
import type { ConnectorCatalogue, ReportTools } from '@breakwater/core/platform/model/connector-catalogue.ts';
import { msg } from '@breakwater/core/platform/model/message.ts';
import { type ConfiguredPlugins, configuredPlugins } from './configured-plugins.ts';
import { fetchPackage, type NpmRegistry } from './npm-package.ts';
import { MAX_PACKED_BYTES } from './plugin-archive.ts';
import type { PluginCode } from './plugin-code.ts';
import { readPackage } from './read-package.ts';

interface InstallerDeps {
  /** Of the plugins that came with the server: their names are taken. */
  readonly catalogue: Pick<ConnectorCatalogue, 'entries'> & Pick<ReportTools, 'resolveTool'>;
  readonly registry: NpmRegistry;
  readonly configured: ConfiguredPlugins;
  readonly mayHaveNetwork: boolean;
  readonly code: PluginCode;
}

/** Reads, fetches and discards plugins for the slice that keeps them. */
export const createPluginInstaller = (deps: InstallerDeps): PluginInstaller => {
  const { catalogue, registry, configured, mayHaveNetwork, code } = deps;
  const installer: PluginInstaller = {
    maxBytes: MAX_PACKED_BYTES,
    read: (archive) => readPackage(archive, { catalogue, mayHaveNetwork }),
    fetch: (wanted, signal) => fetchPackage(registry, wanted, signal),
    keptBy: async (source) => {
      const named = await configuredPlugins(configured, installer);
      if (!named.some((one) => one.source === source)) return null;
      return source.startsWith('npm:')
        ? msg('It is named in BREAKWATER_PLUGINS and would be installed again: take it out of there, and restart.')
        : msg('It lies in BREAKWATER_PLUGINS_DIR and would be installed again: take it out of there first.');
    },
    discard: (pluginId) => void code.discard(pluginId),
  };
  return installer;
};
