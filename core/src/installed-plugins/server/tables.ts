import type { Generated } from 'kysely';
import type { ShownConnector } from '../model/plugin-permissions.ts';

/** A plugin that was installed while the server ran. */
export interface InstalledPluginsTable {
  id: string;
  is_offered: Generated<boolean>;
  reason: Generated<string>;
  installed_at: Generated<Date>;
}

/** Every version; never changed. `connectors` is written as JSON text. */
export interface InstalledPluginVersionsTable {
  plugin_id: string;
  number: number;
  version: string;
  publisher: string;
  tier: string;
  kind: 'code' | 'document';
  source: string;
  hosts: string[];
  reveals: string[];
  views: string[];
  connectors: ShownConnector[] | string;
  described: string | null;
  archive: Uint8Array;
  sha256: string;
  installed_at: Generated<Date>;
}

/** What an organisation enabled, with what its admin approved. */
export interface EnabledPluginsTable {
  client_id: string;
  plugin_id: string;
  publisher: string;
  hosts: string[];
  reveals: string[];
  views: string[];
  held_at: number | null;
  enabled_at: Generated<Date>;
}

declare module '../../platform/server/database.ts' {
  interface Database {
    installed_plugins: InstalledPluginsTable;
    installed_plugin_versions: InstalledPluginVersionsTable;
    enabled_plugins: EnabledPluginsTable;
  }
}
