import { SEVERITIES, type Severity } from '@breakwater/sdk';
import { type RawBuilder, sql } from 'kysely';
import { severityRank } from '../../../platform/model/severity.ts';
import { storable } from '../../../platform/server/database.ts';
import type { FindingFilters } from '../../model/filter-catalogue.ts';
import { type SlaDays, type SlaState, soonDays } from '../../model/sla.ts';
import type { Condition, NamedCondition } from './conditions.ts';

const TODAY = sql`(now() at time zone 'UTC')::date`;

/** Start of the day (UTC) so many days ago. */
const startOf = (daysAgo: number): RawBuilder<Date> =>
  sql<Date>`(${TODAY} - ${daysAgo}::integer)::timestamp at time zone 'UTC'`;

const isAnyOf = (conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(conditions, sql` or `)})`;

const ofSeverity = (state: SlaState, severity: Severity, allowed: SlaDays): RawBuilder<boolean> | undefined => {
  const days = allowed[severity];
  const is = sql`f.severity = ${severityRank(severity)}::smallint`;
  if (days === null) return state === 'ok' ? sql<boolean>`${is}` : undefined;
  const soon = startOf(days - soonDays(days));
  if (state === 'overdue') return sql<boolean>`(${is} and f.date < ${startOf(days)})`;
  if (state === 'due_soon') return sql<boolean>`(${is} and f.date >= ${startOf(days)} and f.date < ${soon})`;
  return sql<boolean>`(${is} and f.date >= ${soon})`;
};

/** Open findings `f` in these states; that they are open is a condition of its own. Both columns are in findings_by_date and _by_priority. */
export const inSlaStates = (states: readonly SlaState[], allowed: SlaDays): RawBuilder<boolean> => {
  const conditions = states.flatMap((state) =>
    SEVERITIES.flatMap((severity) => ofSeverity(state, severity, allowed) ?? []),
  );
  // without any limit nothing is overdue
  return conditions.length === 0 ? sql<boolean>`false` : isAnyOf(conditions);
};

/** The state of open findings of a severity (a rank) and a day (date). */
export const slaStateSql = (
  severity: RawBuilder<unknown>,
  day: RawBuilder<unknown>,
  allowed: SlaDays,
): RawBuilder<string> => {
  const steps = SEVERITIES.flatMap((of) => {
    const days = allowed[of];
    if (days === null) return [];
    const rank = severityRank(of);
    return [
      sql`when ${severity} = ${rank} and ${day} < ${TODAY} - ${days}::integer then 'overdue'`,
      sql`when ${severity} = ${rank} and ${day} < ${TODAY} - ${days - soonDays(days)}::integer then 'due_soon'`,
    ];
  });
  return steps.length === 0 ? sql<string>`'ok'` : sql<string>`case ${sql.join(steps, sql` `)} else 'ok' end`;
};

const isSet = <T>(values: readonly T[] | undefined): values is readonly T[] =>
  values !== undefined && values.length > 0;

/** `.TS` and `ts` name the same type of file. */
export const extensionsOf = (types: readonly string[]): string[] =>
  storable(types).map((type) =>
    type
      .trim()
      .replace(/^\*?\./, '')
      .toLowerCase(),
  );

const range = (filters: FindingFilters): Condition[] => {
  const conditions: Condition[] = [];
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

/**
 * Conditions on findings as `f`. Indexes: findings_by_file, findings_by_priority, findings_by_effort, findings_by_cvss, findings_by_date,
 * findings_tagged. Columns are read from findings_by_file, without the rows.
 */
export const rowConditions = (filters: FindingFilters, slaDays: SlaDays): NamedCondition[] => {
  const conditions: NamedCondition[] = range(filters).map((of) => ({ key: 'range', sql: of }));
  const put = (key: string, of: Condition): void => void conditions.push({ key, sql: of });
  if (isSet(filters.file)) {
    put('file', sql<boolean>`f.file_id = any(array(select find_files(${storable(filters.file)}::text[])))`);
  }
  if (isSet(filters.tags)) put('tags', sql<boolean>`f.tags <> '{}' and f.tags && ${storable(filters.tags)}::text[]`);
  if (filters.start_column !== undefined)
    put('column', sql<boolean>`f.start_column = ${filters.start_column}::integer`);
  if (filters.end_column !== undefined) {
    put('column', sql<boolean>`f.end_column = ${filters.end_column}::integer`);
  }
  if (isSet(filters.excluded_file_types)) {
    const excluded = extensionsOf(filters.excluded_file_types);
    put(
      'excluded_file_types',
      sql<boolean>`(f.file_id = any(array(select p.id from finding_files p where p.client_id = current_client()
        and p.extension = any(${excluded}::text[])))) is not true`,
    );
  }
  if (isSet(filters.sla)) put('sla', inSlaStates(filters.sla, slaDays));
  return conditions;
};
