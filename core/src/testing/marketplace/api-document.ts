import { readFileSync } from 'node:fs';
import { type TSchema, Type } from 'typebox';
import { Errors } from 'typebox/schema';
import { Value } from 'typebox/value';

/** What is read of the document; see `source` in it. */
const Parameter = Type.Object({
  in: Type.String(),
  name: Type.String(),
  required: Type.Optional(Type.Boolean()),
  schema: Type.Unknown(),
});
const Content = Type.Object({ 'application/json': Type.Object({ schema: Type.Unknown() }) });
const Operation = Type.Object({
  parameters: Type.Array(Parameter),
  requestBody: Type.Optional(Type.Object({ content: Content })),
  responses: Type.Record(Type.String(), Type.Object({ content: Type.Optional(Content) })),
});
const ApiDocument = Type.Object({
  paths: Type.Record(Type.String(), Type.Record(Type.String(), Operation)),
  components: Type.Object({ schemas: Type.Record(Type.String(), Type.Unknown()) }),
});

const apiDocument = Value.Parse(
  ApiDocument,
  JSON.parse(readFileSync(new URL('fulfilment-api.json', import.meta.url), 'utf8')),
);

/** Puts every schema where it is referred to; the document has no cycles. Unknown names are no part of ours or theirs. */
const resolved = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(resolved);
  if (typeof schema !== 'object' || schema === null) return schema;
  const reference = '$ref' in schema && typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
  if (reference !== undefined) return resolved(apiDocument.components.schemas[reference]);
  const members = Object.entries(schema).map(([key, value]) => [key, resolved(value)]);
  return Object.fromEntries(members);
};

/** Objects take no other members than the document names. */
const strict = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, strict(value)]));
  return members['type'] === 'object' ? { ...members, additionalProperties: false } : members;
};

const issuesOf = (schema: unknown, value: unknown, where: string): string[] => {
  const [isValid, issues] = Errors(strict(resolved(schema)) as TSchema, value);
  return isValid ? [] : issues.map(({ instancePath, message }) => `${where}${instancePath} ${message}`);
};

export interface SentRequest {
  method: string;
  /** Below the base address. */
  path: string;
  query: URLSearchParams;
  headers: Record<string, string | undefined>;
  /** Undefined: none. */
  body: unknown;
}

/** Values of the path's parameters; undefined where it is another path. */
const matchPath = (pattern: string, path: string): Record<string, string> | undefined =>
  new RegExp(`^${pattern.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`).exec(path)?.groups ??
  (pattern === path ? {} : undefined);

const find = ({ method, path }: SentRequest) => {
  for (const [pattern, operations] of Object.entries(apiDocument.paths)) {
    const params = matchPath(pattern, path);
    const operation = operations[method.toLowerCase()];
    if (params !== undefined && operation !== undefined) return { pattern, params, operation };
  }
  return undefined;
};

/** What of a request is against the document. */
export const requestIssues = (request: SentRequest): string[] => {
  const found = find(request);
  if (found === undefined) return [`${request.method} ${request.path} is not in the document`];
  const { params, operation } = found;
  const from: Record<string, (name: string) => string | undefined> = {
    path: (name) => params[name],
    query: (name) => request.query.get(name) ?? undefined,
    header: (name) => request.headers[name],
  };
  const issues = operation.parameters.flatMap((parameter) => {
    const value = from[parameter.in]?.(parameter.name);
    const where = `${parameter.in} ${parameter.name}`;
    if (value === undefined) return parameter.required === true ? [`${where} is missing`] : [];
    return issuesOf(parameter.schema, value, where);
  });
  const names = new Set(
    operation.parameters.flatMap((parameter) => (parameter.in === 'query' ? [parameter.name] : [])),
  );
  const unknown = [...request.query.keys()]
    .filter((name) => !names.has(name))
    .map((name) => `query ${name} is unknown`);
  const wanted = operation.requestBody?.content['application/json'].schema;
  if (wanted === undefined)
    return [...issues, ...unknown, ...(request.body === undefined ? [] : ['a body is unknown'])];
  return [...issues, ...unknown, ...issuesOf(wanted, request.body, 'body')];
};

/** What of an answer is against the document. */
export const responseIssues = (request: SentRequest, status: number, body: unknown): string[] => {
  const answers = find(request)?.operation.responses[String(status)];
  if (answers === undefined) return [`${status} is no answer to ${request.method} ${request.path}`];
  return answers.content === undefined ? [] : issuesOf(answers.content['application/json'].schema, body, 'answer');
};
