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
  /** Different names of one ecosystem. */
  names: 50_000,
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

/** What is to be read below a folder, in the order of paths. Links are not followed. */
async function* walk(root: string, folder: string, depth: number): AsyncGenerator<Found> {
  if (depth > LIMITS.depth) return;
  const entries = [];
  for await (const entry of await opendir(path.join(root, folder))) entries.push(entry);
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const file = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory() && !FOREIGN_FOLDERS.has(entry.name)) yield* walk(root, file, depth + 1);
    if (entry.isFile()) yield { file, name: entry.name };
  }
}

interface Collected {
  imports: Map<string, { files: Set<string>; path: string; line: number }>;
  declared: string[] | undefined;
  aliases: Record<string, string>;
  isDynamic: boolean;
  isComplete: boolean;
  /** Every manifest could be read. */
  isDeclaredWhole: boolean;
  sources: number;
}

const emptyCollection = (): Collected => ({
  ...{ imports: new Map(), declared: undefined, aliases: {}, isDynamic: false, isComplete: true },
  ...{ isDeclaredWhole: true, sources: 0 },
});

const addImports = (collected: Collected, file: string, { imports, isDynamic }: SourceImports): void => {
  collected.sources += 1;
  collected.isDynamic ||= isDynamic;
  for (const { name, line } of imports) {
    const known = collected.imports.get(name);
    if (known !== undefined) known.files.add(file);
    else if (collected.imports.size < LIMITS.names)
      collected.imports.set(name, { files: new Set([file]), path: file, line });
    else collected.isComplete = false;
  }
};

const addManifest = (collected: Collected, name: string, text: string): void => {
  const manifest = readManifest(name, text);
  if (manifest === undefined) {
    collected.isDeclaredWhole = false;
    return;
  }
  collected.declared = [...(collected.declared ?? []), ...manifest.declared];
  Object.assign(collected.aliases, manifest.aliases);
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
  declared:
    collected.isDeclaredWhole && collected.declared !== undefined ? [...new Set(collected.declared)].sort() : undefined,
  aliases: collected.aliases,
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
  let files = 0;
  for await (const { file, name } of walk(root, '', 0)) {
    signal.throwIfAborted();
    const grammar = /\.d\.[cm]?ts$/i.test(name) ? undefined : GRAMMAR_OF[path.extname(name).toLowerCase()];
    const declaring = manifestEcosystem(name);
    if (grammar === undefined && declaring === undefined) continue;
    files += 1;
    const { size } = await lstat(path.join(root, file));
    const isTooMuch = files > LIMITS.files || size > LIMITS.fileBytes;
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
