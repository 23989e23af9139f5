import { isNode, type Node, type Place, type Source } from './source.ts';

/** A text of the interface in English. */
export interface Text {
  slice: string;
  /** Key of the tables. */
  text: string;
  /** Its form for one, where a number decides. */
  one?: string;
  /** Kept or answered as one English text, from which the browser finds the entry. */
  isStored?: boolean;
  /** File and line. */
  where: string;
}

const MARKERS = new Set(['t', 'plural', 'msg', 'say', 'sayCount', 'sayEnglish']);
/** Their number decides the form. */
const COUNTING = new Set(['plural', 'sayCount']);
/** What comes of them is one English text, such as a stored reason. */
const STORING = new Set(['sayEnglish']);
/** What only marks a text may run while a module is read. */
const MARKING = new Set(['msg', 'say', 'sayCount', 'sayEnglish']);
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

const nodeOf = (value: unknown): Node | undefined => (isNode(value) ? value : undefined);
const nodesOf = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : []);

export const nameOf = (value: unknown): string => {
  const node = nodeOf(value);
  return typeof node?.['name'] === 'string' ? node['name'] : '';
};

/** What a call names: `t` of `t('…')`, `show` of `toasts.show('…')`. */
export const calleeOf = (node: Node): string => {
  const callee = nodeOf(node['callee']);
  return callee?.type === 'MemberExpression' ? nameOf(callee['property']) : nameOf(callee);
};

export const isMarker = (node: Node): boolean =>
  node.type === 'CallExpression' && nodeOf(node['callee'])?.type === 'Identifier' && MARKERS.has(calleeOf(node));

/** What a template without values says. */
const templateText = (node: Node): string | undefined => {
  const [first, ...others] = nodesOf(node['quasis']);
  const value: unknown = first?.['value'];
  if (others.length > 0 || typeof value !== 'object' || value === null || !('cooked' in value)) return undefined;
  return typeof value.cooked === 'string' ? value.cooked : undefined;
};

/** The texts that an expression can be: one, or one for each branch of a condition. */
const textsOf = (node: Node | undefined): string[] => {
  if (node === undefined) return [];
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? [node['value']] : [];
  if (node.type === 'TemplateLiteral') return [templateText(node)].filter((text) => text !== undefined);
  if (node.type === 'JSXExpressionContainer') return textsOf(nodeOf(node['expression']));
  if (node.type === 'ConditionalExpression')
    return [...textsOf(nodeOf(node['consequent'])), ...textsOf(nodeOf(node['alternate']))];
  if (node.type === 'LogicalExpression') return [...textsOf(nodeOf(node['left'])), ...textsOf(nodeOf(node['right']))];
  return [];
};

/** `of` of `<Words of="…">`. */
export const isWordsText = ({ node, around }: Place): boolean =>
  node.type === 'JSXAttribute' &&
  nameOf(node['name']) === 'of' &&
  around.at(-1)?.type === 'JSXOpeningElement' &&
  nameOf(around.at(-1)?.['name']) === 'Words';

/** The texts that a source gives to `t()`, `plural()`, `msg()` and `<Words>`. */
export const textsIn = (source: Source): Text[] =>
  source.places.flatMap((place) => {
    const { node } = place;
    const entry = (text: string): Text => ({
      slice: source.slice,
      text,
      where: `${source.file}:${source.lineOf(node)}`,
    });
    if (isWordsText(place)) return textsOf(nodeOf(node['value'])).map(entry);
    if (!isMarker(node)) return [];
    const given = nodesOf(node['arguments']);
    const stored = STORING.has(calleeOf(node)) ? { isStored: true } : {};
    if (!COUNTING.has(calleeOf(node))) return textsOf(given[0]).map((text) => ({ ...entry(text), ...stored }));
    const [one] = textsOf(given[1]);
    const [many] = textsOf(given[2]);
    return one === undefined || many === undefined ? [] : [{ ...entry(many), one }];
  });

/** Calls of an array run their function at once. */
const AT_ONCE = new Set(['map', 'flatMap', 'filter', 'reduce', 'toSorted']);

/** A function that runs later than the module is read, as far as can be seen. */
const runsLater = (around: readonly Node[]): boolean =>
  around.some((node, index) => {
    if (node.type === 'PropertyDefinition') return true;
    if (!FUNCTIONS.has(node.type)) return false;
    const call = around[index - 1];
    return !(call?.type === 'CallExpression' && AT_ONCE.has(calleeOf(call)));
  });

/** A table is read before the language is known: `t()` may not run while a module is read. */
export const earlyTexts = (source: Source): string[] =>
  source.places
    .filter(({ node, around }) => isMarker(node) && !MARKING.has(calleeOf(node)) && !runsLater(around))
    .map(({ node }) => `${source.file}:${source.lineOf(node)}: ${calleeOf(node)}() runs while the module is read`);
