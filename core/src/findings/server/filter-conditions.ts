import { type RawBuilder, sql } from 'kysely';
import { severityRank } from '../../platform/model/severity.ts';
import { storable } from '../../platform/server/like-pattern.ts';
import type { FindingFilters } from '../model/filters.ts';
import { isSentTo, ownedRepositories, type Viewer } from './viewer.ts';

export type Condition = RawBuilder<boolean>;

/** A condition under the name of the facet that it narrows, so that the facet can leave it out. */
export interface NamedCondition {
  key: string;
  sql: Condition;
}

/** Conditions of a filter, by the table that answers them. */
export interface FilterConditions {
  /** On finding_kinds as `k`. */
  kinds: NamedCondition[];
  /** On finding_states as `s`. */
  states: NamedCondition[];
  /** What the viewer may see, on `k` and `s` together. */
  scope: Condition[];
  /** On finding_subjects as `x`. */
  subjects: NamedCondition[];
  /** On findings as `f`: no rollup answers these. */
  rows: Condition[];
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

const kindConditions = (filters: FindingFilters): NamedCondition[] => [
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
  ...visible('kev', filters.kev, sql<boolean>`k.kev`),
];

const stateConditions = (filters: FindingFilters): NamedCondition[] => [
  ...oneOf('status', 's.status', filters.status),
  ...oneOfIds('issue_owner', 's.issue_owner', filters.issue_owner),
  ...visible('verdict', filters.false_positive, sql<boolean>`(s.verdict = 'false_positive')`),
  ...visible('verdict', filters.accepted_risk, sql<boolean>`(s.verdict = 'accepted_risk')`),
  ...visible('is_duplicate', filters.is_duplicate, sql<boolean>`(s.is_duplicate or s.verdict = 'duplicate')`),
  ...visible('is_subfinding', filters.is_subfinding, sql<boolean>`s.is_subfinding`),
];

const subjectConditions = (filters: FindingFilters): NamedCondition[] => {
  const conditions = [...oneOf('component', 'x.component', filters.component)];
  if (filters.cwe !== undefined && filters.cwe.length > 0) {
    conditions.push({ key: 'cwe', sql: sql<boolean>`x.cwe && ${[...filters.cwe]}::integer[]` });
  }
  if (filters.cve !== undefined && filters.cve.length > 0) {
    const names = storable(filters.cve).map((name) => (/^cve-/i.test(name) ? name.toUpperCase() : name));
    conditions.push({
      key: 'cve',
      sql: sql<boolean>`(x.cve = any(${names}::text[]) or x.aliases && ${names}::text[])`,
    });
  }
  if (filters.owasp !== undefined && filters.owasp.length > 0) {
    const names = storable(filters.owasp);
    conditions.push({
      key: 'owasp',
      sql: sql<boolean>`(x.owasp_2025 = any(${names}::text[]) or x.owasp_2021 = any(${names}::text[]))`,
    });
  }
  for (const key of ['slsa_threats', 'owasp_cicd'] as const) {
    const wanted = filters[key];
    if (wanted !== undefined && wanted.length > 0) {
      conditions.push({ key, sql: sql<boolean>`x.${sql.ref(key)} && ${storable(wanted)}::text[]` });
    }
  }
  return conditions;
};

const rowConditions = (filters: FindingFilters): Condition[] => {
  const conditions: Condition[] = [];
  if (filters.file !== undefined && filters.file.length > 0) {
    conditions.push(sql<boolean>`f.file_id = any(array(select find_files(${storable(filters.file)}::text[])))`);
  }
  if (filters.priority_gt !== undefined) conditions.push(sql<boolean>`f.priority >= ${filters.priority_gt}::smallint`);
  if (filters.priority_lt !== undefined) conditions.push(sql<boolean>`f.priority <= ${filters.priority_lt}::smallint`);
  if (filters.fixing_effort_gt !== undefined) {
    conditions.push(sql<boolean>`f.effort_for_fixing >= ${filters.fixing_effort_gt}::smallint`);
  }
  if (filters.fixing_effort_lt !== undefined) {
    conditions.push(sql<boolean>`f.effort_for_fixing <= ${filters.fixing_effort_lt}::smallint`);
  }
  // Scores are compared in the width they are stored in, else 9.8 would not equal 9.8.
  if (filters.cvssv3_score_gt !== undefined) conditions.push(sql<boolean>`f.cvss >= ${filters.cvssv3_score_gt}::real`);
  if (filters.cvssv3_score_lt !== undefined) conditions.push(sql<boolean>`f.cvss <= ${filters.cvssv3_score_lt}::real`);
  if (filters.date_gt !== undefined) {
    conditions.push(sql<boolean>`f.date >= ${filters.date_gt}::date::timestamp at time zone 'UTC'`);
  }
  if (filters.date_lt !== undefined) {
    conditions.push(sql<boolean>`f.date < (${filters.date_lt}::date + 1)::timestamp at time zone 'UTC'`);
  }
  return conditions;
};

/** Turns the filters of a request into conditions, bound to what the viewer may see. */
export const conditionsOf = (filters: FindingFilters, viewer: Viewer): FilterConditions => ({
  kinds: kindConditions(filters),
  states: stateConditions(filters),
  scope: viewer.seesAll
    ? []
    : [sql<boolean>`(k.repository_id = any(${ownedRepositories(viewer)}) or ${isSentTo(viewer, 's')})`],
  subjects: subjectConditions(filters),
  rows: rowConditions(filters),
});

/** `a and b and …`; true for none. */
export const allOf = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` and `)}`;

/** The conditions but those of one facet. */
export const without = (conditions: readonly NamedCondition[], key?: string): Condition[] =>
  conditions.filter((condition) => condition.key !== key).map((condition) => condition.sql);
