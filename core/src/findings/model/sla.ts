import type { Severity } from '@breakwater/sdk';

/** How an open finding stands to the time its severity allows. */
export const SLA_STATES = ['overdue', 'due_soon', 'ok'] as const;
export type SlaState = (typeof SLA_STATES)[number];

/** Days to fix a finding of each severity, counted from the day of its date (UTC); null: no limit. Source: decisions.md "States". */
export const SLA_DAYS: Readonly<Record<Severity, number | null>> = {
  critical: 1,
  high: 7,
  medium: 30,
  low: 90,
  informational: null,
};

/** The last quarter of the time allowed, at least a day, is "due soon". @returns days. */
export const soonDays = (days: number): number => Math.ceil(days / 4);

/** State of an open finding after `age` whole days. */
export const slaStateOf = (severity: Severity, age: number): SlaState => {
  const days = SLA_DAYS[severity];
  if (days === null) return 'ok';
  if (age > days) return 'overdue';
  return age > days - soonDays(days) ? 'due_soon' : 'ok';
};
