import type { ReportTools } from '@breakwater/core/platform/model/connector-catalogue.ts';
import { openRegistry, pluginFolders } from './open-registry.ts';

/** Where the address of this module names the operator's own folder of plugins. */
const FOLDER_PARAMETER = 'plugins';

/** Address by which a parse worker imports this module. */
export const parseToolsModule = (pluginsDirectory: string | undefined): string => {
  const url = new URL(import.meta.url);
  if (pluginsDirectory !== undefined) url.searchParams.set(FOLDER_PARAMETER, pluginsDirectory);
  return url.href;
};

/**
 * The importers for a parse worker thread: manifests and parsers, nothing that talks to services. A worker of a slice gets this
 * module's address from the composition root and imports it, because slices may not import the host.
 */
export async function openReportTools(): Promise<ReportTools> {
  const ownFolder = new URL(import.meta.url).searchParams.get(FOLDER_PARAMETER) ?? undefined;
  const { registry } = await openRegistry({ parsers: true, server: false }, pluginFolders(ownFolder));
  return registry;
}
