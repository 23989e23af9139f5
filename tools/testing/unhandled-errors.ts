import { writeFileSync } from 'node:fs';
import type { Reporter } from 'vitest/node';

/** Names the file that the reporter writes. */
export const UNHANDLED_FILE = 'BREAKWATER_UNHANDLED_FILE';

/** An error that no test caught. */
interface UnhandledError {
  /** The test file that ran when it was thrown; empty where Vitest does not know it. */
  file: string;
  message: string;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Vitest's JSON report leaves out what no test caught, though it fails the run; this reporter writes that as JSON. */
export default class UnhandledErrors implements Reporter {
  onTestRunEnd(_modules: readonly unknown[], errors: readonly object[]): void {
    const file = process.env[UNHANDLED_FILE];
    if (file === undefined) return;
    const found = errors.map(
      (error): UnhandledError => ({
        file: text(Reflect.get(error, 'VITEST_TEST_PATH')),
        message: text(Reflect.get(error, 'stack')) || text(Reflect.get(error, 'message')),
      }),
    );
    writeFileSync(file, JSON.stringify(found));
  }
}
