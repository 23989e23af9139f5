import { lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { readViews } from '../../../host/read-views.ts';
import type { Plugin } from '../../../plugin.ts';
import { CommandError } from '../commands/command-error.ts';
import { type LoadedFolder, loadPlugin } from '../load-plugin.ts';
import { printReport, reaches } from '../print-report.ts';
import { type KitReport, runKit } from '../run-kit.ts';
import { type BuiltFile, buildManifest, ownVersion } from './build-manifest.ts';
import { bundle } from './bundle.ts';
import { MANIFEST_FILE } from './manifest-file.ts';
import { secretLiterals } from './secret-literals.ts';

export interface Build {
  readonly folder: string;
  readonly manifest: Awaited<ReturnType<typeof buildManifest>>;
}

const DOCUMENT = 'connector.json';
const MODULE = 'connector.js';
const README = ['README.md'];
const LICENCE = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'LICENCE', 'LICENCE.md', 'LICENCE.txt'];
/** Shorter pages say nothing. */
const SHORTEST_README = 40;

/**
 * Makes what is published of a connector's folder: its code in one module, or its document, with languages, README and licence, and a manifest.
 * The same folder gives the same bytes. Refuses what must not be published.
 * @param target a folder that is new, empty or holds an earlier build. @throws CommandError, UnreadablePlugin
 */
export async function buildConnector(folder: string, target: string): Promise<Build> {
  const root = resolve(folder);
  const out = resolve(root, target);
  await needReplaceable(out);
  const loaded = await loadPlugin(root);
  const { plugin, server } = loaded;
  const kind = loaded.document === undefined ? 'code' : 'document';
  const [readme, licence] = [await firstOf(root, README), await firstOf(root, LICENCE)];
  const own = kind === 'code' ? await codeFiles(root, loaded) : [await fileAt(root, DOCUMENT), packageFile(plugin, {})];
  const views = await viewFiles(root, plugin);
  const files = [...own, ...views, ...(await languageFiles(root)), ...present([readme, licence])];
  const issues = [
    ...(plugin.publisher === undefined ? ['the plugin names no publisher: set "publisher"'] : []),
    ...pictureIssues(loaded),
    ...(await readViews(root, plugin)).issues,
    ...(readme === undefined || readme.content.byteLength < SHORTEST_README
      ? ['README.md is missing or empty: say what the connector does, and which rights its credentials need']
      : []),
    ...(licence === undefined || licence.content.byteLength === 0
      ? ['LICENSE is missing: say how it may be used']
      : []),
    ...secretLiterals(files).map((place) => `${place}: secrets belong into the form`),
  ];
  refuse(issues);
  // last, because it takes the longest
  const report = await runKit(root, { upTo: 'gold' });
  refuse(tierIssues(report));
  const publisher = plugin.publisher ?? '';
  const manifest = await buildManifest({ plugin, publisher, server, kind, reports: report.connectors, files });
  await rm(out, { recursive: true, force: true });
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  for (const { path, content } of [...files, { path: MANIFEST_FILE, content: text }]) {
    await mkdir(dirname(join(out, path)), { recursive: true });
    await writeFile(join(out, path), content);
  }
  return { folder: out, manifest };
}

function refuse(issues: readonly string[]): void {
  if (issues.length === 0) return;
  throw new CommandError(`Nothing was built:\n${issues.map((issue) => `  ${issue}\n`).join('')}`);
}

/** Only what was built before may be deleted. */
async function needReplaceable(folder: string): Promise<void> {
  const names: readonly string[] = await readdir(folder).catch(() => []);
  if (names.length === 0 || names.includes(MANIFEST_FILE)) return;
  throw new CommandError(`${folder} holds something else than an earlier build: name another folder with --out.`);
}

async function codeFiles(root: string, { plugin, entryPoints }: LoadedFolder): Promise<BuiltFile[]> {
  const entries = {
    plugin: entryPoints?.['.'],
    parsers: entryPoints?.['./parsers'],
    server: entryPoints?.['./server'],
  };
  const code = await bundle(root, entries);
  const exports = Object.entries({ '.': entries.plugin, './parsers': entries.parsers, './server': entries.server });
  const named = exports.flatMap(([entry, file]) => (file === undefined ? [] : [[entry, `./${MODULE}`]]));
  const dependencies = { '@breakwater/sdk': `^${await ownVersion()}` };
  return [
    { path: MODULE, content: new TextEncoder().encode(code) },
    packageFile(plugin, { exports: Object.fromEntries(named), dependencies }),
  ];
}

/** What `npm pack` and `npm publish` read. */
function packageFile({ id, version }: Plugin, more: object): BuiltFile {
  const manifest = { name: `breakwater-plugin-${id}`, version, type: 'module', ...more };
  return { path: 'package.json', content: new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`) };
}

async function languageFiles(root: string): Promise<BuiltFile[]> {
  const names = await readdir(join(root, 'languages')).catch(() => []);
  const paths = names.filter((name) => name.endsWith('.json')).toSorted();
  return Promise.all(paths.map((name) => fileAt(root, `languages/${name}`)));
}

/** Two connectors may show the same page. What is wrong with one is said with all else. */
async function viewFiles(root: string, { connectors }: Plugin): Promise<BuiltFile[]> {
  const paths = new Set(connectors.flatMap(({ view }) => (view === undefined ? [] : [view.entry])));
  const files = [...paths].toSorted().map((path) => fileAt(root, path).catch(() => undefined));
  return present(await Promise.all(files));
}

async function firstOf(root: string, names: readonly string[]): Promise<BuiltFile | undefined> {
  const found = new Set(await readdir(root));
  const name = names.find((one) => found.has(one));
  return name === undefined ? undefined : fileAt(root, name);
}

/** A link would publish what it leads to, wherever that is. */
async function fileAt(root: string, path: string): Promise<BuiltFile> {
  const file = join(root, path);
  if (!(await lstat(file)).isFile()) throw new CommandError(`${path} is no file: put a copy there.`);
  return { path, content: await readFile(file) };
}

function present<T>(items: readonly (T | undefined)[]): T[] {
  return items.flatMap((item) => (item === undefined ? [] : [item]));
}

function pictureIssues({ plugin, document }: LoadedFolder): string[] {
  if (document !== undefined && document.image === undefined) {
    return ['connector.json has no "image": draw an SVG or PNG, and write it as a data address'];
  }
  return plugin.connectors
    .filter(({ image }) => !image.startsWith('data:'))
    .map(({ id, image }) => `${id} has the picture ${image}, which does not come along: write it as a data address`);
}

function tierIssues(report: KitReport): string[] {
  if (reaches(report, 'silver')) return [];
  const tiers = report.connectors.map(({ id, tier }) => `${id}: ${tier}`).join(', ');
  return [`silver is not reached (${tiers}):\n${printReport(report)}`];
}
