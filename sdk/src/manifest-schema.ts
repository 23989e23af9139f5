// no text in this file: what is wrong with a manifest is for its author
import { Type } from 'typebox';
import { CAPABILITY_NAMES, CATEGORIES } from './categories.ts';
import { FIELD_OFFERS } from './credentials.ts';
import { FINDING_TYPES } from './findings/finding.ts';
import type { RawManifest } from './manifest.ts';
import { issuePlace } from './manifest.ts';
import { type ShapeIssue, shapeIssues } from './read-answer.ts';

const strict = { additionalProperties: false } as const;
const Line = Type.String({ minLength: 1, maxLength: 200, pattern: '^\\S(.*\\S)?$' });
const OneOf = (values: readonly string[]) => Type.Unsafe<string>({ type: 'string', enum: [...values] });

const Version = Type.Integer({ minimum: 1 });
const Versions = Type.Union([Version, Type.Array(Version, { minItems: 1, uniqueItems: true })]);

const ImporterShape = Type.Object(
  { tool: Type.String({ pattern: '^[a-z0-9]+([_-][a-z0-9]+)*$' }), title: Line },
  strict,
);

const ConnectorShape = Type.Object(
  {
    id: Type.String({ maxLength: 60, pattern: '^[a-z0-9]+([_/-][a-z0-9]+)*$' }),
    title: Line,
    category: OneOf(Object.keys(CATEGORIES)),
    image: Type.String({ pattern: '^(data:image/(svg\\+xml|png)[;,]|/)', maxLength: 60_000 }),
    description: Type.String({ minLength: 1, maxLength: 300 }),
    documentation: Type.Optional(Type.String({ pattern: '^https://[^\\s]+$' })),
    commercial: Type.Optional(Type.Boolean()),
    disabled: Type.Optional(Type.Object({ reason: Line }, strict)),
    credentials: Type.Optional(
      Type.Object(
        {
          type: Type.Literal('object'),
          properties: Type.Record(Type.String(), Type.Object({ type: Type.String() })),
          required: Type.Optional(Type.Array(Type.String(), { uniqueItems: true })),
        },
        strict,
      ),
    ),
    isConfigured: Type.Optional(Type.Unknown()),
    auth: Type.Optional(Type.Object({ type: Type.String() })),
    baseUrl: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
    services: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[a-z][a-z0-9-]*$' }),
        Type.String({ minLength: 1, maxLength: 1000 }),
        strict,
      ),
    ),
    capabilities: Type.Optional(
      Type.Object(Object.fromEntries(CAPABILITY_NAMES.map((name) => [name, Type.Optional(Versions)])), strict),
    ),
    permissions: Type.Optional(
      Type.Object(
        {
          egress: Type.Array(Type.String({ maxLength: 253 }), { uniqueItems: true, maxItems: 100 }),
          reveal: Type.Optional(Type.Array(Type.String(), { uniqueItems: true })),
        },
        strict,
      ),
    ),
    parser: Type.Optional(Type.Object({ tool: Type.String(), family: OneOf(FINDING_TYPES) }, strict)),
    view: Type.Optional(
      Type.Object(
        { title: Line, entry: Type.String({ pattern: '^[\\w-]+(/[\\w-]+)*\\.html$', maxLength: 200 }) },
        strict,
      ),
    ),
  },
  strict,
);

const PluginShape = Type.Object(
  {
    // which one is judged before the rest: `refusalOf`
    api: Type.Optional(Type.String()),
    id: Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 60 }),
    version: Type.String({ pattern: '^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(-[0-9A-Za-z.-]+)?$' }),
    publisher: Type.Optional(Line),
    connectors: Type.Array(ConnectorShape),
    importers: Type.Optional(Type.Array(ImporterShape)),
  },
  strict,
);

const label = { title: Type.Optional(Line), description: Type.Optional(Line) };

/** One closed schema per kind of field, so that an issue is told once and not once per alternative. */
const FIELD_SHAPES = new Map(
  Object.entries({
    string: Type.Object(
      {
        ...label,
        type: Type.Literal('string'),
        writeOnly: Type.Optional(Type.Boolean()),
        enum: Type.Optional(Type.Array(Type.String(), { minItems: 1, uniqueItems: true })),
        default: Type.Optional(Type.String()),
        format: Type.Optional(OneOf(['uri', 'hostname', 'email', 'date', 'multiline'])),
        pattern: Type.Optional(Type.String()),
        minLength: Type.Optional(Type.Integer({ minimum: 0 })),
        maxLength: Type.Optional(Type.Integer({ minimum: 1 })),
        offers: Type.Optional(OneOf(FIELD_OFFERS)),
      },
      strict,
    ),
    number: numberShape('number'),
    integer: numberShape('integer'),
    boolean: Type.Object({ ...label, type: Type.Literal('boolean'), default: Type.Optional(Type.Boolean()) }, strict),
    array: Type.Object(
      {
        ...label,
        type: Type.Literal('array'),
        items: Type.Object(
          { type: Type.Literal('string'), enum: Type.Optional(Type.Array(Type.String(), { minItems: 1 })) },
          strict,
        ),
        maxItems: Type.Optional(Type.Integer({ minimum: 1 })),
      },
      strict,
    ),
    object: Type.Object(
      {
        ...label,
        type: Type.Literal('object'),
        additionalProperties: Type.Object(
          {
            type: Type.Literal('string'),
            pattern: Type.Optional(Type.String()),
            maxLength: Type.Optional(Type.Integer({ minimum: 1 })),
          },
          strict,
        ),
      },
      strict,
    ),
  }),
);

const Template = Type.String({ minLength: 1, maxLength: 1000 });

const AUTH_SHAPES = new Map(
  Object.entries({
    none: Type.Object({ type: Type.Literal('none') }, strict),
    bearer: Type.Object({ type: Type.Literal('bearer'), value: Template }, strict),
    header: Type.Object(
      {
        type: Type.Literal('header'),
        name: Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$" }),
        value: Template,
      },
      strict,
    ),
    basic: Type.Object({ type: Type.Literal('basic'), value: Template }, strict),
    address: Type.Object(
      { type: Type.Literal('address'), value: Type.String({ pattern: '^\\{\\{\\w+\\}\\}$' }) },
      strict,
    ),
    oauth2: Type.Object(
      {
        type: Type.Literal('oauth2'),
        authorizeUrl: Template,
        tokenUrl: Template,
        revokeUrl: Type.Optional(Template),
        scopes: Type.Array(Type.String()),
        pkce: Type.Optional(Type.Boolean()),
        tokenAuth: Type.Optional(OneOf(['basic', 'body'])),
        tokenErrors: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 20 })),
        revokeAuth: Type.Optional(OneOf(['basic', 'body'])),
        refresh: Type.Optional(OneOf(['rotate', 'reuse', 'none'])),
        tokenField: Type.Optional(Type.String()),
        refreshField: Type.Optional(Type.String()),
        clientIdField: Type.Optional(Type.String()),
        clientSecretField: Type.Optional(Type.String()),
        installation: Type.Optional(Type.Object({ url: Template, field: Type.String() }, strict)),
        expired: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      },
      strict,
    ),
  }),
);

function numberShape(type: 'number' | 'integer') {
  return Type.Object(
    {
      ...label,
      type: Type.Literal(type),
      default: Type.Optional(Type.Number()),
      minimum: Type.Optional(Type.Number()),
      maximum: Type.Optional(Type.Number()),
    },
    strict,
  );
}

/** Whether something has the structure of a manifest; only then do the rules between its parts make sense. */
export function hasManifestStructure(spec: unknown): spec is RawManifest {
  return structureIssues(spec).length === 0;
}

/** What is wrong with the structure of a manifest, in words. */
export function structureIssues(spec: unknown): string[] {
  const issues = shapeIssues(PluginShape, spec, []).map((issue) => `${issuePlace(spec, issue.path)}: ${issue.message}`);
  if (issues.length > 0) return issues;
  return connectorsOf(spec).flatMap((connector, index) =>
    variantIssues(spec, connector, ['connectors', String(index)]),
  );
}

function variantIssues(spec: unknown, connector: unknown, path: string[]): string[] {
  const auth = at(connector, 'auth');
  const fields = at(at(connector, 'credentials'), 'properties');
  const issues = [
    ...(auth === undefined ? [] : byType(AUTH_SHAPES, auth, [...path, 'auth'])),
    ...Object.entries(isRecord(fields) ? fields : {}).flatMap(([name, field]) =>
      byType(FIELD_SHAPES, field, [...path, 'credentials', 'properties', name]),
    ),
  ];
  const rule = at(connector, 'isConfigured');
  if (rule !== undefined && typeof rule !== 'function') {
    issues.push({ path: [...path, 'isConfigured'], message: 'must be a function' });
  }
  return issues.map((issue) => `${issuePlace(spec, issue.path)}: ${issue.message}`);
}

function byType(shapes: ReadonlyMap<string, object>, value: unknown, path: string[]): ShapeIssue[] {
  const type = at(value, 'type');
  const shape = typeof type === 'string' ? shapes.get(type) : undefined;
  if (shape) return shapeIssues(shape, value, path);
  return [{ path: [...path, 'type'], message: `must be one of ${[...shapes.keys()].join(', ')}` }];
}

function connectorsOf(spec: unknown): unknown[] {
  const connectors = at(spec, 'connectors');
  return Array.isArray(connectors) ? connectors : [];
}

function at(value: unknown, key: string): unknown {
  return isRecord(value) ? value[key] : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
