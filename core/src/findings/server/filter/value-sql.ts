import { SEVERITIES, type Severity } from '@breakwater/sdk';
import { type RawBuilder, sql } from 'kysely';
import { severityRank } from '../../../platform/model/severity.ts';
import type { ReferenceData } from '../../../prioritisation/server/index.ts';
import { type SlaDays, type SlaRules, type SlaState, soonDays } from '../../model/sla.ts';
import { REMEDIATION_TYPES, STATUSES_OF_REMEDIATION } from '../../model/states.ts';

/** What the policy fields of a definition `x` read where the tool names no policy: as `estimatedPolicy` says it. */
const CONTROL = sql<string>`coalesce(x.owasp_2025, x.owasp_cicd[1])`;

/** Names of OWASP categories and CI/CD risks by their id. */
const titlesOf = (reference: ReferenceData): string => {
  const ids = [
    ...Array.from({ length: 10 }, (_, index) => `A${String(index + 1).padStart(2, '0')}:2025`),
    ...Array.from({ length: 10 }, (_, index) => `CICD-SEC-${index + 1}`),
  ];
  return JSON.stringify(
    Object.fromEntries(ids.map((id) => [id, reference.owaspTitle(id) ?? reference.supplyChainTitle(id) ?? null])),
  );
};

/** Text of a policy field of a definition `x`: what the tool says, else the estimate that the page of a finding shows. */
export const policySql = (field: 'name' | 'category' | 'control', reference: ReferenceData): RawBuilder<string> => {
  const estimate = {
    name: sql`case when x.owasp_2025 is not null then 'OWASP Top 10 2025' when x.owasp_cicd <> '{}' then 'OWASP CI/CD Top 10' end`,
    category: sql`${titlesOf(reference)}::jsonb ->> ${CONTROL}`,
    control: CONTROL,
  }[field];
  return sql<string>`case when x.policy is not null then x.policy ->> ${field}::text else ${estimate} end`;
};

/** Which of the mitigations removes a definition `x`. */
export const MITIGATION_SQL = sql<string>`case when x.fixed_version is not null then 'update' when x.component is not null then 'no_fix' else 'change' end`;

/** The name under which a vulnerability of a definition `x` is grouped; null where it names none. */
export const VULNERABILITY_SQL = sql<string>`coalesce(x.cve, x.aliases[1])`;

/** What is opened to fix a finding with this status. */
export const remediationSql = (status: 'f.status' | 's.status'): RawBuilder<string> =>
  sql<string>`case ${sql.join(
    REMEDIATION_TYPES.map(
      (type) => sql`when ${sql.ref(status)} = any(${[...STATUSES_OF_REMEDIATION[type]]}::text[]) then ${type}`,
    ),
    sql` `,
  )} end`;

const TODAY = sql`(now() at time zone 'UTC')::date`;

/** Start of the day (UTC) so many days ago. */
const startOf = (daysAgo: number): RawBuilder<Date> =>
  sql<Date>`(${TODAY} - ${daysAgo}::integer)::timestamp at time zone 'UTC'`;

const isAnyOf = (conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(conditions, sql` or `)})`;

/** The time of a finding `f` that its due date counts from. */
export const dueStart = ({ starts }: Pick<SlaRules, 'starts'>): RawBuilder<Date> =>
  sql<Date>`${sql.ref(starts === 'found' ? 'f.first_seen' : 'f.date')}`;

const ofSeverity = (state: SlaState, severity: Severity, allowed: SlaRules): RawBuilder<boolean> | undefined => {
  const start = dueStart(allowed);
  const days = allowed[severity];
  const is = sql`f.severity = ${severityRank(severity)}::smallint`;
  if (days === null) return state === 'ok' ? sql<boolean>`${is}` : undefined;
  const soon = startOf(days - soonDays(days));
  if (state === 'overdue') return sql<boolean>`(${is} and ${start} < ${startOf(days)})`;
  if (state === 'due_soon') return sql<boolean>`(${is} and ${start} >= ${startOf(days)} and ${start} < ${soon})`;
  return sql<boolean>`(${is} and ${start} >= ${soon})`;
};

/** Open findings `f` in these states; that they are open is a condition of its own. Severity and date are in findings_by_date and _by_priority. */
export const inSlaStates = (states: readonly SlaState[], allowed: SlaRules): RawBuilder<boolean> => {
  const conditions = states.flatMap((state) =>
    SEVERITIES.flatMap((severity) => ofSeverity(state, severity, allowed) ?? []),
  );
  // without any limit nothing is overdue
  return conditions.length === 0 ? sql<boolean>`false` : isAnyOf(conditions);
};

/** The state of open findings of a severity (a rank) and the day (date) that it counts from. */
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
