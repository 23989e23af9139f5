import { Type } from 'typebox';
import type { Json } from '../context.ts';
import { CONNECTOR_ERROR_CODES, type ConnectorErrorCode } from '../errors.ts';
import type { Plugin } from '../plugin.ts';
import { shapeIssues } from '../read-answer.ts';

/**
 * A request that the service was recorded to get, exactly: what is sent and not recorded is as wrong as what is recorded and not sent.
 * In values, `{{field}}` is a field of the form (secrets, too) and `{{any}}` stands for any text. At most one of `body`, `form` and `text`.
 * The exchanges of `wrong` answer to whatever holds what they name.
 */
export interface RecordedRequest {
  /** Default GET. */
  readonly method?: string;
  /** As the connector writes it, below `baseUrl` or below the root that `service` names: `/user`; empty: the root itself. */
  readonly path: string;
  /** Name of one of the connector's `services`; left out: `baseUrl`. */
  readonly service?: string;
  /** The whole query; a list where a name comes more than once. */
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  /** Headers that the connector sets itself; those of `signature`, of the host and of the kind of body are added. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: Json;
  /** Sent as a form. */
  readonly form?: Readonly<Record<string, string>>;
  /** Sent as it is. */
  readonly text?: string;
  /** A text that the body must hold, to tell requests to one path apart: `Action=GetCallerIdentity`. */
  readonly bodyHas?: string;
}

/**
 * What the service was recorded to answer, secrets removed. At most one of `body`, `text` and `file`.
 * `{{base}}` in headers and texts is the address of the fake service for that root, `{{field}}` a field of `credentials`.
 */
export interface RecordedAnswer {
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: Json;
  /** Sent as it is. */
  readonly text?: string;
  /** Path of a file below the plugin's folder, sent as it is. */
  readonly file?: string;
}

/** The same request recorded twice gives the first answer first, the last one again and again. */
export interface Exchange {
  readonly request: RecordedRequest;
  readonly answer: RecordedAnswer;
}

/** A situation in which the connector must fail, and with which code. */
export interface WrongCase {
  /** `no such project`. */
  readonly name: string;
  /** Which operation runs: `check` (default), `findings.sync`, `cloud.inventory`, `GET /projects` … */
  readonly during?: string;
  /** Put before the recorded exchanges: what differs. */
  readonly exchanges: readonly Exchange[];
  readonly code: ConnectorErrorCode;
}

/** What the kit needs to call capabilities that take something. */
export interface Calls {
  readonly scm?: {
    /** `ScmRepository.id`. */
    readonly repository: string;
    readonly file?: { readonly path: string; readonly at: string };
    /** Numbers of a pull request and of an issue of the repository. */
    readonly pullRequest?: number;
    readonly issue?: number;
    /** A tag or branch, of a repository by its name. */
    readonly ref?: { readonly name: string; readonly ref: string };
  };
  readonly remediator?: { readonly model: string; readonly prompt: string };
  /** `TicketProject.key` of one with types, `Ticket.id` of one that can be read. */
  readonly tickets?: { readonly project: string; readonly ticket: string };
  /** What the channel is told; left out: texts that look like mentions, links and markup. */
  readonly notify?: { readonly title?: string; readonly text?: string };
  /** Input by method and path of an own route: `{ "GET /projects": {} }`. */
  readonly routes?: Readonly<Record<string, Json>>;
}

/** Recorded conversation of one connector with its service. */
export interface ConnectorFixture {
  /**
   * Test values of the form. A secret that is left out, or written `{{canary}}`, gets a random canary; one that must have a shape
   * (a key file) is written out, made for the test alone, and is looked for in the same way.
   */
  readonly credentials?: Readonly<Record<string, Json>>;
  readonly exchanges?: readonly Exchange[];
  /**
   * Headers that the host signs every request to `baseUrl` with: `{ "authorization": "Bearer {{token}}" }`. `Basic {{username}}:{{password}}` is
   * sent in base64.
   */
  readonly signature?: Readonly<Record<string, string>>;
  /**
   * What each operation answers with the recorded exchanges, by its name: `{ "check": { "identity": "ada" }, "findings.sync": [ … ] }`. `{{any}}`
   * stands for any text, `{{origin}}` for the address of the fake service. `breakwater-connector test --update` writes it.
   */
  readonly expect?: Readonly<Record<string, Json>>;
  readonly wrong?: readonly WrongCase[];
  readonly calls?: Calls;
}

/** Content of `conformance.json`. */
export interface Fixtures {
  /** By connector id. */
  readonly connectors: Readonly<Record<string, ConnectorFixture>>;
}

const strict = { additionalProperties: false } as const;
const Texts = Type.Record(Type.String(), Type.String());
const Query = Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 2 })]));
const Path = Type.String({ pattern: '^(/|$)', maxLength: 2000 });

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
    signature: Type.Optional(Texts),
    expect: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
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
                pullRequest: Type.Optional(Type.Integer({ minimum: 1 })),
                issue: Type.Optional(Type.Integer({ minimum: 1 })),
                ref: Type.Optional(Type.Object({ name: Type.String(), ref: Type.String() }, strict)),
              },
              strict,
            ),
          ),
          remediator: Type.Optional(Type.Object({ model: Type.String(), prompt: Type.String() }, strict)),
          tickets: Type.Optional(Type.Object({ project: Type.String(), ticket: Type.String() }, strict)),
          notify: Type.Optional(
            Type.Object({ title: Type.Optional(Type.String()), text: Type.Optional(Type.String()) }, strict),
          ),
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

/** Fixtures of a plugin, or why they cannot be used, each issue with its place in the file. */
type ReadFixtures = { readonly fixtures: Fixtures } | { readonly issues: readonly string[] };

/** Reads the parsed content of a `conformance.json`; what it says must fit the plugin. */
export function readFixtures(content: unknown, plugin: Plugin): ReadFixtures {
  if (!isFixtures(content)) {
    const issues = shapeIssues(FixturesShape, content, []);
    return { issues: issues.map(({ path, message }) => `${path.join('.') || 'the file'}: ${message}`) };
  }
  const issues = Object.entries(content.connectors).flatMap(([id, fixture]) => strangers(plugin, id, fixture));
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
