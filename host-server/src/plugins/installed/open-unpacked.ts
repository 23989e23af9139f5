import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { PluginTrust } from '@breakwater/core/platform/model/connector-catalogue.ts';
import type { HostParser, LanguageTable, Plugin, PluginServer } from '@breakwater/sdk';
import { readDocument } from '@breakwater/sdk/declarative';
import {
  checkManifestOfStranger,
  createMapper,
  type Described,
  openIsolated,
  readLanguages,
  readViews,
} from '@breakwater/sdk/host';
import { tablesOf } from '../load-languages.ts';
import { readEntries } from '../loader.ts';

/** A built plugin in a folder, ready to be used. */
export interface OpenedPlugin {
  readonly plugin: Plugin;
  readonly server: PluginServer | null;
  readonly parsers: readonly HostParser[];
  readonly trust: PluginTrust;
  /** HTML of the views of its connectors, by connector id. */
  readonly views: ReadonlyMap<string, string>;
  /** Its texts in other languages, by BCP 47; what does not fit is left out. */
  readonly languages: ReadonlyMap<string, LanguageTable>;
  /** Why others cannot be shown. */
  readonly viewIssues: readonly string[];
  /** What its process said of it; null for a document, which has none. */
  readonly described: Described | null;
  /** Ends its processes. */
  close(): void;
}

export interface OpenOptions {
  readonly kind: 'code' | 'document';
  readonly mayHaveNetwork: boolean;
  /** What was learnt when it was installed: none of its code runs until it is used. */
  readonly described?: Described;
}

const openDocument = async (folder: string): Promise<OpenedPlugin> => {
  const document: unknown = JSON.parse(await readFile(path.join(folder, 'connector.json'), 'utf8'));
  const { plugin, server, parsers, sentences } = readDocument(document, createMapper());
  checkManifestOfStranger(plugin, null);
  return {
    plugin,
    server,
    parsers,
    languages: tablesOf(await readLanguages(folder, plugin, { sentences, isComplete: true })),
    views: new Map(),
    viewIssues: [],
    trust: 'no_code',
    described: null,
    close: () => undefined,
  };
};

/** @param folder real path, with nothing beside the files of the build @throws PluginError, IsolationError, what its modules throw */
export const openUnpacked = async (
  folder: string,
  { kind, mayHaveNetwork, described }: OpenOptions,
): Promise<OpenedPlugin> => {
  if (kind === 'document') return openDocument(folder);
  const { manifest, parsers, server } = await readEntries(folder, path.basename(folder));
  const opened = await openIsolated({
    entries: { manifest, parsers, server },
    readable: [`${folder}${path.sep}`],
    mayHaveNetwork,
    isSdkProvided: true,
    ...(described === undefined ? {} : { described }),
  });
  const { views, issues: viewIssues } = await readViews(folder, opened.plugin);
  return {
    plugin: opened.plugin,
    server: opened.server,
    parsers: opened.parsers,
    trust: opened.described.isNetworkCut ? 'isolated' : 'exposed',
    languages: tablesOf(await readLanguages(folder, opened.plugin)),
    views,
    viewIssues,
    described: opened.described,
    close: () => opened.pool.close(),
  };
};
