import { lstat, opendir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { COVERED_ECOSYSTEMS, type CoveredEcosystem, type EcosystemImports } from '../../model/package-use.ts';
import type { Grammar } from './grammars.ts';
import { manifestEcosystem, readManifest } from './manifests.ts';
import { readSourceImports, type SourceImports } from './source-imports.ts';

export const LIMITS = {
  /** Source files and manifests that are read. */
  files: 20_000,
  /** A larger file is generated or bundled. */
  fileBytes: 1024 * 1024,
  /** Folders inside each other. */
  depth: 40,
  /** Different names of one ecosystem, imported or declared. */
  names: 50_000,
  /** No package has a longer name; what follows is the path of a file in it. */
  nameChars: 300,
} as const;

/** Folders that hold the code of others or what was built. */
const FOREIGN_FOLDERS = new Set([
  ...['node_modules', 'bower_components', 'jspm_packages', 'vendor', 'third_party', 'site-packages', '__pycache__'],
  ...[
    '.git',
    '.hg',
    '.svn',
    '.venv',
    'venv',
    '.tox',
    '.yarn',
    '.pnpm-store',
    '.gradle',
    '.mvn',
    'target',
    '.next',
    '.nuxt',
  ],
]);

const GRAMMAR_OF: Readonly<Record<string, Grammar>> = {
  ...{ '.js': 'tsx', '.jsx': 'tsx', '.mjs': 'tsx', '.cjs': 'tsx', '.tsx': 'tsx' },
  ...{ '.ts': 'typescript', '.mts': 'typescript', '.cts': 'typescript', '.vue': 'typescript', '.svelte': 'typescript' },
  ...{ '.py': 'python', '.pyw': 'python', '.java': 'java', '.go': 'go' },
};

interface Found {
  file: string;
  name: string;
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENAMETOOLONG');

/** Undefined where there is nothing of that name: bytes that are no UTF-8 are read as other characters. */
const unlessMissing = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};

/** What is to be read below a folder, in the order of paths; undefined for a folder that is left out. Links are not followed. */
async function* walk(root: string, folder = '', depth = 0): AsyncGenerator<Found | undefined> {
  const entries = [];
  const opened = folder === '' ? await opendir(root) : await unlessMissing(opendir(path.join(root, folder)));
  if (opened === undefined || depth > LIMITS.depth) {
    await opened?.close();
    yield undefined;
    return;
  }
  for await (const entry of opened) entries.push(entry);
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const file = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory() && !FOREIGN_FOLDERS.has(entry.name)) yield* walk(root, file, depth + 1);
    if (entry.isFile()) yield { file, name: entry.name };
  }
}

interface Collected {
  imports: Map<string, { files: Set<string>; path: string; line: number }>;
  declared: Set<string> | undefined;
  aliases: Map<string, string>;
  isDynamic: boolean;
  isComplete: boolean;
  /** Every manifest could be read. */
  isDeclaredWhole: boolean;
  sources: number;
}

const emptyCollection = (): Collected => ({
  ...{ imports: new Map(), declared: undefined, aliases: new Map(), isDynamic: false, isComplete: true },
  ...{ isDeclaredWhole: true, sources: 0 },
});

const addImports = (collected: Collected, file: string, { imports, isDynamic }: SourceImports): void => {
  collected.sources += 1;
  collected.isDynamic ||= isDynamic;
  for (const { name: written, line } of imports) {
    // PostgreSQL stores no NUL, and no package is named with one
    if (written.includes('\0')) continue;
    const name = written.slice(0, LIMITS.nameChars);
    const known = collected.imports.get(name);
    if (known !== undefined) known.files.add(file);
    else if (collected.imports.size < LIMITS.names)
      collected.imports.set(name, { files: new Set([file]), path: file, line });
    else collected.isComplete = false;
  }
};

const isStorable = (name: string): boolean => name.length <= LIMITS.nameChars && !name.includes('\0');

const addManifest = (collected: Collected, name: string, text: string): void => {
  const manifest = readManifest(name, text);
  if (manifest === undefined) {
    collected.isDeclaredWhole = false;
    return;
  }
  collected.declared ??= new Set();
  for (const declared of manifest.declared.filter(isStorable)) {
    if (collected.declared.size < LIMITS.names) collected.declared.add(declared);
    else collected.isDeclaredWhole = false;
  }
  for (const [alias, real] of Object.entries(manifest.aliases)) {
    if (!isStorable(alias) || !isStorable(real)) continue;
    if (collected.aliases.size < LIMITS.names) collected.aliases.set(alias, real);
    else collected.isComplete = false;
  }
};

const blank = (text: string): string => text.replace(/[^\n]/g, '');

/** The scripts of a component file, their lines where they were. */
const scriptOf = (text: string): string => {
  const opening = /<script/gi;
  const closing = /<\/script/gi;
  let scripts = '';
  let at = 0;
  for (let found = opening.exec(text); found !== null; found = opening.exec(text)) {
    const open = text.indexOf('>', found.index);
    if (open < 0) break;
    closing.lastIndex = open;
    const end = closing.exec(text)?.index ?? text.length;
    scripts += blank(text.slice(at, open + 1)) + text.slice(open + 1, end);
    at = end;
    opening.lastIndex = end;
  }
  return scripts;
};

const resultOf = (ecosystem: CoveredEcosystem, collected: Collected): EcosystemImports => ({
  ecosystem,
  imports: [...collected.imports].map(([name, { files, ...first }]) => ({ name, files: files.size, ...first })),
  declared: collected.isDeclaredWhole && collected.declared !== undefined ? [...collected.declared].sort() : undefined,
  aliases: Object.fromEntries(collected.aliases),
  isDynamic: collected.isDynamic,
  isComplete: collected.isComplete,
});

const ecosystemOf = (grammar: Grammar): CoveredEcosystem => {
  if (grammar === 'python') return 'pypi';
  if (grammar === 'java') return 'maven';
  return grammar === 'go' ? 'golang' : 'npm';
};

/**
 * What the source below a folder imports, for each ecosystem that has a source file or a manifest in it. Reads only; nothing in the folder is
 * run and links are not followed. @throws AbortError
 */
export const analyseFolder = async (root: string, signal: AbortSignal): Promise<EcosystemImports[]> => {
  const all = new Map(COVERED_ECOSYSTEMS.map((ecosystem) => [ecosystem, emptyCollection()]));
  const collectionOf = (ecosystem: CoveredEcosystem): Collected => all.get(ecosystem) ?? emptyCollection();
  const leaveOut = (): void => {
    for (const collected of all.values()) collected.isComplete = false;
  };
  let files = 0;
  for await (const found of walk(root)) {
    signal.throwIfAborted();
    if (found === undefined) {
      leaveOut();
      continue;
    }
    const { file, name } = found;
    const grammar = /\.d\.[cm]?ts$/i.test(name) ? undefined : GRAMMAR_OF[path.extname(name).toLowerCase()];
    const declaring = manifestEcosystem(name);
    if (grammar === undefined && declaring === undefined) continue;
    files += 1;
    const size = (await unlessMissing(lstat(path.join(root, file))))?.size ?? Number.NaN;
    const isTooMuch = files > LIMITS.files || !(size <= LIMITS.fileBytes);
    if (declaring !== undefined) {
      if (isTooMuch) collectionOf(declaring).isDeclaredWhole = false;
      else addManifest(collectionOf(declaring), name, await readFile(path.join(root, file), 'utf8'));
    }
    if (grammar === undefined) continue;
    const collected = collectionOf(ecosystemOf(grammar));
    // a bundle in the repository is somebody else's code: it neither imports for the application nor hides what it imports
    if (size > LIMITS.fileBytes) continue;
    if (isTooMuch) {
      collected.isComplete = false;
      continue;
    }
    const text = await readFile(path.join(root, file), 'utf8');
    const source = /\.(?:vue|svelte)$/i.test(name) ? scriptOf(text) : text;
    addImports(collected, file, await readSourceImports({ grammar, text: source }));
  }
  return [...all]
    .filter(([, collected]) => collected.sources > 0)
    .map(([ecosystem, collected]) => resultOf(ecosystem, collected));
};
