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
