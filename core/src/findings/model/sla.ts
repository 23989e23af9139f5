import type { Severity } from '@breakwater/sdk';

/** How an open finding stands to the time its severity allows. */
export const SLA_STATES = ['overdue', 'due_soon', 'ok'] as const;
export type SlaState = (typeof SLA_STATES)[number];

/** Days to fix a finding of each severity, counted from a day of its own (UTC); null: no limit. */
export type SlaDays = Readonly<Record<Severity, number | null>>;

/** What holds until an organisation says otherwise. Source: decisions.md "States". */
export const DEFAULT_SLA_DAYS: SlaDays = {
  critical: 1,
  high: 7,
  medium: 30,
  low: 90,
  informational: null,
};

/** From which day they count: when the tool reported it, or when it was first found here. */
export const DUE_STARTS = ['reported', 'found'] as const;
export type DueStart = (typeof DUE_STARTS)[number];

/** How an organisation reckons when a finding is due. */
export type SlaRules = SlaDays & { readonly starts: DueStart };
export const DEFAULT_SLA_RULES: SlaRules = { ...DEFAULT_SLA_DAYS, starts: 'reported' };

/** Ten years; more is no limit. */
export const MAX_SLA_DAYS = 3650;

/** The last quarter of the time allowed, at least a day, is "due soon". @returns days. */
export const soonDays = (days: number): number => Math.ceil(days / 4);

/** State of an open finding after `age` whole days. */
export const slaStateOf = (severity: Severity, age: number, allowed: SlaDays = DEFAULT_SLA_DAYS): SlaState => {
  const days = allowed[severity];
  if (days === null) return 'ok';
  if (age > days) return 'overdue';
  return age > days - soonDays(days) ? 'due_soon' : 'ok';
};

/** The last day (UTC, `2026-11-22`) on which a finding that counts from this date is in time; null without a limit. */
export const dueDateOf = (severity: Severity, date: Date, allowed: SlaDays): string | null => {
  const days = allowed[severity];
  if (days === null) return null;
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + days))
    .toISOString()
    .slice(0, 10);
};
