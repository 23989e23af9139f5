import { spawn } from 'node:child_process';
import path from 'node:path';

export const ROOT = path.join(import.meta.dirname, '../..');

export interface RunOptions {
  environment?: NodeJS.ProcessEnv;
  /** Keep what it prints for the caller instead of showing it. */
  isQuiet?: boolean;
}

export interface RunResult {
  /** Exit code; 1 when it could not be started or a signal ended it. */
  code: number;
  /** What it printed, when quiet. */
  output: string;
}

/** Runs a program in the repository's root. Programs of installed packages are named `bin:<name>`. */
export const run = (program: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> => {
  const file = program.startsWith('bin:') ? path.join(ROOT, 'node_modules/.bin', program.slice(4)) : program;
  const environment = {
    ...(options.environment ?? process.env),
    PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH'] ?? ''}`,
  };
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd: ROOT,
      env: environment,
      stdio: ['ignore', options.isQuiet ? 'pipe' : 'inherit', options.isQuiet ? 'pipe' : 'inherit'],
      shell: process.platform === 'win32',
    });
    const output: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => output.push(chunk));
    child.once('error', (error) => resolve({ code: 1, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(output).toString('utf8') }));
  });
};

/** A test file and how long it took, loading included. */
export interface FileDuration {
  file: string;
  seconds: number;
}

/** A test that failed, or a file that could not be loaded. */
export interface FailedTest {
  file: string;
  /** Its full name; empty for a file. */
  name: string;
  /** First lines of what it said. */
  message: string;
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
  /** Its tests that failed, where it has some. */
  failures?: readonly FailedTest[];
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

const SHOWN_FAILURES = 20;

/** The tests that failed, repeated at the end: a build server may keep only the end of what was printed. */
const failedTests = (outcomes: readonly Outcome[]): string[] => {
  const failures = outcomes.flatMap((outcome) => outcome.failures ?? []);
  if (failures.length === 0) return [];
  const shown = failures
    .slice(0, SHOWN_FAILURES)
    .flatMap(({ file, name, message }) => [
      `✗ ${file}${name === '' ? '' : ` > ${name}`}`,
      ...message.split('\n').map((line) => `    ${line}`),
    ]);
  const more = failures.length - SHOWN_FAILURES;
  return ['Failed tests', ...shown, ...(more > 0 ? [`and ${more} more`] : []), ''];
};

/** One line a suite, the slowest files, the tests that failed, and the line that ends every run. */
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
    ...failedTests(outcomes),
    `${passed} passed, ${failed} failed`,
  ].join('\n');
};
