/** A test file and how long it took, loading included. */
export interface FileDuration {
  file: string;
  seconds: number;
}

/** What one suite came to. A check that is not made of tests counts as one. */
export interface Outcome {
  name: string;
  passed: number;
  failed: number;
  seconds: number;
  /** Why it failed, where the suite has not already printed it. */
  note?: string;
  /** Its test files, where it has some. */
  files?: readonly FileDuration[];
}

const SHOWN_FILES = 15;

/** The files that took longest, longest first. */
export const slowestFiles = (outcomes: readonly Outcome[]): FileDuration[] =>
  outcomes
    .flatMap(({ files = [] }) => files)
    .toSorted((left, right) => right.seconds - left.seconds)
    .slice(0, SHOWN_FILES);

/** A suite that proves nothing has failed. */
export const settle = (outcome: Outcome): Outcome =>
  outcome.passed + outcome.failed > 0 ? outcome : { ...outcome, failed: 1, note: outcome.note ?? 'no test was run' };

export const totals = (outcomes: readonly Outcome[]): { passed: number; failed: number } => ({
  passed: outcomes.reduce((sum, outcome) => sum + outcome.passed, 0),
  failed: outcomes.reduce((sum, outcome) => sum + outcome.failed, 0),
});

/** The slowest files, one line a suite, and the line that ends every run. */
export const summary = (outcomes: readonly Outcome[]): string => {
  const width = Math.max(...outcomes.map((outcome) => outcome.name.length));
  const lines = outcomes.map(({ name, passed, failed, seconds, note }) => {
    const figures = `${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed ${seconds.toFixed(1).padStart(7)} s`;
    return `${failed > 0 ? '✗' : '✓'} ${name.padEnd(width)} ${figures}${note === undefined ? '' : `   ${note}`}`;
  });
  const slowest = slowestFiles(outcomes).map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`);
  const { passed, failed } = totals(outcomes);
  return [
    ...lines,
    '',
    ...(slowest.length > 0 ? ['Slowest files', ...slowest, ''] : []),
    `${passed} passed, ${failed} failed`,
  ].join('\n');
};
