import { Type } from 'typebox';
import { CONNECTOR_ERROR_CODES } from '../errors.ts';
import type { Plugin } from '../plugin.ts';
import { shapeIssues } from '../read-answer.ts';
import { type ConnectorFixture, type Exchange, type Fixtures, SCM_WRITES, TICKET_WRITES } from './fixtures.ts';

const strict = { additionalProperties: false } as const;
const Texts = Type.Record(Type.String(), Type.String());
const Query = Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 2 })]));
const Path = Type.String({ pattern: '^(/|$)', maxLength: 2000 });

const Values = Type.Record(Type.String(), Type.Unknown());
const Name = Type.String({ minLength: 1 });
const FilePath = Type.String({ pattern: '^(?!/)(?!.*\\.\\.)' });
const writesShape = (names: readonly string[]) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Type.Optional(Values)])), strict);

const AnswerShape = Type.Object(
  {
    status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })),
    headers: Type.Optional(Texts),
    body: Type.Optional(Type.Unknown()),
    text: Type.Optional(Type.String()),
    file: Type.Optional(FilePath),
  },
  strict,
);

const ExchangeShape = Type.Object(
  {
    request: Type.Object(
      {
        method: Type.Optional(Type.Unsafe<string>({ enum: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] })),
        path: Path,
        service: Type.Optional(Type.String()),
        query: Type.Optional(Query),
        headers: Type.Optional(Texts),
        body: Type.Optional(Type.Unknown()),
        form: Type.Optional(Texts),
        text: Type.Optional(Type.String()),
        bodyHas: Type.Optional(Type.String({ minLength: 1 })),
      },
      strict,
    ),
    answer: AnswerShape,
  },
  strict,
);

const SignInShape = Type.Object(
  {
    consent: Type.Optional(Type.String()),
    exchange: ExchangeShape,
    refresh: Type.Optional(ExchangeShape),
    refused: AnswerShape,
    revoke: Type.Optional(ExchangeShape),
  },
  strict,
);

const SecretNames = Type.Optional(Type.Array(Name));
const MigrationShape = Type.Object(
  {
    ...{ from: Name, config: Values, secrets: SecretNames },
    expect: Type.Object({ config: Values, secrets: SecretNames }, strict),
  },
  strict,
);

const DeliveryShape = Type.Object(
  { name: Name, event: Type.String(), body: Type.Unknown(), headers: Type.Optional(Texts) },
  strict,
);

const ConnectorShape = Type.Object(
  {
    credentials: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    addresses: Type.Optional(Texts),
    exchanges: Type.Optional(Type.Array(ExchangeShape)),
    signature: Type.Optional(Texts),
    expect: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    wrong: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: Type.String({ minLength: 1 }),
            during: Type.Optional(Type.String({ minLength: 1 })),
            credentials: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
            exchanges: Type.Array(ExchangeShape),
            code: Type.Unsafe<string>({ enum: [...CONNECTOR_ERROR_CODES] }),
            retryAfterSeconds: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()])),
          },
          strict,
        ),
      ),
    ),
    situations: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: Name,
            during: Name,
            credentials: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
            exchanges: Type.Array(ExchangeShape),
            isRepeated: Type.Optional(Type.Boolean()),
            expect: Type.Optional(Type.Unknown()),
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
                pullRequest: Type.Optional(Type.Integer({ minimum: 1 })),
                issue: Type.Optional(Type.Integer({ minimum: 1 })),
                ref: Type.Optional(Type.Object({ name: Type.String(), ref: Type.String() }, strict)),
                posture: Type.Optional(Type.Boolean()),
                settings: Type.Optional(Type.Array(Type.String())),
                write: Type.Optional(writesShape(SCM_WRITES)),
              },
              strict,
            ),
          ),
          deliveries: Type.Optional(Type.Array(DeliveryShape)),
          remediator: Type.Optional(
            Type.Object(
              {
                model: Type.String(),
                prompt: Type.String(),
                maxOutputTokens: Type.Optional(Type.Integer({ minimum: 1 })),
              },
              strict,
            ),
          ),
          tickets: Type.Optional(
            Type.Object(
              {
                project: Type.Optional(Type.String()),
                ticket: Type.Optional(Type.String()),
                write: Type.Optional(writesShape(TICKET_WRITES)),
              },
              strict,
            ),
          ),
          notify: Type.Optional(
            Type.Object({ title: Type.Optional(Type.String()), text: Type.Optional(Type.String()) }, strict),
          ),
          routes: Type.Optional(Type.Record(Type.String({ pattern: '^(GET|POST) /' }), Type.Unknown())),
        },
        strict,
      ),
    ),
    signIn: Type.Optional(SignInShape),
    migrations: Type.Optional(Type.Array(MigrationShape)),
  },
  strict,
);

const RecordedReportShape = Type.Object(
  { file: Type.Optional(FilePath), text: Type.Optional(Type.String()), expect: Type.Optional(Type.Unknown()) },
  strict,
);

const FixturesShape = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    connectors: Type.Record(Type.String(), ConnectorShape),
    reports: Type.Optional(Type.Record(Type.String(), Type.Array(RecordedReportShape, { minItems: 1 }))),
  },
  strict,
);

/** Fixtures of a plugin, or why they cannot be used, each issue with its place in the file. */
type ReadFixtures = { readonly fixtures: Fixtures } | { readonly issues: readonly string[] };

/** Reads the parsed content of a `conformance.json`; what it says must fit the plugin. */
export function readFixtures(content: unknown, plugin: Plugin): ReadFixtures {
  if (!isFixtures(content)) {
    const issues = shapeIssues(FixturesShape, content, []);
    return { issues: issues.map(({ path, message }) => `${path.join('.') || 'the file'}: ${message}`) };
  }
  const tools = plugin.importers.map(({ tool }) => tool);
  const issues = [
    ...Object.entries(content.connectors).flatMap(([id, fixture]) => strangers(plugin, id, fixture)),
    ...Object.keys(content.reports ?? {})
      .filter((tool) => !tools.includes(tool))
      .map((tool) => `reports.${tool}: the plugin has no importer of this tool`),
    ...Object.entries(content.reports ?? {}).flatMap(([tool, reports]) =>
      reports.flatMap(({ file, text }, index) =>
        (file === undefined) === (text === undefined)
          ? [`reports.${tool}.${index}: name its "file", or write it out as "text"`]
          : [],
      ),
    ),
  ];
  return issues.length > 0 ? { issues } : { fixtures: content };
}

function isFixtures(content: unknown): content is Fixtures {
  return shapeIssues(FixturesShape, content, []).length === 0;
}

function hasSeveral(contents: readonly unknown[]): boolean {
  return contents.filter((content) => content !== undefined).length > 1;
}

/** Names that the manifest does not know, and answers that say two things. */
function strangers(plugin: Plugin, id: string, fixture: ConnectorFixture): string[] {
  const connector = plugin.connectors.find((one) => one.id === id);
  if (!connector) return [`connectors.${id}: the plugin has no connector of this id`];
  const fields = Object.keys(connector.credentials.properties);
  const forms: [string, Readonly<Record<string, unknown>>][] = [
    ['credentials', fixture.credentials ?? {}],
    ...Object.entries({ situations: fixture.situations, wrong: fixture.wrong }).flatMap(([list, cases = []]) =>
      cases.map(({ credentials = {} }, index): [string, Readonly<Record<string, unknown>>] => [
        `${list}.${index}.credentials`,
        credentials,
      ]),
    ),
  ];
  const unknownFields = forms.flatMap(([place, values]) =>
    Object.keys(values)
      .filter((name) => !fields.includes(name))
      .map((name) => `connectors.${id}.${place}.${name}: the form has no such field`),
  );
  const lists: [string, readonly Exchange[]][] = [
    ['exchanges', fixture.exchanges ?? []],
    ...(fixture.wrong ?? []).map((wrong, index): [string, readonly Exchange[]] => [
      `wrong.${index}.exchanges`,
      wrong.exchanges,
    ]),
    ...(fixture.situations ?? []).map((one, index): [string, readonly Exchange[]] => [
      `situations.${index}.exchanges`,
      one.exchanges,
    ]),
  ];
  const services = Object.keys(connector.services ?? {});
  return [
    ...unknownFields,
    ...lists.flatMap(([list, exchanges]) =>
      exchanges.flatMap((exchange, index) => {
        const place = `connectors.${id}.${list}.${index}`;
        const { service } = exchange.request;
        return [
          ...(service !== undefined && !services.includes(service)
            ? [`${place}.request.service: the connector has no service "${service}"`]
            : []),
          ...(hasSeveral([exchange.answer.body, exchange.answer.text, exchange.answer.file])
            ? [`${place}.answer: only one of body, text and file can be sent`]
            : []),
          ...(hasSeveral([exchange.request.body, exchange.request.form, exchange.request.text])
            ? [`${place}.request: only one of body, form and text can be sent`]
            : []),
        ];
      }),
    ),
  ];
}
