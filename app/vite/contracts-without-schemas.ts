import type { Plugin } from 'vite';

const STUB_ID = '\0breakwater:no-schemas';

/**
 * In place of TypeBox's `Type`: every member and every call answers with itself. An import of anything else from
 * TypeBox (validation, for one) finds no such export and fails the build.
 */
const STUB = `
const schema = new Proxy(() => schema, { get: () => schema, apply: () => schema });
export const Type = schema;
`;

const CONTRACT = /\/core\/src\/[^/]+\/api\/[^/]+\.ts$/;

/** Parts of a route that the server, its documentation and the types read; the browser only sends. */
const FOR_THE_SERVER = new Set(['tag', 'summary', 'access', 'params', 'query', 'body', 'response', 'status', 'errors']);

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

interface Node extends Record<string, unknown> {
  type: string;
  start: number;
  end: number;
}

const isNode = (value: unknown): value is Node =>
  isRecord(value) && typeof value['type'] === 'string' && typeof value['start'] === 'number';

const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

const nameOf = (node: unknown): unknown => (isNode(node) && node.type === 'Identifier' ? node['name'] : undefined);

interface Edit {
  start: number;
  end: number;
  text: string;
}

const droppedParts = (call: Node): Edit[] => {
  const [contract] = Array.isArray(call['arguments']) ? call['arguments'] : [];
  if (nameOf(call['callee']) !== 'route' || !isNode(contract)) return [];
  const isDropped = ({ key }: Node): boolean => FOR_THE_SERVER.has(String(nameOf(key)));
  return childrenOf(contract)
    .filter(isDropped)
    .map(({ start, end }) => ({ start, end, text: '' }));
};

/** `...FindingRow.properties`: reading a member might do something, so the bundler would keep both schemas for it. */
const isSpreadOfSchema = ({ type, argument }: Node): boolean =>
  type === 'SpreadElement' && isNode(argument) && argument.type === 'MemberExpression';

/** What may go of a contract: the server's parts of its routes; and every call may, where nobody uses its result. */
const editsOf = (node: Node): Edit[] => {
  if (isSpreadOfSchema(node)) return [{ start: node.start, end: node.end, text: '' }];
  if (node.type !== 'CallExpression') return childrenOf(node).flatMap(editsOf);
  const dropped = droppedParts(node);
  const pure = { start: node.start, end: node.start, text: '/* @__PURE__ */ ' };
  const isInside = (edit: Edit): boolean => dropped.some(({ start, end }) => edit.start >= start && edit.end <= end);
  const inner = childrenOf(node)
    .flatMap(editsOf)
    .filter((edit) => !isInside(edit));
  return [pure, ...dropped, ...inner];
};

/** A contract with what the browser needs of it. `program` is its syntax tree. */
export const forBrowser = (code: string, program: unknown): string => {
  if (!isNode(program)) return code;
  let text = code;
  for (const edit of editsOf(program).sort((one, other) => other.start - one.start)) {
    // The comma after a part that went goes with it.
    const rest = text.slice(edit.end);
    text = text.slice(0, edit.start) + edit.text + (edit.text === '' ? rest.replace(/^\s*,/, '') : rest);
  }
  return text;
};

/**
 * The browser needs a route's method and path and its static types; the schemas themselves only serve the server, which
 * validates. Leaving TypeBox and everything that only the server reads out of the bundle saves 30 kB gzip on every page.
 */
export const contractsWithoutSchemas = (): Plugin => ({
  name: 'breakwater:contracts-without-schemas',
  enforce: 'pre',
  resolveId: {
    filter: { id: /^typebox$/ },
    handler: () => STUB_ID,
  },
  load: {
    filter: { id: new RegExp(STUB_ID) },
    handler: () => STUB,
  },
  transform: {
    filter: { id: CONTRACT },
    handler(code) {
      return { code: forBrowser(code, this.parse(code, { lang: 'ts' })), map: null };
    },
  },
});
