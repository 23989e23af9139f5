import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LoadedPlugin } from '@breakwater/core/shell/plugins/index.ts';
import { type Plugin, type PluginServer, type ReportParser, readManifest } from '@breakwater/sdk';
import { readDocument } from '@breakwater/sdk/declarative';
import { checkManifestOfStranger, createMapper, type Described } from '@breakwater/sdk/host';
import { type Isolation, loadIsolated } from './isolated-plugins.ts';
import { loadLanguages } from './load-languages.ts';
import { loadViews } from './load-views.ts';
import type { PluginEntries, PluginIssue } from './plugin-entries.ts';
import { property } from './property.ts';

/**
 * A plugin whose modules are not there after this time is left out; its top level may not wait for anything. Wide, because a busy machine
 * takes a minute to read and strip the code of ours.
 */
const IMPORT_TIMEOUT_MS = 120_000;
/** After this time it is said which one is waited for. */
const SLOW_IMPORT_MS = 10_000;

const DOCUMENT = 'connector.json';

/** Which code of the plugins this process needs besides their manifests. */
export interface PluginCodeNeeded {
  readonly parsers: boolean;
  readonly server: boolean;
  /** Default 120 s. */
  readonly importTimeoutMs?: number;
  /** Default 10 s. */
  readonly slowImportMs?: number;
  /** Called while the modules of a plugin are still waited for after `slowImportMs`; at most once for each. */
  readonly onSlowImport?: (name: string) => void;
}

/** Imports plugins. One that is broken is reported and left out; the others are not touched by it. Order is kept. */
export async function loadPlugins(
  entries: readonly PluginEntries[],
  needed: PluginCodeNeeded,
  isolation?: Isolation,
): Promise<{ plugins: LoadedPlugin[]; issues: PluginIssue[]; described: Record<string, Described> }> {
  const outcomes = await Promise.all(
    entries.map(async (entry) => ({ name: entry.name, ...(await loadWhere(entry, needed, isolation)) })),
  );
  return {
    plugins: outcomes.flatMap((outcome) => (outcome.loaded ? [outcome.loaded] : [])),
    issues: outcomes.flatMap((outcome) => outcome.issues),
    described: Object.fromEntries(
      outcomes.flatMap(({ name, described }) => (described === null ? [] : [[name, described]])),
    ),
  };
}

/** In this process what the operator or we vouch for, outside of it all else. */
async function loadWhere(entry: PluginEntries, needed: PluginCodeNeeded, isolation: Isolation | undefined) {
  const isOfStranger = isolation !== undefined && !isolation.trusted.includes(entry.name);
  if (isOfStranger && isDocument(entry.manifest)) return loadDocumentOfStranger(entry);
  if (isOfStranger) return loadIsolated(entry, isolation);
  const { loaded, issues } = await loadOne(entry, needed);
  const isTrusted = loaded !== null && isolation !== undefined;
  return { loaded: isTrusted ? { ...loaded, trust: 'trusted' as const } : loaded, issues, described: null };
}

async function loadOne(
  entries: PluginEntries,
  needed: PluginCodeNeeded,
): Promise<{ loaded: LoadedPlugin | null; issues: PluginIssue[] }> {
  const { name } = entries;
  if (isDocument(entries.manifest)) return loadDocument(entries);
  const timeoutMs = needed.importTimeoutMs ?? IMPORT_TIMEOUT_MS;
  const load = (url: string, exported: string) => importName(url, exported, timeoutMs);
  const slow = setTimeout(() => needed.onSlowImport?.(name), needed.slowImportMs ?? SLOW_IMPORT_MS);
  try {
    const plugin = readManifest(await load(entries.manifest, 'plugin'));
    const { parsers, reasons } =
      needed.parsers && entries.parsers !== null
        ? acceptParsers(plugin, await load(entries.parsers, 'parsers'))
        : { parsers: [], reasons: [] };
    const server =
      needed.server && entries.server !== null ? acceptServer(plugin, await load(entries.server, 'server')) : null;
    const { languages, issues } = await loadLanguages(entries, plugin);
    const views = needed.server ? await loadViews(entries, plugin) : undefined;
    return {
      loaded: { plugin, parsers, server, languages, ...(views && { views: views.views }) },
      issues: [...reasons.map((reason) => ({ name, reason })), ...issues, ...(views?.issues ?? [])],
    };
  } catch (error) {
    return { loaded: null, issues: [{ name, reason: error instanceof Error ? error.message : String(error) }] };
  } finally {
    clearTimeout(slow);
  }
}

const isDocument = (url: string): boolean => url.endsWith(`/${DOCUMENT}`);

/** A connector without code: what it says is evaluated in a worker, and nothing of it runs here. */
async function loadDocument(entries: PluginEntries): Promise<{ loaded: LoadedPlugin | null; issues: PluginIssue[] }> {
  const { name, manifest } = entries;
  try {
    const read = readDocument(JSON.parse(await readFile(new URL(manifest), 'utf8')), createMapper());
    const { plugin, server, parsers, sentences } = read;
    const { languages, issues } = await loadLanguages(entries, plugin, { sentences, isComplete: true });
    return { loaded: { plugin, server, parsers, languages }, issues };
  } catch (error) {
    return { loaded: null, issues: [{ name, reason: error instanceof Error ? error.message : String(error) }] };
  }
}

async function loadDocumentOfStranger(entry: PluginEntries) {
  const { loaded, issues } = await loadDocument(entry);
  try {
    if (loaded !== null) checkManifestOfStranger(loaded.plugin, null);
    const trust = 'no_code' as const;
    return { loaded: loaded === null ? null : { ...loaded, trust }, issues, described: null };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { loaded: null, issues: [{ name: entry.name, reason }], described: null };
  }
}

async function importName(url: string, exported: string, timeoutMs: number): Promise<unknown> {
  const module: unknown = await withTimeout(import(url), url, timeoutMs);
  const value = property(module, exported);
  if (value === undefined) throw new Error(`${url} does not export "${exported}"`);
  return value;
}

async function withTimeout<T>(work: Promise<T>, what: string, timeoutMs: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`${what} did not load within ${timeoutMs} ms`)), timeoutMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Keeps the parsers that the manifest announces. What is announced without code, or coded without being announced, is said. */
function acceptParsers(plugin: Plugin, value: unknown): { parsers: ReportParser[]; reasons: string[] } {
  const candidates: unknown[] = Array.isArray(value) ? value : [];
  const sound = candidates.filter(isReportParser);
  const announced = new Set(plugin.importers.map((importer) => importer.tool));
  const parsers = sound.filter((parser) => announced.has(parser.tool));
  const coded = new Set(parsers.map((parser) => parser.tool));
  return {
    parsers,
    reasons: [
      ...(Array.isArray(value) ? [] : ['"parsers" is not a list']),
      ...(sound.length < candidates.length ? ['"parsers" holds something that is no ReportParser'] : []),
      ...sound
        .filter((parser) => !announced.has(parser.tool))
        .map((parser) => `importer "${parser.tool}" is not in the manifest`),
      ...[...announced].filter((tool) => !coded.has(tool)).map((tool) => `importer "${tool}" has no parser`),
      ...(coded.size < parsers.length ? ['two parsers have the same tool'] : []),
    ],
  };
}

function isReportParser(value: unknown): value is ReportParser {
  return (
    typeof property(value, 'tool') === 'string' &&
    Array.isArray(property(value, 'formats')) &&
    typeof property(value, 'recognise') === 'function' &&
    typeof property(value, 'parse') === 'function'
  );
}

function acceptServer(plugin: Plugin, value: unknown): PluginServer {
  if (!isPluginServer(value)) throw new Error('"server" was not made by defineServer');
  if (value.pluginId !== plugin.id) throw new Error(`"server" belongs to plugin "${value.pluginId}"`);
  return value;
}

function isPluginServer(value: unknown): value is PluginServer {
  const connectors = property(value, 'connectors');
  return typeof property(value, 'pluginId') === 'string' && typeof connectors === 'object' && connectors !== null;
}

/**
 * Finds the plugins under a folder: each sub-folder with a connector.json, or whose package.json says what `import` would give. Sorted by
 * folder name.
 */
export async function discoverPlugins(folder: string): Promise<{ entries: PluginEntries[]; issues: PluginIssue[] }> {
  const found = await readdir(folder, { withFileTypes: true });
  const names = found
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
    .map((entry) => entry.name);
  const entries: PluginEntries[] = [];
  const issues: PluginIssue[] = [];
  for (const name of names.toSorted()) {
    try {
      entries.push(await readEntries(join(folder, name), name));
    } catch (error) {
      issues.push({ name, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return { entries, issues };
}

/** Entry points of one folder. @throws where it is no plugin */
export async function readEntries(folder: string, name: string): Promise<PluginEntries> {
  const document = join(folder, DOCUMENT);
  if (existsSync(document))
    return { name, folder, manifest: pathToFileURL(document).href, parsers: null, server: null };
  const parsed: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const entry = (key: string) => {
    const target = property(property(parsed, 'exports'), key);
    return typeof target === 'string' ? pathToFileURL(join(folder, target)).href : null;
  };
  const manifest = entry('.');
  if (manifest === null) throw new Error('package.json names no manifest: exports["."] must be a path');
  return { name, folder, manifest, parsers: entry('./parsers'), server: entry('./server') };
}
