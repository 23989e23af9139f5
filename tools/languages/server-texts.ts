import { isNode, type Place, type Source } from './source.ts';

/** Answers to identity providers are read by programs. */
const FOR_PROGRAMS = /\/scim\//;

const WORDS = /\p{L}{2,} \p{L}/u;

/** What a literal or a template says, with a sign for each value; nothing where it is no sentence. */
const sentenceOf = (node: unknown): string | undefined => {
  if (!isNode(node)) return undefined;
  if (node.type === 'Literal')
    return typeof node['value'] === 'string' && WORDS.test(node['value']) ? node['value'] : undefined;
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node['quasis'])) return undefined;
  const text = node['quasis']
    .map((quasi: unknown) => {
      const value: unknown = isNode(quasi) ? quasi['value'] : undefined;
      return typeof value === 'object' && value !== null && 'cooked' in value ? String(value.cooked) : '';
    })
    .join('\u2026');
  return WORDS.test(text) ? text : undefined;
};

/** Each branch of a condition. */
const branchesOf = (node: unknown): unknown[] =>
  isNode(node) && node.type === 'ConditionalExpression' ? [node['consequent'], node['alternate']] : [node];

const nameOf = (node: unknown): unknown => (isNode(node) ? node['name'] : undefined);

/** Errors whose message people read. */
const ERRORS = new Set(['AppError', 'ScanError', 'FeedError']);

/** The message of `new AppError(code, message)` and the like, and the `msg` of an issue. */
const messageOf = ({ node }: Place): unknown => {
  if (node.type === 'NewExpression' && ERRORS.has(String(nameOf(node['callee']))))
    return Array.isArray(node['arguments'])
      ? node['arguments'].find((one) => sentenceOf(branchesOf(one)[0]))
      : undefined;
  return node.type === 'Property' && nameOf(node['key']) === 'msg' ? node['value'] : undefined;
};

/** Messages of the server that neither `msg()` nor `say()` marks, so that no table can have them. */
export const bareMessages = ({ file, places, lineOf }: Source): string[] =>
  /\/server\/|^host-server\//.test(file) && !FOR_PROGRAMS.test(file)
    ? places.flatMap((place) =>
        branchesOf(messageOf(place)).flatMap((message) => {
          const text = sentenceOf(message);
          return isNode(message) && text !== undefined ? [`${file}:${lineOf(message)}: ${text}`] : [];
        }),
      )
    : [];
