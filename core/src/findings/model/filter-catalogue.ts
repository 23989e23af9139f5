import { FINDING_TYPES, SEVERITIES } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { SLA_STATES } from './sla.ts';
import { FINDING_STATUSES, MITIGATIONS, REMEDIATION_TYPES, VISIBILITIES } from './states.ts';

const oneOf = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values] });
const Uuid = Type.String({ format: 'uuid' });
const Words = Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { maxItems: 200 });
const Uuids = Type.Array(Uuid, { maxItems: 200 });
const Column = Type.Integer({ minimum: 0, maximum: 2_147_483_647 });
const visibility = Type.Optional(oneOf(VISIBILITIES));

/** Filters of every findings list, facet and chart. An absent filter filters nothing. Source: specification §3, decisions.md "Wire shapes". */
export const FindingFilters = Type.Object(
  {
    severity: Type.Optional(Type.Array(oneOf(SEVERITIES))),
    status: Type.Optional(Type.Array(oneOf(FINDING_STATUSES))),
    type: Type.Optional(Type.Array(oneOf(FINDING_TYPES))),
    category: Type.Optional(Words),
    tool: Type.Optional(Words),
    repository: Type.Optional(Uuids),
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
    /** CVE, else the first other name of a vulnerability: exactly one group of findings. */
    vulnerability: Type.Optional(Words),
    /** Rule ids of tools. */
    rule: Type.Optional(Words),
    /** Those a finding was sent to. */
    developer: Type.Optional(Uuids),
    issue_owner: Type.Optional(Uuids),
    review_requested: Type.Optional(Type.Array(oneOf(['true', 'false']), { maxItems: 2 })),
    review_requested_by_id: Type.Optional(Uuids),
    policy_category: Type.Optional(Words),
    policy_name: Type.Optional(Words),
    policy_control: Type.Optional(Words),
    /** By what was opened for a finding. */
    remediation_type: Type.Optional(Type.Array(oneOf(REMEDIATION_TYPES))),
    /** What removes it: an update, nothing known yet, a change of code or configuration. */
    mitigation: Type.Optional(Type.Array(oneOf(MITIGATIONS))),
    /** Source control of the repository. */
    provider: Type.Optional(Words),
    tags: Type.Optional(Words),
    /** Endings of file names to leave out: `md`, `.lock`. */
    excluded_file_types: Type.Optional(Words),
    /** First and last column of the place, as reported. */
    start_column: Type.Optional(Column),
    end_column: Type.Optional(Column),
    /** Open findings by the time their severity allows. */
    sla: Type.Optional(Type.Array(oneOf(SLA_STATES))),
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

/** What findings can be put together by. */
export const GROUP_KEYS = ['vulnerability', 'component', 'file', 'rule'] as const;
export type GroupKey = (typeof GROUP_KEYS)[number];

/** Orders of groups. */
export const GROUP_SORTS = ['count', 'priority', 'severity', 'name'] as const;
export type GroupSort = (typeof GROUP_SORTS)[number];

/** The filters that show exactly the findings of a group of a list. A rule is one tool's. */
export const filtersOfGroup = (
  filters: FindingFilters,
  by: GroupKey,
  group: { key: string; tool: string | null },
): FindingFilters => {
  const own = { ...filters, [by]: [group.key] };
  return by === 'rule' && group.tool !== null ? { ...own, tool: [group.tool] } : own;
};
