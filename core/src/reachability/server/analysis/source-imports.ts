import { isBuiltin } from 'node:module';
import type treeSitter from '@vscode/tree-sitter-wasm';
import type { CoveredEcosystem } from '../../model/package-use.ts';
import { type Grammar, loadParser, type SourceParser } from './grammars.ts';

/** What one source file imports from elsewhere. */
export interface SourceImports {
  ecosystem: CoveredEcosystem;
  /** Names as the language writes them (`@scope/name/sub`, `yaml.nodes`, `org.apache.commons.io.IOUtils`), with the line of each. */
  imports: { name: string; line: number }[];
  /** Something is imported under a name that is only known at run time. */
  isDynamic: boolean;
}

interface Source {
  grammar: Grammar;
  text: string;
}

interface Language {
  ecosystem: CoveredEcosystem;
  query: string;
  /** Names that one match of the query imports; `undefined` for one that is only known at run time. */
  read(match: ReadonlyMap<string, treeSitter.Node>): readonly (string | undefined)[];
}

const SCRIPT_QUERY = `
(import_statement source: (string) @module) @statement
(import_require_clause source: (string) @module)
(export_statement source: (string) @module) @statement
(call_expression function: (import) @function arguments: (arguments . (_) @argument))
(call_expression function: (identifier) @function arguments: (arguments . (_) @argument))
(call_expression function: (member_expression object: (identifier) @object property: (property_identifier) @property)
  arguments: (arguments . (_) @argument))`;

const unquoted = (text: string): string => text.slice(1, -1);

/** Whether types alone are imported, which no longer exist when the program runs. */
const isTypeOnly = (statement: treeSitter.Node): boolean => {
  if (/^(?:import|export)\s+type\b(?!\s*(?:from\b|,))/.test(statement.text)) return true;
  const specifiers = statement.descendantsOfType(['import_specifier', 'export_specifier']);
  const clause = statement.namedChildren.find((child) => child?.type === 'import_clause');
  const hasDefault = clause?.namedChildren.some((child) => child?.type !== 'named_imports') ?? false;
  return specifiers.length > 0 && !hasDefault && specifiers.every((one) => /^type\s+[^\s,]/.test(one?.text ?? ''));
};

/** The fixed beginning of an argument, and whether that is all of it. */
const beginningOf = (argument: treeSitter.Node): { text: string; isWhole: boolean } => {
  if (argument.type === 'string') return { text: unquoted(argument.text), isWhole: true };
  if (argument.type === 'template_string') {
    const [text = ''] = unquoted(argument.text).split('${', 1);
    return { text, isWhole: !argument.text.includes('${') };
  }
  if (argument.type === 'binary_expression') {
    const left = argument.childForFieldName('left');
    return { text: left?.type === 'string' ? unquoted(left.text) : '', isWhole: false };
  }
  return { text: '', isWhole: false };
};

const isLoader = (match: ReadonlyMap<string, treeSitter.Node>): boolean => {
  const name = match.get('function');
  if (name !== undefined) return name.type === 'import' || name.text === 'require';
  return match.get('object')?.text === 'require' && match.get('property')?.text === 'resolve';
};

/** `lodash/` in `lodash/${name}`: the package is known although the file is not. */
const PACKAGE_START = /^(?:@[^/]+\/)?[^/.@][^/]*\//;

const readScript: Language['read'] = (match) => {
  const module = match.get('module');
  const statement = match.get('statement');
  if (module !== undefined) return statement !== undefined && isTypeOnly(statement) ? [] : [unquoted(module.text)];
  const argument = match.get('argument');
  if (argument === undefined || !isLoader(match)) return [];
  const { text, isWhole } = beginningOf(argument);
  if (isWhole || PACKAGE_START.test(text)) return [text];
  return /^[./]/.test(text) ? [] : [undefined];
};

const SCRIPT: Language = { ecosystem: 'npm', query: SCRIPT_QUERY, read: readScript };

const PYTHON_LOADERS = new Set(['__import__', 'import_module', 'importlib.import_module']);

/** `from google.cloud import storage` imports `google.cloud.storage` as much as `google.cloud`. */
const readPythonFrom = (statement: treeSitter.Node): string[] => {
  const module = statement.childForFieldName('module_name');
  if (module?.type !== 'dotted_name') return [];
  const names = statement.childrenForFieldName('name').map((name) => name?.childForFieldName('name') ?? name);
  return [module.text, ...names.flatMap((name) => (name === null ? [] : [`${module.text}.${name.text}`]))];
};

const PYTHON: Language = {
  ecosystem: 'pypi',
  query: `
(import_statement name: (dotted_name) @module)
(import_statement name: (aliased_import name: (dotted_name) @module))
(import_from_statement) @from
(call function: [(identifier) (attribute)] @function arguments: (argument_list . (_) @argument))`,
  read(match) {
    const [module, from, loader, argument] = ['module', 'from', 'function', 'argument'].map((name) => match.get(name));
    if (module !== undefined) return [module.text];
    if (from !== undefined) return readPythonFrom(from);
    if (argument === undefined || !PYTHON_LOADERS.has(loader?.text ?? '')) return [];
    const content = argument.namedChildren.filter((child) => child?.type === 'string_content');
    const isPlain = argument.type === 'string' && argument.descendantsOfType('interpolation').length === 0;
    if (!isPlain) return [undefined];
    const name = content.map((part) => part?.text ?? '').join('');
    return name.startsWith('.') || name === '' ? [] : [name];
  },
};

const JAVA: Language = {
  ecosystem: 'maven',
  query: '(import_declaration (scoped_identifier) @module)',
  read: (match) => [match.get('module')?.text.replace(/\s+/g, '') ?? ''],
};

const GO: Language = {
  ecosystem: 'golang',
  query: '(import_spec path: (_) @path)',
  read: (match) => [unquoted(match.get('path')?.text ?? '""')],
};

const LANGUAGES: Readonly<Record<Grammar, Language>> = {
  typescript: SCRIPT,
  tsx: SCRIPT,
  python: PYTHON,
  java: JAVA,
  go: GO,
};

/** Names that stand for something else than a package: files, parts of the language, aliases of a bundler. */
const isForeign: Readonly<Record<CoveredEcosystem, (name: string) => boolean>> = {
  npm: (name) => /^(?:@[^/]+\/)?[^./@#~!?:\s][^:\s]*$/.test(name) && !isBuiltin(name),
  pypi: (name) => name !== '',
  maven: (name) => name !== '' && !name.startsWith('java.'),
  // what comes with the language has no dot before its first slash
  golang: (name) => (name.split('/', 1)[0] ?? '').includes('.'),
};

const parsers = new Map<Grammar, Promise<SourceParser>>();
const parserOf = (grammar: Grammar): Promise<SourceParser> => {
  const parser = parsers.get(grammar) ?? loadParser(grammar, LANGUAGES[grammar].query);
  parsers.set(grammar, parser);
  return parser;
};

/** Reads what a source file imports. Text that is no such source gives what can be read of it; it never throws for it. */
export const readSourceImports = async ({ grammar, text }: Source): Promise<SourceImports> => {
  const { parser, query } = await parserOf(grammar);
  const { ecosystem, read } = LANGUAGES[grammar];
  const result: SourceImports = { ecosystem, imports: [], isDynamic: false };
  const tree = parser.parse(text);
  if (tree === null) return result;
  try {
    for (const { captures } of query.matches(tree.rootNode)) {
      const match = new Map(captures.map(({ name, node }) => [name, node]));
      const line = (captures[0]?.node.startPosition.row ?? 0) + 1;
      for (const name of read(match)) {
        if (name === undefined) result.isDynamic = true;
        else if (isForeign[ecosystem](name)) result.imports.push({ name, line });
      }
    }
  } finally {
    tree.delete();
  }
  return result;
};
