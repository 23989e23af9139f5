/** Name of the manifest that `breakwater-connector build` writes. */
export const BUILD_MANIFEST = 'breakwater-build.json';

/** Entry points of a plugin package, as addresses for `import`. Source: sdk/README.md "Entry points". */
export interface PluginEntries {
  /** Folder or package name, for messages. */
  readonly name: string;
  readonly folder: string;
  /** `.`: the manifest; or `connector.json`, of a connector without code. */
  readonly manifest: string;
  /** `./parsers`: pure code for the process that parses. */
  readonly parsers: string | null;
  /** `./server`: code that talks to services. */
  readonly server: string | null;
}

/** A plugin, or a part of one, that could not be used, and why. */
export interface PluginIssue {
  readonly name: string;
  readonly reason: string;
}
