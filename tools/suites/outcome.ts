/** What one suite came to. A check that is not made of tests counts as one. */
export interface Outcome {
  name: string;
  passed: number;
  failed: number;
  seconds: number;
  /** Why it failed, where the suite has not already printed it. */
  note?: string;
}

/** A suite that proves nothing has failed. */
export const settle = (outcome: Outcome): Outcome =>
  outcome.passed + outcome.failed > 0 ? outcome : { ...outcome, failed: 1, note: outcome.note ?? 'no test was run' };

export const totals = (outcomes: readonly Outcome[]): { passed: number; failed: number } => ({
  passed: outcomes.reduce((sum, outcome) => sum + outcome.passed, 0),
  failed: outcomes.reduce((sum, outcome) => sum + outcome.failed, 0),
});

/** One line a suite, and the line that ends every run. */
export const summary = (outcomes: readonly Outcome[]): string => {
  const width = Math.max(...outcomes.map((outcome) => outcome.name.length));
  const lines = outcomes.map(({ name, passed, failed, seconds, note }) => {
    const figures = `${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed ${seconds.toFixed(1).padStart(7)} s`;
    return `${failed > 0 ? '✗' : '✓'} ${name.padEnd(width)} ${figures}${note === undefined ? '' : `   ${note}`}`;
  });
  const { passed, failed } = totals(outcomes);
  return [...lines, '', `${passed} passed, ${failed} failed`].join('\n');
};
