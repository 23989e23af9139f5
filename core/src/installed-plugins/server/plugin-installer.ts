import type { ShownConnector } from '../model/plugin-permissions.ts';

/** A plugin that was read, checked and described, ready to be stored. */
export interface InstallablePlugin {
  readonly id: string;
  readonly version: string;
  readonly publisher: string;
  readonly tier: string;
  readonly kind: 'code' | 'document';
  readonly hosts: readonly string[];
  readonly reveals: readonly string[];
  /** Ids of its connectors that have a page of their own. */
  readonly views: readonly string[];
  readonly connectors: readonly ShownConnector[];
  /** What its process said of it; null for a document. */
  readonly described: unknown;
  /** The archive as it came. */
  readonly archive: Uint8Array;
  /** Of the archive, hexadecimal. */
  readonly sha256: string;
}

/** A package of an npm registry. */
export interface FetchedPackage {
  readonly archive: Uint8Array;
  /** `npm:@acme/scan@1.2.0` */
  readonly source: string;
}

/** What the slice needs of the host: archives, processes and the registry. Implemented by the composition root. */
export interface PluginInstaller {
  /** Largest archive, in bytes. */
  readonly maxBytes: number;
  /**
   * Reads an archive: every file is what its manifest says, and its code, run once in a process of its own, says what the manifest says.
   * @throws AppError validation_failed, too_many_requests
   */
  read(archive: Uint8Array): Promise<InstallablePlugin>;
  /** @throws AppError validation_failed, upstream_failed */
  fetch(wanted: { package: string; version?: string | undefined }, signal: AbortSignal): Promise<FetchedPackage>;
  /** Why a plugin would come back by itself after it was deleted, in words; null where it would not. */
  keptBy(source: string): Promise<string | null>;
  /** Deletes what this process keeps of it outside of the database. */
  discard(pluginId: string): void;
}
