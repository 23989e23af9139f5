import { Type } from 'typebox';
import { FINDING_TYPES, SEVERITIES } from '../findings/finding.ts';
import { NormalizedFindingShape } from '../findings/finding-schema.ts';
import { Actions } from './actions/actions-schema.ts';
import { Expression, OneOf, RecordsPath, Refusals, requestOf, strict } from './schema-parts.ts';

const Request = requestOf(['GET', 'POST']);

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
    refuse: Type.Optional(Refusals),
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
    auth: Type.Optional(Type.Object({ type: OneOf(['none', 'bearer', 'header', 'basic', 'oauth2', 'address']) })),
    baseUrl: Type.Optional(Type.String()),
    services: Type.Optional(Type.Unknown()),
    permissions: Type.Optional(Type.Object({ egress: Type.Array(Type.String()) }, strict)),
    check: Type.Optional(Check),
    findings: Type.Optional(Findings),
    actions: Type.Optional(Actions),
    report: Type.Optional(Report),
  },
  strict,
);
