import { SEVERITIES } from '@breakwater/sdk';
import { Type } from 'typebox';
import { FindingFilters } from '../../findings/model/filter-schema.ts';
import { FINDING_STATUSES } from '../../findings/model/states.ts';
import { route } from '../../platform/api/contract.ts';
import { Id, Item, Nullable, OneOf, SentenceShape, SeverityCounts } from '../../platform/api/envelope.ts';

const strict = { additionalProperties: false } as const;
const access = { permission: 'findings.read', tenant: true } as const;

const FIX_KINDS = ['upgrade', 'template', 'workflow', 'secret'] as const;

/** Findings that one kind of change closes. */
export const FixGroupAttributes = Type.Object({
  kind: OneOf(FIX_KINDS),
  /** `Upgrade express-jwt 0.1.3 → 8.4.1`. */
  label: Type.String(),
  /** The same with its values, so that it can be written in every language. */
  said: SentenceShape,
  /** Findings. */
  count: Type.Integer(),
  severities: SeverityCounts,
  /** 0-100. */
  highest_priority: Type.Number(),
  kev: Type.Boolean(),
  /** 0-1. */
  max_epss: Nullable(Type.Number()),
  /** How many repositories it is in, branches counted apart. */
  repositories: Type.Integer(),
});

const filtered = {
  filters: Type.Optional(FindingFilters),
  search: Type.Optional(Type.String({ maxLength: 200 })),
  /** `meta.next` of the page before. */
  after: Type.Optional(Type.String({ maxLength: 1000 })),
} as const;

export const listFixes = route({
  method: 'GET',
  path: '/fixes',
  tag: 'remediation',
  summary: 'Findings put together by what fixes them, highest priority first',
  access,
  query: Type.Object({ ...filtered, limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })) }, strict),
  response: Type.Object({
    data: Type.Array(Item(FixGroupAttributes)),
    meta: Type.Object({
      /** Fixes. */
      total: Type.Integer(),
      /** Findings that they close. */
      grouped: Type.Integer(),
      /** Findings for which no fix is known without looking at their files. */
      ungrouped: Type.Integer(),
      /** Of the next page; null at the end. */
      next: Nullable(Type.String()),
    }),
  }),
});

export const getFixOfFinding = route({
  method: 'GET',
  path: '/findings/{id}/fix',
  tag: 'remediation',
  summary: 'What fixes a finding, and how many findings of its repository that closes',
  access,
  params: Type.Object({ id: Id }),
  query: Type.Object({ filters: Type.Optional(FindingFilters) }, strict),
  response: Type.Object({
    /** Null where no fix is known without looking at files. */
    data: Nullable(
      Type.Object({ kind: OneOf(FIX_KINDS), label: Type.String(), said: SentenceShape, closes: Type.Integer() }),
    ),
  }),
  errors: ['finding_not_found'],
});

/** A finding that a fix closes. */
export const FixedFinding = Type.Object({
  title: Type.String(),
  cve: Nullable(Type.String()),
  severity: OneOf(SEVERITIES),
  priority: Type.Number(),
  status: OneOf(FINDING_STATUSES),
  repository_id: Id,
  repository: Type.String(),
  file_path: Nullable(Type.String()),
  start_line: Nullable(Type.Integer()),
  component_version: Nullable(Type.String()),
});

export const listFindingsOfFix = route({
  method: 'GET',
  path: '/fixes/findings',
  tag: 'remediation',
  summary: 'The findings that one fix closes, highest priority first',
  access,
  query: Type.Object(
    {
      ...filtered,
      /** Of the fix. */
      key: Type.String({ minLength: 1, maxLength: 1000 }),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
    },
    strict,
  ),
  response: Type.Object({
    data: Type.Array(Item(FixedFinding)),
    meta: Type.Object({ next: Nullable(Type.String()) }),
  }),
  errors: ['not_found'],
});
