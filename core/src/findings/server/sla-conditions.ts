import { SEVERITIES, type Severity } from '@breakwater/sdk';
import { type RawBuilder, sql } from 'kysely';
import { severityRank } from '../../platform/model/severity.ts';
import { type SlaDays, type SlaState, soonDays } from '../model/sla.ts';

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
