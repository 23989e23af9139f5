import { SEVERITIES, type Severity } from '@breakwater/sdk';
import { daysBefore } from './chart-dates.ts';

/** Days in which a finding should be closed; none for informational ones. Source: decisions.md "States". */
export const TARGET_DAYS: Readonly<Record<Severity, number | undefined>> = {
  critical: 1,
  high: 7,
  medium: 30,
  low: 90,
  informational: undefined,
};

/** Severities that have a target, worst first. */
export const SEVERITIES_WITH_TARGET: readonly Severity[] = SEVERITIES.filter((one) => TARGET_DAYS[one] !== undefined);

/** A span of ages: dates of findings, both ends included; open at an end that is absent. */
export interface AgeSpan {
  label: string;
  first?: string;
  last?: string;
}

const STEPS = [7, 30, 90, 180, 365];

/** Ages of a backlog, youngest first: up to a week, a month, a quarter, half a year, a year, and older. */
export const ageSpans = (today: string): AgeSpan[] => [
  ...STEPS.map((days, index) => {
    const from = STEPS[index - 1];
    return {
      label: from === undefined ? `0-${days} days` : `${from + 1}-${days} days`,
      first: daysBefore(today, days),
      ...(from === undefined ? {} : { last: daysBefore(today, from + 1) }),
    };
  }),
  { label: 'Over a year', last: daysBefore(today, 366) },
];

/** The last day on which a finding may have been found to be overdue today. */
export const lastOverdueDay = (today: string, targetDays: number): string => daysBefore(today, targetDays + 1);
