import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ConnectorDocument } from '../../declarative/document.ts';
import { readDocument } from '../../declarative/read-document.ts';
import type { ReportParser } from '../../findings/report-parser.ts';
import { createMapper } from '../../host/mapping/mapper.ts';
import type { PluginSentences } from '../../languages/language-table.ts';
import { type Plugin, PluginError, readManifest } from '../../plugin.ts';
import { refusalOf } from '../../sdk-api.ts';
import type { PluginServer } from '../../server.ts';
import type { Fixtures } from '../fixtures.ts';
import { readFixtures } from '../read-fixtures.ts';
import { MANIFEST_FILE } from './build/manifest-file.ts';
import type { KitIssue } from './check.ts';
import { type OutsideWatch, watched } from './service/outside-watch.ts';

/** A plugin as its folder gives it. */
export interface LoadedFolder {
  readonly plugin: Plugin;
  readonly parsers: readonly ReportParser[];
  readonly server: PluginServer | undefined;
  readonly fixtures: Fixtures;
  /** Files behind the entry points, below the folder. */
  readonly entries: readonly string[];
  /** The entry points of a plugin with code. */
  readonly entryPoints?: EntryPoints;
  /** What stands in `connector.json`, of a connector without code. */
  readonly document?: ConnectorDocument;
  /** What a connector without code may say besides its manifest. */
  readonly sentences?: PluginSentences;
  /** The modules that can be loaded a second time, in a process of their own. */
  readonly modules?: { readonly manifest: string; readonly server: string };
  /** What is wrong, but leaves something to test. */
  readonly issues: readonly KitIssue[];
}

/** The folder holds nothing that could be tested. */
export class UnreadablePlugin extends Error {
  readonly issues: readonly KitIssue[];

  constructor(issues: readonly KitIssue[]) {
    super(issues.map(({ what }) => what).join('; '));
    this.name = 'UnreadablePlugin';
    this.issues = issues;
  }
}

/**
 * Reads a plugin and its conformance.json: connector.json where there is one, else package.json and the entry points.
 * @throws UnreadablePlugin
 */
export async function loadPlugin(folder: string): Promise<LoadedFolder> {
  const refusal = await refusalOfBuild(folder);
  if (refusal !== null)
    throw new UnreadablePlugin([{ what: refusal, where: MANIFEST_FILE, fix: 'See the changelog of the SDK.' }]);
  const text = await readFile(join(folder, DOCUMENT), 'utf8').catch(() => undefined);
  return text === undefined ? loadPackage(folder) : loadDocument(folder, text);
}

const DOCUMENT = 'connector.json';

/** Of a folder that was built: its code may be of another major version than this SDK. */
async function refusalOfBuild(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch(() => undefined);
  if (text === undefined) return null;
  try {
    const build: unknown = JSON.parse(text);
    return refusalOf(Reflect.get(Object(build), 'sdk'));
  } catch {
    return null;
  }
}

async function loadDocument(folder: string, text: string): Promise<LoadedFolder> {
  try {
    const { plugin, server, parsers, sentences, document } = readDocument(JSON.parse(text), createMapper());
    const { fixtures, issues } = await fixturesOf(folder, plugin);
    const known = { sentences, isComplete: true };
    return { plugin, parsers, server, fixtures, entries: [], document, sentences: known, issues };
  } catch (error) {
    const issues = error instanceof PluginError ? error.issues : [wordsOf(error)];
    throw new UnreadablePlugin(
      issues.map((what) => ({ what, where: DOCUMENT, fix: 'See "Without code" in the author guide.' })),
    );
  }
}

async function loadPackage(folder: string): Promise<LoadedFolder> {
  const manifest = await readJson(join(folder, 'package.json'), 'Write a package.json with type "module" and exports.');
  const entries = entryPoints(manifest);
  const watch: OutsideWatch = { allowed: new Set(), attempts: [], prints: [] };
  const take = (entry: keyof typeof entries, name: string) =>
    watched(watch, () => exported(folder, entries[entry], name, entry));
  const plugin = readPlugin(await take('.', 'plugin'));
  const parsers = entries['./parsers'] === undefined ? [] : await take('./parsers', 'parsers');
  const server = entries['./server'] === undefined ? undefined : await take('./server', 'server');
  const { fixtures, issues } = await fixturesOf(folder, plugin);
  return {
    plugin,
    parsers: Array.isArray(parsers) ? parsers.filter(isParser) : [],
    server: isServer(server) ? server : undefined,
    fixtures,
    entries: [...new Set(Object.values(entries).filter((file) => file !== undefined))],
    entryPoints: entries,
    ...modulesOf(entries),
    issues: [
      ...issues,
      ...(server === undefined || isServer(server) ? [] : [NO_SERVER]),
      ...watch.attempts.map((attempt) => ({
        what: `importing the plugin ${attempt}`,
        where: 'top level of its modules',
        fix: 'Importing a plugin must do nothing: move this into a function.',
      })),
    ],
  };
}

function modulesOf(entries: EntryPoints): Pick<LoadedFolder, 'modules'> {
  const { '.': manifest, './server': server } = entries;
  return manifest === undefined || server === undefined ? {} : { modules: { manifest, server } };
}

const NO_SERVER: KitIssue = {
  what: '"server" was not made by defineServer',
  where: 'package.json, exports["./server"]',
  fix: 'Export const server = defineServer(plugin, { … }).',
};

function isServer(value: unknown): value is PluginServer {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pluginId' in value &&
    'connectors' in value &&
    typeof value.connectors === 'object'
  );
}

function isParser(value: unknown): value is ReportParser {
  return typeof value === 'object' && value !== null && 'tool' in value && 'parse' in value && 'recognise' in value;
}

async function readJson(file: string, fix: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new UnreadablePlugin([{ what: `cannot be read: ${wordsOf(error)}`, where: file, fix }]);
  }
}

interface EntryPoints {
  readonly '.': string | undefined;
  readonly './parsers': string | undefined;
  readonly './server': string | undefined;
}

function entryPoints(manifest: unknown): EntryPoints {
  const exports = at(manifest, 'exports');
  const file = (key: string) => {
    const target = at(exports, key);
    return typeof target === 'string' ? target : undefined;
  };
  return { '.': file('.'), './parsers': file('./parsers'), './server': file('./server') };
}

async function exported(folder: string, file: string | undefined, name: string, entry: string): Promise<unknown> {
  const where = `package.json, exports["${entry}"]`;
  if (file === undefined) {
    throw new UnreadablePlugin([{ what: 'names no manifest', where, fix: 'Let it be the path of src/plugin.ts.' }]);
  }
  try {
    const module: unknown = await import(pathToFileURL(join(folder, file)).href);
    const value = at(module, name);
    if (value !== undefined) return value;
  } catch (error) {
    if (error instanceof Error && error.name === 'PluginError') throw unreadableManifest(error);
    throw new UnreadablePlugin([{ what: `cannot be imported: ${wordsOf(error)}`, where: file, fix: 'Correct it.' }]);
  }
  throw new UnreadablePlugin([{ what: `exports no "${name}"`, where: file, fix: `Export const ${name} = ….` }]);
}

function readPlugin(value: unknown): Plugin {
  try {
    return readManifest(value);
  } catch (error) {
    if (error instanceof PluginError) throw unreadableManifest(error);
    throw error;
  }
}

/** Also of another copy of this package. */
function unreadableManifest(error: Error): UnreadablePlugin {
  const listed = at(error, 'issues');
  const issues: unknown[] = Array.isArray(listed) ? listed : [error.message];
  return new UnreadablePlugin(
    issues.map((issue) => ({ what: String(issue), where: 'manifest', fix: 'Correct what definePlugin is given.' })),
  );
}

async function fixturesOf(folder: string, plugin: Plugin): Promise<{ fixtures: Fixtures; issues: KitIssue[] }> {
  const file = join(folder, 'conformance.json');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return { fixtures: { connectors: {} }, issues: [] };
  const fix = 'See "conformance.json" in the author guide.';
  try {
    const read = readFixtures(JSON.parse(text), plugin);
    if ('fixtures' in read) return { fixtures: read.fixtures, issues: [] };
    const issues = read.issues.map((what) => ({ what, where: 'conformance.json', fix }));
    return { fixtures: { connectors: {} }, issues };
  } catch (error) {
    return {
      fixtures: { connectors: {} },
      issues: [{ what: wordsOf(error), where: 'conformance.json', fix: 'It must be JSON.' }],
    };
  }
}

function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
