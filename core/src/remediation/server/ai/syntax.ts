import type treeSitter from '@vscode/tree-sitter-wasm';
import { SaxesParser } from 'saxes';
import { parse as parseToml } from 'smol-toml';
import { parseAllDocuments } from 'yaml';
import { type Sentence, say } from '../../../platform/model/sentence.ts';
import { loadLanguage, openParser } from '../../../reachability/server/index.ts';

/** Grammar of tree-sitter by the end of a file's name; JavaScript is read with that of `tsx`, which knows all of it. */
const GRAMMARS: Readonly<Record<string, string>> = {
  ...{ ts: 'typescript', mts: 'typescript', cts: 'typescript' },
  ...{ tsx: 'tsx', jsx: 'tsx', js: 'tsx', mjs: 'tsx', cjs: 'tsx' },
  ...{ py: 'python', java: 'java', go: 'go', rs: 'rust', rb: 'ruby', php: 'php', cs: 'c-sharp', css: 'css' },
  ...{ c: 'cpp', h: 'cpp', cc: 'cpp', cpp: 'cpp', cxx: 'cpp', hpp: 'cpp' },
  ...{ sh: 'bash', bash: 'bash', ps1: 'powershell' },
};

const readXml = (text: string): void => {
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(text).close();
};

const readYaml = (text: string): void => {
  for (const document of parseAllDocuments(text)) {
    const [error] = 'errors' in document ? document.errors : [];
    if (error !== undefined) throw error;
  }
};

/** Formats whose own parser throws. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  json: (text) => JSON.parse(text),
  toml: parseToml,
  xml: readXml,
  yaml: readYaml,
  yml: readYaml,
};

/** What was found wrong. */
interface Faults {
  count: number;
  /** Of the first, from 1. */
  line: number;
}

const extensionOf = (path: string): string => /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';

const languages = new Map<string, Promise<treeSitter.Language>>();

const languageOf = (grammar: string): Promise<treeSitter.Language> => {
  const known = languages.get(grammar) ?? loadLanguage(grammar);
  languages.set(grammar, known);
  return known;
};

/** Only branches with an error are walked. */
const faultsBelow = (root: treeSitter.Node): Faults => {
  const faults: Faults = { count: 0, line: 1 };
  const waiting = root.hasError ? [root] : [];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.isError || node.isMissing) {
      const line = node.startPosition.row + 1;
      faults.line = faults.count === 0 ? line : Math.min(faults.line, line);
      faults.count += 1;
    }
    for (const child of node.children) if (child !== null && (child.hasError || child.isMissing)) waiting.push(child);
  }
  return faults;
};

const parseFaults = async (grammar: string, text: string): Promise<Faults> => {
  const parser = openParser(await languageOf(grammar));
  try {
    const tree = parser.parse(text);
    if (tree === null) return { count: 1, line: 1 };
    try {
      return faultsBelow(tree.rootNode);
    } finally {
      tree.delete();
    }
  } finally {
    parser.delete();
  }
};

const readFaults = (read: (text: string) => unknown, text: string): Faults => {
  try {
    read(text);
    return { count: 0, line: 1 };
  } catch {
    return { count: 1, line: 1 };
  }
};

/** What a language says of a changed file. */
export type SyntaxResult = 'sound' | 'unknown_language' | { problem: Sentence };

/**
 * Whether a change leaves a file that its language can read. A file that could not be read before (a template, a dialect) may have no more
 * faults than it had.
 */
export const checkSyntax = async (path: string, change: { before: string; after: string }): Promise<SyntaxResult> => {
  const extension = extensionOf(path);
  const grammar = Object.hasOwn(GRAMMARS, extension) ? GRAMMARS[extension] : undefined;
  const read = Object.hasOwn(READERS, extension) ? READERS[extension] : undefined;
  const faultsOf = async (text: string): Promise<Faults> =>
    grammar !== undefined ? parseFaults(grammar, text) : readFaults(read ?? (() => undefined), text);
  if (grammar === undefined && read === undefined) return 'unknown_language';
  const after = await faultsOf(change.after);
  if (after.count === 0) return 'sound';
  const before = await faultsOf(change.before);
  if (after.count <= before.count) return 'sound';
  return {
    problem:
      grammar === undefined
        ? say('the changed “{path}” is no valid {language}.', { path, language: extension })
        : say('the changed “{path}” is no valid {language} at line {line}.', {
            path,
            language: grammar,
            line: String(after.line),
          }),
  };
};
