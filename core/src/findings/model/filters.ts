import { FINDING_TYPES, SEVERITIES } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { FINDING_STATUSES, VISIBILITIES } from './states.ts';

const oneOf = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values] });
const Uuid = Type.String({ format: 'uuid' });
const Words = Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { maxItems: 200 });
const visibility = Type.Optional(oneOf(VISIBILITIES));

/** Filters of every findings list, facet and chart. An absent filter filters nothing. Source: specification §3, decisions.md "Wire shapes". */
export const FindingFilters = Type.Object(
  {
    severity: Type.Optional(Type.Array(oneOf(SEVERITIES))),
    status: Type.Optional(Type.Array(oneOf(FINDING_STATUSES))),
    type: Type.Optional(Type.Array(oneOf(FINDING_TYPES))),
    category: Type.Optional(Words),
    tool: Type.Optional(Words),
    repository: Type.Optional(Type.Array(Uuid, { maxItems: 200 })),
    /** Names; the default branch of each repository where none is given. */
    branch: Type.Optional(Words),
    cwe: Type.Optional(Type.Array(Type.Integer({ minimum: 1, maximum: 100_000 }), { maxItems: 200 })),
    cve: Type.Optional(Words),
    owasp: Type.Optional(Words),
    slsa_threats: Type.Optional(Words),
    owasp_cicd: Type.Optional(Words),
    language: Type.Optional(Words),
    file: Type.Optional(Words),
    component: Type.Optional(Words),
    issue_owner: Type.Optional(Type.Array(Uuid, { maxItems: 200 })),
    cvssv3_score_gt: Type.Optional(Type.Number({ minimum: 0, maximum: 10 })),
    cvssv3_score_lt: Type.Optional(Type.Number({ minimum: 0, maximum: 10 })),
    priority_gt: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
    priority_lt: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
    fixing_effort_gt: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
    fixing_effort_lt: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
    date_gt: Type.Optional(Type.String({ format: 'date' })),
    date_lt: Type.Optional(Type.String({ format: 'date' })),
    kev: Type.Optional(oneOf(['only', 'hide', 'show'])),
    false_positive: visibility,
    accepted_risk: visibility,
    is_duplicate: visibility,
    is_subfinding: visibility,
  },
  { additionalProperties: false },
);

export type FindingFilters = Static<typeof FindingFilters>;
