import { Type } from 'typebox';
import { Check, Errors } from 'typebox/schema';
import { FINDING_TYPES, type NormalizedFinding, SEVERITIES } from './finding.ts';

const Text = (maxLength: number) => Type.String({ maxLength });
const Line = Type.Integer({ minimum: 1 });
const OneOf = (values: readonly string[]) => Type.Unsafe<string>({ type: 'string', enum: [...values] });
const strict = { additionalProperties: false } as const;
const LONG = 1_000_000;

const LocationShape = Type.Object(
  {
    path: Text(4096),
    startLine: Type.Optional(Line),
    endLine: Type.Optional(Line),
    startColumn: Type.Optional(Line),
    endColumn: Type.Optional(Line),
    snippet: Type.Optional(Text(LONG)),
    message: Type.Optional(Text(LONG)),
  },
  strict,
);

const ComponentShape = Type.Object(
  {
    name: Text(4096),
    version: Type.Optional(Text(1000)),
    purl: Type.Optional(Text(4096)),
    fixedVersion: Type.Optional(Text(4096)),
    ecosystem: Type.Optional(Text(100)),
  },
  strict,
);

const HttpShape = Type.Object(
  { request: Type.Optional(Text(LONG)), response: Type.Optional(Text(LONG)), curl: Type.Optional(Text(LONG)) },
  strict,
);

/** A finding as a connector hands it over, as JSON Schema: unknown fields are refused, so that a typing error is not lost. */
export const NormalizedFindingShape = Type.Object(
  {
    kind: Type.Literal('finding'),
    ruleId: Type.String({ minLength: 1, maxLength: 1000 }),
    title: Type.String({ minLength: 1, maxLength: 4096 }),
    type: OneOf(FINDING_TYPES),
    severity: OneOf(SEVERITIES),
    tool: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    nativeSeverity: Type.Optional(Text(200)),
    severityNumerical: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
    description: Type.Optional(Text(LONG)),
    mitigation: Type.Optional(Text(LONG)),
    cwe: Type.Optional(Type.Array(Type.Integer({ minimum: 1, maximum: 100_000 }), { maxItems: 100 })),
    cve: Type.Optional(Text(100)),
    aliases: Type.Optional(Type.Array(Text(200), { maxItems: 1000 })),
    cvssScore: Type.Optional(Type.Number({ minimum: 0, maximum: 10 })),
    cvssVector: Type.Optional(Text(500)),
    epss: Type.Optional(
      Type.Object(
        {
          probability: Type.Number({ minimum: 0, maximum: 1 }),
          percentile: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
          date: Type.Optional(Text(40)),
        },
        strict,
      ),
    ),
    references: Type.Optional(Type.Array(Text(4096), { maxItems: 1000 })),
    component: Type.Optional(ComponentShape),
    locations: Type.Optional(Type.Array(LocationShape, { maxItems: 10_000 })),
    codeFlows: Type.Optional(Type.Array(Type.Array(LocationShape, { maxItems: 1000 }), { maxItems: 100 })),
    secretHash: Type.Optional(Text(200)),
    fingerprint: Type.Optional(Text(1000)),
    resource: Type.Optional(Text(4096)),
    http: Type.Optional(HttpShape),
    policy: Type.Optional(
      Type.Object(
        {
          name: Type.Optional(Text(1000)),
          category: Type.Optional(Text(1000)),
          control: Type.Optional(Text(1000)),
        },
        strict,
      ),
    ),
    suppressed: Type.Optional(
      Type.Object(
        {
          verdict: OneOf(['false_positive', 'accepted_risk', 'mitigated_externally']),
          reason: Type.Optional(Text(10_000)),
        },
        strict,
      ),
    ),
    date: Type.Optional(Text(40)),
    published: Type.Optional(Text(40)),
    tags: Type.Optional(Type.Array(Text(200), { maxItems: 1000 })),
    language: Type.Optional(Text(100)),
  },
  strict,
);

/** Whether something is a finding that the host takes in. */
export function isNormalizedFinding(value: unknown): value is NormalizedFinding {
  return Check(NormalizedFindingShape, value);
}

/** What is wrong with something that should be a finding, in words: `severity: must be one of …`. Empty for a sound one. */
export function findingIssues(value: unknown): string[] {
  const [isSound, errors] = Errors(NormalizedFindingShape, value);
  if (isSound) return [];
  return errors.map((error) => {
    const place = error.instancePath.slice(1).replaceAll('/', '.');
    return `${place === '' ? 'finding' : place}: ${error.keyword === 'boolean' ? 'is not a known field' : error.message}`;
  });
}
