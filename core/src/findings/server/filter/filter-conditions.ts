import { type RawBuilder, sql } from 'kysely';
import { severityRank } from '../../../platform/model/severity.ts';
import { storable } from '../../../platform/server/database.ts';
import type { ReferenceData } from '../../../prioritisation/server/index.ts';
import { branchesOf } from '../../../repositories/server/index.ts';
import type { FindingFilters } from '../../model/filter-catalogue.ts';
import type { SlaDays } from '../../model/sla.ts';
import { REMEDIATION_TYPES, STATUSES_OF_REMEDIATION } from '../../model/states.ts';
import type { Condition, NamedCondition } from './conditions.ts';
import { definitionConditions } from './definition-conditions.ts';
import { rowConditions } from './row-conditions.ts';
import { isSentTo, ownedRepositories, type Viewer } from './viewer.ts';

/** Branches by name, and repositories whose default branch is called so. */
const named = (clientId: string, names: readonly string[]) => sql`
  select b.id from repository_branches b where b.client_id = ${clientId} and b.name = any(${storable(names)}::text[])
  union all
  select r.id from repositories r where r.client_id = ${clientId} and r.repository_branch = any(${storable(names)}::text[])`;

/**
 * Conditions on kinds `k` for a client that has other branches than the default ones, or asks for one: those of the default branch
 * where none is named. A finding of another branch has the branch's id as its repository.
 */
export const withBranches = (
  kinds: readonly NamedCondition[],
  { clientId, filters }: { clientId: string; filters: FindingFilters },
): NamedCondition[] => {
  const { branch, repository } = filters;
  const isNamed = branch !== undefined && branch.length > 0;
  const wanted = isNamed
    ? sql<boolean>`k.repository_id = any(array(${named(clientId, branch)}))`
    : sql<boolean>`not k.repository_id = any(array(select id from repository_branches where client_id = ${clientId}))`;
  const others = kinds.filter((condition) => condition.key !== 'repository');
  if (repository === undefined || repository.length === 0) return [...others, { key: 'branch', sql: wanted }];
  const ids = sql`select unnest(${[...repository]}::uuid[])`;
  const within = sql<boolean>`k.repository_id = any(array(${ids} union all ${branchesOf(clientId, ids)}))`;
  return [...others, { key: 'branch', sql: wanted }, { key: 'repository', sql: within }];
};

/** Conditions of a filter, by the table that answers them. */
export interface FilterConditions {
  /** On aggregate_sources as `k`. */
  sources: NamedCondition[];
  /** On aggregate_dispositions as `s`. */
  dispositions: NamedCondition[];
  /** What the viewer may see, on `k` and `s` together. */
  scope: Condition[];
  /** On finding_definitions as `x`. */
  definitions: NamedCondition[];
  /** On findings as `f`: hardly a rollup answers these. */
  rows: NamedCondition[];
}

type Values<T> = readonly T[] | undefined;

const oneOf = (key: string, column: string, values: Values<string>): NamedCondition[] =>
  values === undefined || values.length === 0
    ? []
    : [{ key, sql: sql<boolean>`${sql.ref(column)} = any(${storable(values)}::text[])` }];

const oneOfIds = (key: string, column: string, values: Values<string>): NamedCondition[] =>
  values === undefined || values.length === 0
    ? []
    : [{ key, sql: sql<boolean>`${sql.ref(column)} = any(${[...values]}::uuid[])` }];

const visible = (key: string, wanted: 'hide' | 'show' | 'only' | undefined, test: Condition): NamedCondition[] => {
  if (wanted === undefined || wanted === 'show') return [];
  return [{ key, sql: wanted === 'only' ? test : sql<boolean>`not ${test}` }];
};

/** Repositories of these source controls, and their branches. */
const withProvider = (providers: readonly string[]): RawBuilder<unknown> => sql`
  select r.id from repositories r where r.client_id = current_client() and r.source_control = any(${storable(providers)}::text[])
  union all
  select b.id from repository_branches b join repositories r on r.client_id = b.client_id and r.id = b.repository_id
  where b.client_id = current_client() and r.source_control = any(${storable(providers)}::text[])`;

const sourceConditions = (filters: FindingFilters): NamedCondition[] => [
  ...(filters.severity === undefined || filters.severity.length === 0
    ? []
    : [
        {
          key: 'severity',
          sql: sql<boolean>`k.severity = any(${filters.severity.map(severityRank)}::smallint[])`,
        },
      ]),
  ...oneOf('type', 'k.type', filters.type),
  ...oneOf('category', 'k.category', filters.category),
  ...oneOf('tool', 'k.tool', filters.tool),
  ...oneOf('language', 'k.language', filters.language),
  ...oneOfIds('repository', 'k.repository_id', filters.repository),
  ...(filters.provider === undefined || filters.provider.length === 0
    ? []
    : [{ key: 'provider', sql: sql<boolean>`k.repository_id = any(array(${withProvider(filters.provider)}))` }]),
  ...visible('kev', filters.kev, sql<boolean>`k.kev`),
];

const developerConditions = (filters: FindingFilters): NamedCondition[] => {
  const { developer, review_requested: wanted } = filters;
  return [
    ...(developer === undefined || developer.length === 0
      ? []
      : [{ key: 'developer', sql: sql<boolean>`coalesce(s.developers && ${[...developer]}::uuid[], false)` }]),
    ...(wanted?.length === 1
      ? [
          {
            key: 'review_requested',
            sql: sql<boolean>`(s.review_requested_by_id is not null) = ${wanted[0] === 'true'}::boolean`,
          },
        ]
      : []),
    ...oneOfIds('review_requested_by_id', 's.review_requested_by_id', filters.review_requested_by_id),
  ];
};

const remediationConditions = ({ remediation_type: types }: FindingFilters): NamedCondition[] =>
  oneOf(
    'remediation_type',
    's.status',
    types?.flatMap((type) => STATUSES_OF_REMEDIATION[type]),
  );

const dispositionConditions = (filters: FindingFilters): NamedCondition[] => [
  ...oneOf('status', 's.status', filters.status),
  ...oneOfIds('issue_owner', 's.issue_owner', filters.issue_owner),
  ...developerConditions(filters),
  ...remediationConditions(filters),
  ...(filters.sla === undefined || filters.sla.length === 0 ? [] : [{ key: 'sla', sql: sql<boolean>`s.is_open` }]),
  ...visible('verdict', filters.false_positive, sql<boolean>`(s.verdict = 'false_positive')`),
  ...visible('verdict', filters.accepted_risk, sql<boolean>`(s.verdict = 'accepted_risk')`),
  ...visible('is_duplicate', filters.is_duplicate, sql<boolean>`(s.is_duplicate or s.verdict = 'duplicate')`),
  ...visible('is_subfinding', filters.is_subfinding, sql<boolean>`s.is_subfinding`),
];

/** Turns the filters of a request into conditions, bound to what the viewer may see. */
export const conditionsOf = (
  filters: FindingFilters,
  viewer: Viewer,
  { reference, slaDays }: { reference: ReferenceData; slaDays: SlaDays },
): FilterConditions => ({
  sources: sourceConditions(filters),
  dispositions: dispositionConditions(filters),
  scope: viewer.seesAll
    ? []
    : [sql<boolean>`(k.repository_id = any(${ownedRepositories(viewer)}) or ${isSentTo(viewer, 's')})`],
  definitions: definitionConditions(filters, reference),
  rows: rowConditions(filters, slaDays),
});

/** What is opened to fix a finding with this status. */
export const remediationSql = (status: 'f.status' | 's.status'): RawBuilder<string> =>
  sql<string>`case ${sql.join(
    REMEDIATION_TYPES.map(
      (type) => sql`when ${sql.ref(status)} = any(${[...STATUSES_OF_REMEDIATION[type]]}::text[]) then ${type}`,
    ),
    sql` `,
  )} end`;
