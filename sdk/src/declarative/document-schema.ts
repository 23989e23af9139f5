import { Type } from 'typebox';
import { CONNECTOR_ERROR_CODES } from '../errors.ts';
import { FINDING_TYPES, SEVERITIES } from '../findings/finding.ts';
import { NormalizedFindingShape } from '../findings/finding-schema.ts';

const strict = { additionalProperties: false } as const;
const OneOf = (values: readonly string[]) => Type.Unsafe<string>({ type: 'string', enum: [...values] });
const Expression = Type.String({ minLength: 1, maxLength: 4000 });
const Text = Type.String({ minLength: 1, maxLength: 2000 });
const Texts = Type.Record(Type.String({ maxLength: 200 }), Type.String({ maxLength: 4000 }));
const Scalar = Type.Union([Type.String({ maxLength: 2000 }), Type.Number(), Type.Boolean()]);

const Request = Type.Object(
  {
    method: Type.Optional(OneOf(['GET', 'POST'])),
    path: Type.String({ pattern: '^(/|$)', maxLength: 2000 }),
    service: Type.Optional(Text),
    query: Type.Optional(
      Type.Record(Type.String(), Type.Union([Scalar, Type.Array(Type.String(), { maxItems: 100 })])),
    ),
    headers: Type.Optional(Texts),
    body: Type.Optional(Type.Unknown()),
    form: Type.Optional(Texts),
    accept: Type.Optional(Type.Array(Type.Integer({ minimum: 200, maximum: 499 }), { maxItems: 10 })),
  },
  strict,
);

const Place = Type.String({ minLength: 1, maxLength: 200 });
const Size = Type.Integer({ minimum: 1, maximum: 10_000 });
const where = { in: Type.Optional(OneOf(['query', 'body'])) };
const PAGINGS = [
  Type.Object({ type: Type.Literal('link') }, strict),
  Type.Object(
    { type: Type.Literal('cursor'), cursorAt: Place, parameter: Place, moreAt: Type.Optional(Place), ...where },
    strict,
  ),
  Type.Object({ type: Type.Literal('next'), nextAt: Place }, strict),
  Type.Object(
    {
      type: Type.Literal('page'),
      parameter: Place,
      size: Size,
      sizeParameter: Type.Optional(Place),
      first: Type.Optional(Type.Integer({ minimum: 0 })),
      itemsAt: Type.Optional(Place),
      ...where,
    },
    strict,
  ),
  Type.Object(
    {
      type: Type.Literal('offset'),
      parameter: Place,
      size: Size,
      sizeParameter: Type.Optional(Place),
      itemsAt: Type.Optional(Place),
      ...where,
    },
    strict,
  ),
];

const RecordsPath = Type.String({ pattern: '^[^.\\s]+(\\.[^.\\s]+)*$', maxLength: 200 });
const list = {
  request: Request,
  paging: Type.Optional(Type.Union(PAGINGS)),
  records: Type.Optional(RecordsPath),
};

/** Fields of a finding, each as an expression; `kind` is the interpreter's. */
const FIELDS = Object.keys(NormalizedFindingShape.properties).filter((name) => name !== 'kind');

const mapping = {
  where: Type.Optional(Expression),
  type: Type.Optional(OneOf(FINDING_TYPES)),
  map: Type.Object(
    {
      ...Object.fromEntries(FIELDS.map((name) => [name, Type.Optional(Expression)])),
      ruleId: Expression,
      title: Expression,
      severity: Expression,
    },
    strict,
  ),
  severities: Type.Optional(Type.Record(Type.String({ minLength: 1, maxLength: 200 }), OneOf(SEVERITIES))),
};

const Check = Type.Object(
  {
    request: Request,
    refuse: Type.Optional(
      Type.Array(
        Type.Object(
          {
            when: Expression,
            code: OneOf(CONNECTOR_ERROR_CODES),
            message: Type.String({ minLength: 1, maxLength: 200 }),
            help: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
          },
          strict,
        ),
        { maxItems: 20 },
      ),
    ),
    identity: Expression,
    scopes: Type.Optional(Expression),
  },
  strict,
);

const Findings = Type.Object(
  {
    ...list,
    ...mapping,
    targets: Type.Optional(
      Type.Object(
        {
          ...list,
          map: Type.Object({ id: Expression, name: Expression, url: Type.Optional(Expression) }, strict),
        },
        strict,
      ),
    ),
  },
  strict,
);

const Report = Type.Object(
  {
    ...mapping,
    tool: Type.Optional(Type.String({ pattern: '^[a-z0-9]+([_-][a-z0-9]+)*$', maxLength: 60 })),
    format: OneOf(['json', 'ndjson']),
    recognise: Type.Array(Type.String({ minLength: 4, maxLength: 200 }), { minItems: 1, maxItems: 10 }),
    records: Type.Optional(RecordsPath),
    identity: Type.String({ minLength: 1, maxLength: 200 }),
  },
  strict,
);

/** Structure of `connector.json`. What stands on the card, in the form and in `auth` is judged by the schema of manifests besides. */
export const DocumentShape = Type.Object(
  {
    $schema: Type.Optional(Type.String({ maxLength: 500 })),
    // which one is judged before the rest: `refusalOf`
    api: Type.Optional(Type.String()),
    id: Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 60 }),
    version: Type.String({ maxLength: 60 }),
    publisher: Type.Optional(Type.String({ maxLength: 200 })),
    title: Type.String({ minLength: 1, maxLength: 200 }),
    category: Type.String(),
    image: Type.Optional(Type.String({ pattern: '^data:image/(svg\\+xml|png)[;,]', maxLength: 60_000 })),
    description: Type.String(),
    documentation: Type.Optional(Type.String()),
    commercial: Type.Optional(Type.Boolean()),
    credentials: Type.Optional(Type.Unknown()),
    auth: Type.Optional(Type.Object({ type: OneOf(['none', 'bearer', 'header', 'basic', 'oauth2']) })),
    baseUrl: Type.Optional(Type.String()),
    services: Type.Optional(Type.Unknown()),
    permissions: Type.Optional(Type.Object({ egress: Type.Array(Type.String()) }, strict)),
    check: Type.Optional(Check),
    findings: Type.Optional(Findings),
    report: Type.Optional(Report),
  },
  strict,
);
