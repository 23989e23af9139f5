import { EXEMPT_FILE, isExempt } from './bare.ts';
import { isNode, type Node, type Place, type Source } from './source.ts';
import { calleeOf, isMarker, nameOf, type Text } from './texts.ts';

/** Errors whose message people read, and whose options say what they can do. */
const ERRORS = new Set(['ConnectorError', 'ReportError', 'MappingError', 'JsonError']);
/** Fields of what plugins give to people. */
const READ = new Set(['help', 'why', 'message', 'detail', 'setting', 'from', 'to', 'doing']);
/** Calls whose texts become a part of a sentence. */
const PARTS = new Set(['answered', 'unknown', 'judged', 'sentence']);
/** What a function returns, or a table holds, is found by how it is written. */
const WHOLE_SENTENCE = /^["“]?[\p{Lu}{].*\p{L}.*[.?:]$/u;
/** Fields of findings, and of what is sent to services: stored or sent in English. */
const STORED = new Set(['reason', 'description', 'remediation', 'title', 'body', 'event', 'verdict_reason']);
const SENTENCE = /\p{L}{2,} \P{L}*\p{L}/u;

const nodesOf = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : []);

/** How a table names the value at a place: by the name that the code has for it. */
const placeName = (node: Node): string => {
  if (node.type === 'Identifier') return nameOf(node);
  if (node.type === 'MemberExpression') return nameOf(node['property']) || 'value';
  if (node.type === 'CallExpression') {
    const [first] = nodesOf(node['arguments']);
    const callee = node['callee'];
    const owner = isNode(callee) && callee.type === 'MemberExpression' ? callee['object'] : undefined;
    if (isNode(owner) && owner.type !== 'CallExpression') return placeName(owner);
    return first !== undefined && first.type !== 'Literal' ? placeName(first) : calleeOf(node) || 'value';
  }
  return 'value';
};

/** What a template says, `{name}` for each value; names that come again are counted. */
const templateText = (node: Node): string => {
  const used = new Map<string, number>();
  const expressions = nodesOf(node['expressions']);
  const cooked = nodesOf(node['quasis']).map((quasi) => {
    const value: unknown = quasi['value'];
    return typeof value === 'object' && value !== null && 'cooked' in value ? String(value.cooked) : '';
  });
  return cooked.reduce((text, piece, index) => {
    const expression = expressions[index - 1];
    if (expression === undefined) return text + piece;
    const name = placeName(expression);
    const count = (used.get(name) ?? 0) + 1;
    used.set(name, count);
    return `${text}{${count === 1 ? name : `${name}${count}`}}${piece}`;
  }, '');
};

/** The sentences that an expression can be, one for each branch of a condition. */
const sentencesOf = (node: unknown): string[] => {
  if (!isNode(node)) return [];
  if (node.type === 'ConditionalExpression') return [node['consequent'], node['alternate']].flatMap(sentencesOf);
  if (node.type === 'LogicalExpression') return [node['left'], node['right']].flatMap(sentencesOf);
  if (node.type === 'TSAsExpression') return sentencesOf(node['expression']);
  const text = node.type === 'TemplateLiteral' ? templateText(node) : node['value'];
  const isText = node.type === 'TemplateLiteral' || node.type === 'Literal';
  return isText && typeof text === 'string' && SENTENCE.test(text.replaceAll(/\{\w+\}/g, '')) ? [text.trim()] : [];
};

/** A label may be one word. */
const labelsOf = (node: unknown): string[] =>
  isNode(node) && node.type === 'Literal' && typeof node['value'] === 'string' ? [node['value']] : [];

const isStored = ({ around }: Place): boolean =>
  around.some((parent) => parent.type === 'Property' && STORED.has(nameOf(parent['key'])));

/** What a place of the source gives to people. */
const saidAt = (place: Place): string[] => {
  const { node } = place;
  if (node.type === 'NewExpression' && ERRORS.has(nameOf(node['callee'])))
    return nodesOf(node['arguments']).flatMap(sentencesOf);
  if (node.type === 'CallExpression' && PARTS.has(calleeOf(node)))
    return nodesOf(node['arguments']).flatMap(sentencesOf);
  if (node.type === 'Property' && nameOf(node['key']) === 'label') return labelsOf(node['value']);
  if (node.type === 'Property' && READ.has(nameOf(node['key']))) return sentencesOf(node['value']);
  if (node.type === 'Literal' || node.type === 'TemplateLiteral')
    return isStored(place) ? [] : sentencesOf(node).filter((text) => WHOLE_SENTENCE.test(text));
  if (node.type === 'VariableDeclarator' && READ.has(nameOf(node['id']))) return sentencesOf(node['init']);
  if (isMarker(node)) return nodesOf(node['arguments']).slice(0, 1).flatMap(sentencesOf);
  return [];
};

/** Sentences that the code of a plugin, or of the SDK, gives to people, with where they stand. */
export const sentencesIn = (source: Source): Text[] =>
  EXEMPT_FILE.test(source.lines.join('\n'))
    ? []
    : source.places
        .filter(({ node }) => !isExempt(source, node))
        .flatMap((place) =>
          saidAt(place).map((text) => ({
            text,
            slice: source.slice,
            where: `${source.file}:${source.lineOf(place.node)}`,
          })),
        );
