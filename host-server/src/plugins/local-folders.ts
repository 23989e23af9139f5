import type { CatalogueEntry } from '@breakwater/core/platform/model/connector-catalogue.ts';
import type { PluginRegistry } from '@breakwater/core/shell/plugins/index.ts';
import type { Config } from '../config.ts';

/** The card of local folders is disabled until the operator names some. */
export const withLocalFolders = (
  plugins: PluginRegistry,
  { localFolders }: Pick<Config, 'localFolders'>,
): PluginRegistry => {
  if (localFolders.length === 0) return plugins;
  const allow = (entry: CatalogueEntry): CatalogueEntry => {
    if (entry.connector.id !== 'local') return entry;
    const { disabled: _, ...connector } = entry.connector;
    return { ...entry, connector };
  };
  const allowed = (entry: CatalogueEntry | null): CatalogueEntry | null => (entry === null ? null : allow(entry));
  return {
    ...plugins,
    entries: () => plugins.entries().map(allow),
    entriesOf: (clientId) => plugins.entriesOf(clientId).map(allow),
    entry: (id) => allowed(plugins.entry(id)),
    entryAt: (address) => allowed(plugins.entryAt(address)),
  };
};

/** Why nobody can use a source control; null where they can. */
export const disabledReasonOf =
  (plugins: PluginRegistry) =>
  (sourceControl: string): string | null =>
    plugins.entry(sourceControl)?.connector.disabled?.reason ?? null;
