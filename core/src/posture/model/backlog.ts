import type { SlaState } from '../../findings/model/sla.ts';
import { FINDING_STATUSES, type FindingStatus } from '../../findings/model/states.ts';
import { msg } from '../../platform/model/message.ts';
import { daysBefore } from './charts.ts';

/** A span of ages: days of first imports, both ends included; open at an end that is absent. */
export interface AgeSpan {
  label: string;
  first?: string;
  last?: string;
}

const STEPS = [7, 30, 90, 180, 365];

/** Name of the series of means, which are no numbers of findings. */
export const MEAN_DAYS = msg('Mean days');

/** Ages of a backlog, youngest first: up to a week, a month, a quarter, half a year, a year, and older. */
export const ageSpans = (today: string): AgeSpan[] => [
  ...STEPS.map((days, index) => {
    const from = STEPS[index - 1];
    return {
      // no text: the dashboard has its own for each span
      label: from === undefined ? `0-${days} days` : `${from + 1}-${days} days`,
      first: daysBefore(today, days),
      ...(from === undefined ? {} : { last: daysBefore(today, from + 1) }),
    };
  }),
  { label: msg('Over a year'), last: daysBefore(today, 366) },
];

/** Change of the number of open findings of a severity on a day. */
export interface DayChange {
  severity: number;
  day: string;
  delta: number;
}

/**
 * Open findings at the end of each date, from those open now and what has changed since. Dates ascend.
 * A date's own changes have happened by its end.
 */
export const openAtEnds = (now: number, changes: readonly DayChange[], dates: readonly string[]): number[] => {
  const latestFirst = [...changes].sort((a, b) => (a.day < b.day ? 1 : -1));
  const counts: number[] = [];
  let open = now;
  let next = 0;
  for (const date of [...dates].reverse()) {
    for (let change = latestFirst[next]; change !== undefined && change.day > date; change = latestFirst[next]) {
      open -= change.delta;
      next += 1;
    }
    counts.push(open);
  }
  return counts.reverse();
};

/**
 * How far the remediation of a finding is, told from its status: an action plan exists from `pending_input` on, and is ready
 * in `ready`. What is mitigated without one counts as without. Source: decisions.md "States".
 */
export const WITH_PLAN: readonly FindingStatus[] = ['pending_input', 'ready', 'pr_submitted', 'issued', 'pr_accepted'];
export const WITHOUT_PLAN: readonly FindingStatus[] = FINDING_STATUSES.filter((status) => !WITH_PLAN.includes(status));
export const READY: readonly FindingStatus[] = ['ready'];

/** How the list calls what is past its due date, and what is not. */
export const OVERDUE: readonly SlaState[] = ['overdue'];
export const IN_TIME: readonly SlaState[] = ['due_soon', 'ok'];
