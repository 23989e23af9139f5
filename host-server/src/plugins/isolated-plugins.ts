import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readlink, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { LoadedPlugin } from '@breakwater/core/shell/plugins/index.ts';
import { type Described, type IsolationLimits, openIsolated } from '@breakwater/sdk/host';
import { loadLanguages } from './load-languages.ts';
import { loadViews } from './load-views.ts';
import type { PluginEntries, PluginIssue } from './plugin-entries.ts';
import { isBuild } from './sound-builds.ts';

/** How the plugins of a folder are run that the operator does not vouch for. */
export interface Isolation {
  /** Names of sub-folders whose code runs inside the server after all. */
  readonly trusted: readonly string[];
  /** Also runs what could not be cut off from the network. */
  readonly mayHaveNetwork: boolean;
  /** What another thread learnt of them, by name: nothing is started to hear it again. */
  readonly described?: Readonly<Record<string, Described>>;
  readonly limits?: Partial<IsolationLimits>;
}

export interface LoadedOutside {
  readonly loaded: LoadedPlugin | null;
  readonly issues: readonly PluginIssue[];
  readonly described: Described | null;
}

/** A link in the folder would open what it leads to: the permission to read follows it. @returns the first that leads outside */
const linkOutside = async (folder: string): Promise<string | null> => {
  const root = await realpath(folder);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (!entry.isSymbolicLink()) continue;
    const link = path.join(entry.parentPath, entry.name);
    const target = await realpath(link).catch(async () => path.resolve(entry.parentPath, await readlink(link)));
    if (target !== root && !target.startsWith(root + path.sep)) return path.relative(folder, link);
  }
  return null;
};

/** Loads a plugin of strangers: its modules are imported in a process of its own, never in this one. */
export const loadIsolated = async (entries: PluginEntries, isolation: Isolation): Promise<LoadedOutside> => {
  const { name, folder, manifest, parsers, server } = entries;
  const leftOut = (reason: string): LoadedOutside => ({ loaded: null, issues: [{ name, reason }], described: null });
  const known = isolation.described?.[name];
  if (isolation.described !== undefined && known === undefined) return { loaded: null, issues: [], described: null };
  try {
    const link = known === undefined ? await linkOutside(folder) : null;
    if (link !== null) return leftOut(`${link} is a link that leads out of its folder: put a copy there`);
    const opened = await openIsolated({
      entries: { manifest, parsers, server },
      readable: [`${await realpath(folder)}${path.sep}`],
      mayHaveNetwork: isolation.mayHaveNetwork,
      isSdkProvided: isBuild(entries),
      ...(known === undefined ? {} : { described: known }),
      ...(isolation.limits === undefined ? {} : { limits: isolation.limits }),
    });
    const trust = opened.described.isNetworkCut ? 'isolated' : 'exposed';
    const { languages, issues } = await loadLanguages(entries, opened.plugin);
    const { views, issues: viewIssues } = await loadViews(entries, opened.plugin);
    return {
      loaded: {
        plugin: opened.plugin,
        parsers: opened.parsers,
        server: opened.server,
        languages,
        views,
        trust,
        close: () => opened.pool.close(),
      },
      issues: [...opened.issues.map((reason) => ({ name, reason })), ...issues, ...viewIssues],
      described: opened.described,
    };
  } catch (error) {
    const cause =
      error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message.slice(0, 300)})` : '';
    return leftOut(`${error instanceof Error ? error.message : String(error)}${cause}`);
  }
};

let describedFile: string | undefined;

/** Keeps what was learnt of the plugins of strangers where the threads of this process find it. */
export const keepDescribed = (described: Readonly<Record<string, Described>>): void => {
  if (describedFile === undefined) {
    const folder = mkdtempSync(path.join(tmpdir(), 'breakwater-described-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    describedFile = path.join(folder, 'plugins.json');
  }
  writeFileSync(describedFile, JSON.stringify(described), { mode: 0o600 });
};

export const describedPath = (): string | undefined => describedFile;

/** What `keepDescribed` wrote in the thread that serves. */
export const readDescribed = (file: string): Readonly<Record<string, Described>> =>
  JSON.parse(readFileSync(file, 'utf8'));
