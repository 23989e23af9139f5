import { SEVERITIES, type Severity } from '@breakwater/sdk';
import { type RawBuilder, sql } from 'kysely';
import { severityOfRank, severityRank } from '../../../platform/model/severity.ts';
import type { Db } from '../../../platform/server/database.ts';
import { type DueStart, type SlaRules, soonDays } from '../../model/sla.ts';
import { dueStart } from '../filter/value-sql.ts';

/** What a finding can become by the passing of days. */
export type Entered = 'due_soon' | 'overdue';

/** Findings that became due soon, or overdue, within some days and still are work to do. */
export interface EnteredCount {
  state: Entered;
  severity: Severity;
  /** Who is to fix them: owner and those they were sent to; sorted; empty for nobody. */
  people: readonly string[];
  count: number;
}

/** Days after `since` up to and with `until`, as `2026-11-22` (UTC). */
export interface Days {
  since: string;
  until: string;
}

/**
 * Of one severity: a finding enters a state `allowed` + 1 days after the day that it counts from. Reads findings_by_date or findings_by_first_seen.
 */
const enteredSql = (
  clientId: string,
  days: Days,
  { state, severity, allowed, starts }: { state: Entered; severity: Severity; allowed: number; starts: DueStart },
): RawBuilder<unknown> => {
  const start = dueStart({ starts });
  const startOf = (day: string) => sql`(${day}::date - ${allowed}::integer)::timestamp at time zone 'UTC'`;
  return sql`
    select ${state}::text as state, f.severity, f.issue_owner, f.developers, count(*)::integer as count
    from findings f
    where f.client_id = ${clientId} and f.is_open and f.severity = ${severityRank(severity)}::smallint
      and ${start} >= ${startOf(days.since)} and ${start} < ${startOf(days.until)}
    group by f.severity, f.issue_owner, f.developers`;
};

/** What became due soon or overdue in these days, by severity and by who is to fix it. */
export const countEntered = async (
  db: Db,
  { clientId, days, allowed }: { clientId: string; days: Days; allowed: SlaRules },
): Promise<EnteredCount[]> => {
  const parts = SEVERITIES.flatMap((severity) => {
    const limit = allowed[severity];
    const { starts } = allowed;
    if (limit === null) return [];
    return [
      enteredSql(clientId, days, { state: 'due_soon', severity, allowed: limit - soonDays(limit), starts }),
      enteredSql(clientId, days, { state: 'overdue', severity, allowed: limit, starts }),
    ];
  });
  if (parts.length === 0) return [];
  interface Row {
    state: Entered;
    severity: number;
    issue_owner: string | null;
    developers: string[] | null;
    count: number;
  }
  const { rows } = await sql<Row>`${sql.join(parts, sql` union all `)}`.execute(db);
  return rows.map(({ state, severity, issue_owner, developers, count }) => ({
    state,
    severity: severityOfRank(severity),
    people: [...new Set([...(developers ?? []), ...(issue_owner === null ? [] : [issue_owner])])].sort(),
    count,
  }));
};
