import { isNode, type Node, type Place, type Source } from './source.ts';
import { calleeOf, isMarker, nameOf } from './texts.ts';

/** Sentences of the server that people read on screens stand there and in models. */
const READ = /\/(?:server|model)\/|^host-server\//;

/** What the operator of a server, a program, a model of a language or a repository reads, in English for all. */
const FOR_OTHERS: readonly RegExp[] = [
  // answers to identity providers
  /\/scim\//,
  // configuration, backups, PostgreSQL: written to the terminal of whoever runs the server
  /^host-server\/src\/(?:config[\w-]*|main|backup\/.+|postgres\/.+|http\/openapi)\.ts$/,
  // the helper texts of connectors belong to their plugins
  /^core\/src\/connectors\//,
  // what a model is asked
  /\/server\/ai\/prompt\.ts$/,
  // documents of other formats
  /\/sbom\/server\/export\//,
];

/** Calls whose texts no person reads on a screen: logs, and errors that are bugs. */
const SILENT = /^(?:Error|TypeError|RangeError|trace|debug|info|warn|error|fatal|log|describe)$/;

/** What a comment in the line of a sentence, or above it, keeps as it is: `// no text: goes to the repository`. */
const EXEMPT = /\/\/ no text: \w/;
const EXEMPT_FILE = /^\/\/ no text in this file: \w/m;

/** Begins as a sentence does and ends as one does. */
const SENTENCE = /^\s*(?:\p{Lu}|…|“).*[\p{L}\d…”] .*[.?!]\s*$/su;

const written = (node: Node): string | undefined => {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : undefined;
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node['quasis'])) return undefined;
  return node['quasis']
    .map((quasi: unknown) => {
      const value: unknown = isNode(quasi) ? quasi['value'] : undefined;
      return typeof value === 'object' && value !== null && 'cooked' in value ? String(value.cooked) : '';
    })
    .join('\u2026');
};

/** Descriptions of schemas are read in the documentation of the API; `why` of a template stands in the pull request. */
const isDocumentation = (node: Node, around: readonly Node[]): boolean =>
  node.type === 'Property' &&
  (/^(?:description|summary)$/.test(nameOf(node['key'])) ||
    (nameOf(node['key']) === 'why' &&
      around.some((one) => one.type === 'CallExpression' && calleeOf(one) === 'template')));

const isSilent = (node: Node, around: readonly Node[]): boolean =>
  isMarker(node) ||
  node.type === 'TaggedTemplateExpression' ||
  isDocumentation(node, around) ||
  ((node.type === 'CallExpression' || node.type === 'NewExpression') && SILENT.test(calleeOf(node)));

const isBare = ({ node, around }: Place): boolean => {
  const text = written(node);
  return text !== undefined && SENTENCE.test(text) && !around.some((one) => isSilent(one, around));
};

/** Sentences of server and models that neither `msg()` nor `say()` marks, so that no table can have them. */
export const bareSentences = ({ file, places, lines, lineOf }: Source): string[] =>
  !READ.test(file) || FOR_OTHERS.some((one) => one.test(file)) || EXEMPT_FILE.test(lines.join('\n'))
    ? []
    : places
        .filter(isBare)
        .filter(({ node }) => {
          const line = lineOf(node);
          return ![line, line - 1].some((one) => EXEMPT.test(lines[one - 1] ?? ''));
        })
        .map(({ node }) => `${file}:${lineOf(node)}: ${(written(node) ?? '').trim().replaceAll(/\s+/g, ' ')}`);
