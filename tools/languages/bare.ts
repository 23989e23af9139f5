import { isNode, type Node, type Place, type Source } from './source.ts';
import { calleeOf, isMarker, isWordsText, nameOf } from './texts.ts';

/** Attributes and fields that people read, however short the text. */
const READ =
  /^(?:title|label|text|alt|help|hint|placeholder|description|message|caption|heading|head|empty|lead|intro|consequence|what|does|about|aria-label|aria-valuetext|aria-roledescription|aria-description|(?!align)\w+(?:Label|Text|Title|Message))$/;

/** Attributes and fields that no one reads. */
const TECHNICAL =
  /^(?:className|\w+ClassName|style|role|variant|type|size|name|id|to|intent|\w+Intent|autoComplete|aria-(?:hidden|live|controls|describedby|labelledby|haspopup|autocomplete|orientation|current)|data-[\w-]+|key|href|rel|target|d|viewBox|points|transform|fill|stroke|path|pattern|method|event|loading|accept|autoCapitalize|alignText|inputMode|placement|position|animation|roleStructure|color|font\w*|width|height|flexBasis|grid\w+|background|media|sizes|srcSet|src)$/;

/** Calls whose texts no one reads: comparisons of texts, logs, errors of programs, the document, services, states. */
const SILENT =
  /^(?:startsWith|endsWith|includes|indexOf|split|join|replace|replaceAll|match|matchAll|test|get|set|has|delete|getItem|setItem|removeItem|querySelector|querySelectorAll|closest|matches|getElementById|createElement|addEventListener|removeEventListener|dispatchEvent|localeCompare|setProperty|getPropertyValue|setAttribute|getAttribute|removeAttribute|matchMedia|createServiceId|serviceId|toLocaleString|Symbol|RegExp|Error|TypeError|DOMException|URL|Date|NumberFormat|DateTimeFormat|error|warn|classNames|append)$/;

/** Names of products and standards, and what is typed as it stands: the same in every language. */
const NAMES = new Set([
  'Breakwater',
  'GitHub',
  'GitLab',
  'Bitbucket',
  'Gitea',
  'Google',
  'Jira',
  'Slack',
  'SARIF',
  'Ctrl K',
  'KEV',
  'EPSS',
  'Microsoft Teams',
]);

const LETTERS = /\p{L}{2,}/u;
/** A sentence, or a label that begins with a capital. */
const READS_AS_TEXT = /^\P{L}*\p{Lu}\p{Ll}+(?![\w]*[-/_.:]\w)|\p{L}{2,} \p{L}{2,}/u;
const STYLE = /^(?:[\d.]+|[a-z-]+\(|[a-z-]+: )|\b(?:px|fr|minmax|calc|var\()|^[MmLlHhVvCcZz\d\s,.-]+$/;

/** The literal's own text, with a letter for each value of a template. */
const written = (node: Node): string | undefined => {
  if (node.type === 'JSXText' || node.type === 'Literal')
    return typeof node['value'] === 'string' ? node['value'] : undefined;
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node['quasis'])) return undefined;
  return node['quasis']
    .map((quasi: unknown) => {
      const value: unknown = isNode(quasi) ? quasi['value'] : undefined;
      return typeof value === 'object' && value !== null && 'cooked' in value ? String(value.cooked) : '';
    })
    .join('\u2026');
};

type Use = 'read' | 'technical' | 'open';

/** Whether a comparison, a key, an import: a place where a text is a value. */
const isValue = (parent: Node, child: Node): boolean =>
  (parent.type === 'BinaryExpression' && parent['operator'] !== '+') ||
  (parent.type === 'Property' && parent['key'] === child && parent['computed'] !== true) ||
  (parent.type === 'MemberExpression' && parent['property'] === child) ||
  (parent.type === 'SwitchCase' && parent['test'] === child) ||
  (parent.type === 'ConditionalExpression' && parent['test'] === child) ||
  parent.type === 'TaggedTemplateExpression' ||
  (/^(?:Import|Export\w+From|ExportAll|Export(?:Named|All)Declaration)/.test(parent.type) &&
    parent['source'] === child);

const useByName = (name: string): Use | undefined => {
  if (READ.test(name)) return 'read';
  return TECHNICAL.test(name) ? 'technical' : undefined;
};

/** One step outwards: what the node around it says of a literal, or undefined where one has to look further. */
const useBy = (parent: Node, child: Node, around: readonly Node[]): Use | undefined => {
  if (isValue(parent, child)) return 'technical';
  if (isMarker(parent)) return 'technical';
  if (parent.type === 'CallExpression' || parent.type === 'NewExpression')
    return parent['callee'] === child || SILENT.test(calleeOf(parent)) ? 'technical' : 'open';
  if (parent.type === 'JSXAttribute')
    return isWordsText({ node: parent, around }) ? 'technical' : (useByName(nameOf(parent['name'])) ?? 'open');
  if (parent.type === 'AssignmentExpression' && written(child) !== undefined)
    return isNode(parent['left']) && nameOf(parent['left']['property']) === 'name' ? 'technical' : 'open';
  if (parent.type === 'Property') return useByName(nameOf(parent['key']));
  if (/Function|Statement|Declarator|PropertyDefinition|JSXElement|JSXFragment/.test(parent.type)) return 'open';
  return undefined;
};

const useOf = ({ node, around }: Place): Use => {
  let child = node;
  for (let at = around.length - 1; at >= 0; at--) {
    const parent = around[at];
    if (parent === undefined) break;
    const use = useBy(parent, child, around.slice(0, at));
    if (use !== undefined) return use;
    child = parent;
  }
  return 'open';
};

/** A text that people read in English, whatever their language. */
const isBare = (place: Place, isModel: boolean): boolean => {
  const text = written(place.node);
  if (text === undefined || !LETTERS.test(text) || NAMES.has(text.trim())) return false;
  if (place.node.type === 'JSXText') return true;
  const use = useOf(place);
  if (use === 'read') return true;
  return use === 'open' && !isModel && READS_AS_TEXT.test(text) && !STYLE.test(text.trim());
};

/** Screens and what they draw, and of models the fields that people read. */
const isRead = (file: string): boolean =>
  file.endsWith('.tsx') || /\/(?:ui|model)\//.test(file) || file.startsWith('app/');

/** What a comment in the line of a literal, or above it, keeps as it is: `// no text: ids of licences`. */
const EXEMPT = /\/\/ no text: \w/;
/** The same for a file. */
export const EXEMPT_FILE = /^\/\/ no text in this file: \w/m;

/** Whether a comment in the line of a node, or above it, says that it is no text. */
export const isExempt = (source: Source, node: Node): boolean => {
  const line = source.lineOf(node);
  return [line, line - 1].some((one) => EXEMPT.test(source.lines[one - 1] ?? ''));
};

/** The literals of a source that people read and no table can translate. */
export const barePlaces = (source: Source): Place[] =>
  isRead(source.file) && !EXEMPT_FILE.test(source.lines.join('\n'))
    ? source.places
        .filter((place) => isBare(place, source.file.includes('/model/')))
        .filter(({ node }) => !isExempt(source, node))
    : [];

/** Where they stand and what they say. */
export const bareTexts = (source: Source): string[] =>
  barePlaces(source).map(
    ({ node }) => `${source.file}:${source.lineOf(node)}: ${(written(node) ?? '').trim().replaceAll(/\s+/g, ' ')}`,
  );
