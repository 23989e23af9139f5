import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import treeSitter from '@vscode/tree-sitter-wasm';

/** Languages whose imports are read, by the name of their grammar; JavaScript is read with that of `tsx`, which knows all of it. */
export const GRAMMARS = ['typescript', 'tsx', 'python', 'java', 'go'] as const;
export type Grammar = (typeof GRAMMARS)[number];

/** Parser and query of one language. */
export interface SourceParser {
  readonly parser: treeSitter.Parser;
  readonly query: treeSitter.Query;
}

const packageFolder = createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm');
const wasmOf = (name: string): string => packageFolder.replace(/tree-sitter\.js$/, `${name}.wasm`);

let ready: Promise<void> | undefined;
const initialise = (): Promise<void> => {
  ready ??= treeSitter.Parser.init({ locateFile: (file) => packageFolder.replace(/tree-sitter\.js$/, file) });
  return ready;
};

/** Loads a grammar of the package by its name, such as `c-sharp`. WebAssembly: nothing of the source can run. */
export const loadLanguage = async (grammar: string): Promise<treeSitter.Language> => {
  await initialise();
  return treeSitter.Language.load(new Uint8Array(await readFile(wasmOf(`tree-sitter-${grammar}`))));
};

/** A parser of a language that was loaded; whoever made it deletes it. */
export const openParser = (language: treeSitter.Language): treeSitter.Parser => {
  const parser = new treeSitter.Parser();
  parser.setLanguage(language);
  return parser;
};

/** Loads the grammar of a language with the query that finds its imports. */
export const loadParser = async (grammar: Grammar, querySource: string): Promise<SourceParser> => {
  const language = await loadLanguage(grammar);
  return { parser: openParser(language), query: new treeSitter.Query(language, querySource) };
};
