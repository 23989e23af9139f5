import { Type } from 'typebox';
import { CONNECTOR_ERROR_CODES } from '../errors.ts';
import type { Plugin } from '../plugin.ts';
import { shapeFaults } from '../shape-faults.ts';
import type { ConnectorFixture, Exchange, Fixtures } from './fixtures.ts';

const strict = { additionalProperties: false } as const;
const Texts = Type.Record(Type.String(), Type.String());
const Path = Type.String({ pattern: '^(/|$)', maxLength: 2000 });

const ExchangeShape = Type.Object(
  {
    request: Type.Object(
      {
        method: Type.Optional(Type.Unsafe<string>({ enum: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] })),
        path: Path,
        service: Type.Optional(Type.String()),
        query: Type.Optional(Texts),
        bodyHas: Type.Optional(Type.String({ minLength: 1 })),
      },
      strict,
    ),
    answer: Type.Object(
      {
        status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })),
        headers: Type.Optional(Texts),
        body: Type.Optional(Type.Unknown()),
        text: Type.Optional(Type.String()),
        file: Type.Optional(Type.String({ pattern: '^(?!/)(?!.*\\.\\.)' })),
      },
      strict,
    ),
  },
  strict,
);

const ConnectorShape = Type.Object(
  {
    credentials: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    exchanges: Type.Optional(Type.Array(ExchangeShape)),
    expect: Type.Optional(
      Type.Object(
        {
          identity: Type.Optional(Type.String({ minLength: 1 })),
          findings: Type.Optional(Type.Integer({ minimum: 0 })),
        },
        strict,
      ),
    ),
    wrong: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: Type.String({ minLength: 1 }),
            during: Type.Optional(Type.String({ minLength: 1 })),
            exchanges: Type.Array(ExchangeShape, { minItems: 1 }),
            code: Type.Unsafe<string>({ enum: [...CONNECTOR_ERROR_CODES] }),
          },
          strict,
        ),
      ),
    ),
    calls: Type.Optional(
      Type.Object(
        {
          scm: Type.Optional(
            Type.Object(
              {
                repository: Type.String(),
                file: Type.Optional(Type.Object({ path: Type.String(), at: Type.String() }, strict)),
              },
              strict,
            ),
          ),
          remediator: Type.Optional(Type.Object({ model: Type.String(), prompt: Type.String() }, strict)),
          routes: Type.Optional(Type.Record(Type.String({ pattern: '^(GET|POST) /' }), Type.Unknown())),
        },
        strict,
      ),
    ),
  },
  strict,
);

const FixturesShape = Type.Object(
  { $schema: Type.Optional(Type.String()), connectors: Type.Record(Type.String(), ConnectorShape) },
  strict,
);

/** Fixtures of a plugin, or why they cannot be used, each fault with its place in the file. */
export type ReadFixtures = { readonly fixtures: Fixtures } | { readonly faults: readonly string[] };

/** Reads the parsed content of a `conformance.json`; what it says must fit the plugin. */
export function readFixtures(content: unknown, plugin: Plugin): ReadFixtures {
  if (!isFixtures(content)) {
    const faults = shapeFaults(FixturesShape, content, []);
    return { faults: faults.map(({ path, message }) => `${path.join('.') || 'the file'}: ${message}`) };
  }
  const faults = Object.entries(content.connectors).flatMap(([id, fixture]) => strangers(plugin, id, fixture));
  return faults.length > 0 ? { faults } : { fixtures: content };
}

function isFixtures(content: unknown): content is Fixtures {
  return shapeFaults(FixturesShape, content, []).length === 0;
}

/** Names that the manifest does not know, and answers that say two things. */
function strangers(plugin: Plugin, id: string, fixture: ConnectorFixture): string[] {
  const connector = plugin.connectors.find((one) => one.id === id);
  if (!connector) return [`connectors.${id}: the plugin has no connector of this id`];
  const fields = Object.keys(connector.credentials.properties);
  const unknownFields = Object.keys(fixture.credentials ?? {})
    .filter((name) => !fields.includes(name))
    .map((name) => `connectors.${id}.credentials.${name}: the form has no such field`);
  const lists: [string, readonly Exchange[]][] = [
    ['exchanges', fixture.exchanges ?? []],
    ...(fixture.wrong ?? []).map((wrong, index): [string, readonly Exchange[]] => [
      `wrong.${index}.exchanges`,
      wrong.exchanges,
    ]),
  ];
  const services = Object.keys(connector.services ?? {});
  return [
    ...unknownFields,
    ...lists.flatMap(([list, exchanges]) =>
      exchanges.flatMap((exchange, index) => {
        const place = `connectors.${id}.${list}.${index}`;
        const { service } = exchange.request;
        const contents = [exchange.answer.body, exchange.answer.text, exchange.answer.file];
        return [
          ...(service !== undefined && !services.includes(service)
            ? [`${place}.request.service: the connector has no service "${service}"`]
            : []),
          ...(contents.filter((content) => content !== undefined).length > 1
            ? [`${place}.answer: only one of body, text and file can be sent`]
            : []),
        ];
      }),
    ),
  ];
}
