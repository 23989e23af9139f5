import {
  basePath,
  documentedPath,
  isPublic,
  type RouteDefinition,
  tokenScopesOf,
} from '@breakwater/core/platform/api/contract.ts';
import { ERROR_CODES, type ErrorCode } from '@breakwater/core/platform/model/app-error.ts';
import { rolesWith } from '@breakwater/core/platform/model/permissions.ts';
import type { TSchema } from 'typebox';
import { SCIM_MEDIA_TYPE } from './scim.ts';

const LISTS = 'Lists are written with commas: `a,b`. An absent filter filters nothing.';

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const propertiesOf = (schema: TSchema | undefined): [string, unknown, boolean][] => {
  if (schema === undefined || !('properties' in schema) || !isRecord(schema['properties'])) return [];
  const required = 'required' in schema && Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(schema['properties']).map(([name, inner]) => [name, inner, required.includes(name)]);
};

const hasObject = (schema: unknown): boolean =>
  isRecord(schema) &&
  (schema['type'] === 'object' ||
    (Array.isArray(schema['anyOf']) && schema['anyOf'].some((branch) => hasObject(branch))));

const queryParameter = ([name, schema, required]: [string, unknown, boolean]) => {
  if (hasObject(schema))
    return { name, in: 'query', required, style: 'deepObject', explode: true, schema, description: LISTS };
  const isList = isRecord(schema) && schema['type'] === 'array';
  return { name, in: 'query', required, schema, ...(isList ? { style: 'form', explode: false } : {}) };
};

const parametersOf = (route: RouteDefinition) => [
  ...propertiesOf(route.params).map(([name, schema]) => ({ name, in: 'path', required: true, schema })),
  ...propertiesOf(route.query).map(queryParameter),
];

/** Codes that any route of this kind may answer with, besides those it declares. */
const errorCodesOf = (route: RouteDefinition): ErrorCode[] => {
  const codes = new Set<ErrorCode>(route.errors ?? []);
  if (!isPublic(route.access)) codes.add('not_authenticated').add('forbidden');
  if (route.method !== 'GET') codes.add('cross_site_request');
  if (route.query !== undefined || route.body !== undefined) codes.add('validation_failed');
  return [...codes, 'unavailable', 'internal'];
};

const errorResponses = (route: RouteDefinition) => {
  const byStatus = new Map<number, string[]>();
  for (const code of errorCodesOf(route)) {
    const { status, meaning } = ERROR_CODES[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), `\`${code}\`: ${meaning}`]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, lines]) => [
      String(status),
      {
        description: lines.join('\n\n'),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
};

const contentOf = (route: RouteDefinition) => {
  if (route.base === 'scim') return { [SCIM_MEDIA_TYPE]: { schema: route.response } };
  if (route.responseKind === 'events') return { 'text/event-stream': { schema: { type: 'string' } } };
  if (route.responseKind === 'file')
    return { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
  return { 'application/json': { schema: route.response } };
};

const uploadBody = {
  type: 'object',
  properties: { file: { type: 'string', format: 'binary' }, tool: { type: 'string' }, ext: { type: 'string' } },
  required: ['file'],
};

const requestBodyOf = (route: RouteDefinition) => {
  if (route.body === undefined) return {};
  const json = { 'application/json': { schema: route.body } };
  const content = route.bodyKind === 'stream' ? { ...json, 'multipart/form-data': { schema: uploadBody } } : json;
  return { requestBody: { required: true, content } };
};

const operationIdOf = (route: RouteDefinition): string =>
  [route.method.toLowerCase(), ...documentedPath(route).split(/[/{}_-]+/)].filter((part) => part !== '').join('_');

const accessOf = ({ access }: RouteDefinition) => {
  if (isPublic(access)) return { security: [] };
  const roles = rolesWith(access.permission);
  const needed = {
    description: `Permission: ${access.permission}. Roles: ${roles.join(', ')}.`,
    'x-permission': access.permission,
    'x-roles': roles,
  };
  const scopes = tokenScopesOf(access);
  if (scopes.length === 0) return needed;
  const security = [{ cookie: [] }, { bearer: [] }, { apiToken: [] }];
  return { ...needed, 'x-token-scopes': scopes, security };
};

const operationOf = (route: RouteDefinition) => ({
  operationId: operationIdOf(route),
  summary: route.summary,
  tags: [route.tag],
  ...(documentedPath(route) === route.path ? {} : { servers: [{ url: '/' }] }),
  ...accessOf(route),
  parameters: parametersOf(route),
  ...requestBodyOf(route),
  responses: {
    [String(route.status ?? 200)]: {
      description: 'Success',
      ...(route.status === 204 ? {} : { content: contentOf(route) }),
    },
    ...errorResponses(route),
  },
});

const errorSchema = {
  type: 'object',
  required: ['code', 'request_id'],
  // a failed exchange of tokens alone says it in fields of its own
  anyOf: [{ required: ['detail'] }, { required: ['success', 'error', 'error_description', 'error_uri'] }],
  properties: {
    success: { type: 'boolean', const: false },
    error: { type: 'string' },
    error_description: { type: 'string' },
    error_uri: { type: 'string' },
    detail: {
      anyOf: [
        { type: 'string' },
        {
          type: 'array',
          items: {
            type: 'object',
            required: ['loc', 'msg', 'type'],
            properties: {
              loc: { type: 'array', items: { type: ['string', 'integer'] } },
              msg: { type: 'string' },
              type: { type: 'string' },
            },
          },
        },
      ],
    },
    code: { type: 'string', enum: Object.keys(ERROR_CODES) },
    request_id: { type: 'string' },
  },
};

/** OpenAPI 3.1 of the routes: their schemas go in as they are. Source: architecture.md section 2. */
export const createOpenApi = (routes: readonly RouteDefinition[], version: string) => {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = documentedPath(route);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Breakwater', version, description: 'Findings of security scanners: in, ordered, fixed.' },
    servers: [{ url: basePath() }],
    security: [{ cookie: [] }, { bearer: [] }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        cookie: { type: 'apiKey', in: 'cookie', name: 'accessToken' },
        bearer: { type: 'http', scheme: 'bearer', description: 'Token of a session.' },
        apiToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'Token that an admin made for a machine, with one of the scopes in `x-token-scopes`.',
        },
      },
      schemas: { Error: errorSchema },
    },
  };
};
