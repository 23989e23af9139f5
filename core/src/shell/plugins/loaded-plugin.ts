import type { Plugin, PluginServer, ReportParser } from '@breakwater/sdk';

/** A plugin as the loader hands it over: its manifest, and the code this process needs. */
export interface LoadedPlugin {
  readonly plugin: Plugin;
  /** From the plugin's `./parsers` entry; empty where the process does not parse. */
  readonly parsers: readonly ReportParser[];
  /** From the plugin's `./server` entry; null where the process does not talk to services. */
  readonly server: PluginServer | null;
}
