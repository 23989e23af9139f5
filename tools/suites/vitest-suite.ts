import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { UNHANDLED_FILE } from '../testing/unhandled-errors.ts';
import { type FailedTest, type FileDuration, type Outcome, ROOT, run, settle } from './run.ts';

interface Counts {
  passed: number;
  failed: number;
  note?: string;
}

const numberAt = (report: object, key: string): number => {
  const value: unknown = Object.entries(report).find(([name]) => name === key)?.[1];
  return typeof value === 'number' ? value : 0;
};

/** Files that could not be loaded have no test that failed; they count as one each. */
const brokenFiles = (report: object): number => {
  const results: unknown = 'testResults' in report ? report.testResults : [];
  if (!Array.isArray(results)) return 0;
  return results.filter((result) => {
    const tests: unknown = result?.assertionResults;
    return result?.status === 'failed' && !(Array.isArray(tests) && tests.some((test) => test?.status === 'failed'));
  }).length;
};

/** Counts of Vitest's JSON report. A skipped test is a test that shows nothing, so it counts as failed. */
export const countReport = (report: unknown, exitCode: number): Counts => {
  if (typeof report !== 'object' || report === null) return { passed: 0, failed: 1, note: 'wrote no report' };
  const skipped = numberAt(report, 'numPendingTests') + numberAt(report, 'numTodoTests');
  const failed = numberAt(report, 'numFailedTests') + brokenFiles(report) + skipped;
  const passed = numberAt(report, 'numPassedTests');
  const note = skipped > 0 ? { note: `${skipped} skipped` } : {};
  if (exitCode !== 0 && failed === 0) return { passed, failed: 1, note: `ended with exit code ${exitCode}` };
  return { passed, failed, ...note };
};

/** How long each file of Vitest's JSON report took. */
export const fileDurations = (report: unknown): FileDuration[] => {
  const results: unknown = typeof report === 'object' && report !== null ? Reflect.get(report, 'testResults') : [];
  if (!Array.isArray(results)) return [];
  return results.map((result) => ({
    file: path.relative(ROOT, String(result?.name)),
    seconds: (Number(result?.endTime) - Number(result?.startTime)) / 1000,
  }));
};

const SHOWN_LINES = 12;
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

/** The first lines of a message, without colours. */
const firstLines = (message: string): string =>
  message.replaceAll(COLOURS, '').trim().split('\n').slice(0, SHOWN_LINES).join('\n');

/** Tests of Vitest's JSON report that failed, and files that could not be loaded. */
export const failedTests = (report: unknown): FailedTest[] => {
  const results: unknown = typeof report === 'object' && report !== null ? Reflect.get(report, 'testResults') : [];
  if (!Array.isArray(results)) return [];
  return results.flatMap((result): FailedTest[] => {
    const file = path.relative(ROOT, String(result?.name));
    const tests: unknown = result?.assertionResults;
    const failed = (Array.isArray(tests) ? tests : []).filter((test) => test?.status === 'failed');
    if (failed.length === 0)
      return result?.status === 'failed'
        ? [{ file, name: '', message: firstLines(String(result?.message ?? '')) }]
        : [];
    return failed.map((test) => ({
      file,
      name: String(test?.fullName ?? test?.title),
      message: firstLines(Array.isArray(test?.failureMessages) ? test.failureMessages.join('\n') : ''),
    }));
  });
};

/** Errors that no test caught, as tools/testing/unhandled-errors.ts wrote them. */
export const unhandledErrors = (found: unknown): FailedTest[] => {
  if (!Array.isArray(found)) return [];
  return found.map((error) => {
    const file = String(error?.file ?? '');
    return {
      file: file === '' ? 'no file known' : path.relative(ROOT, file),
      name: 'an error that no test caught',
      message: firstLines(String(error?.message ?? '')),
    };
  });
};

const readJson = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, 'utf8').catch(() => 'null'));

export interface VitestSuiteOptions {
  name: string;
  projects: readonly string[];
  /** Files that run at once; as many as vitest.config.ts says by default. */
  workers?: number;
  /** Only what the changes since this commit can reach; that may be nothing. */
  changedSince?: string | undefined;
  environment?: NodeJS.ProcessEnv;
}

/** Runs some of the projects of vitest.config.ts, shows their progress and counts their tests. */
export const vitestSuite = async (options: VitestSuiteOptions): Promise<Outcome> => {
  const start = Date.now();
  const folder = await mkdtemp(path.join(os.tmpdir(), 'breakwater-report-'));
  const file = path.join(folder, 'report.json');
  const unhandledFile = path.join(folder, 'unhandled.json');
  try {
    const { code } = await run(
      'bin:vitest',
      [
        'run',
        ...options.projects.flatMap((project) => ['--project', project]),
        ...(options.workers === undefined ? [] : [`--maxWorkers=${options.workers}`]),
        ...(options.changedSince === undefined ? [] : [`--changed=${options.changedSince}`]),
        '--reporter=default',
        '--reporter=json',
        '--reporter=./tools/testing/unhandled-errors.ts',
        `--outputFile.json=${file}`,
      ],
      { environment: { ...process.env, ...options.environment, [UNHANDLED_FILE]: unhandledFile } },
    );
    const report = await readJson(file);
    const unhandled = await readJson(unhandledFile);
    const seconds = (Date.now() - start) / 1000;
    const outcome = {
      name: options.name,
      ...countReport(report, code),
      seconds,
      files: fileDurations(report),
      failures: [...failedTests(report), ...unhandledErrors(unhandled)],
    };
    return options.changedSince === undefined ? settle(outcome) : outcome;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** What a change can reach besides the tests that import it. */
export interface Reach {
  /** Something that runs in the server or the browser, so every journey. */
  product: boolean;
  /** A plugin, the SDK, or what tests plugins alone. */
  plugins: boolean;
}

const IS_TEST = /\.test(-d)?\.tsx?$|\/(testing|__fixtures__)\//;
const PRODUCT = /^(app|core|host-server|plugins|sdk)\/|^package(-lock)?\.json$/;
const PLUGINS = /^(plugins|sdk|tools\/packages|tools\/suites)\/|^package(-lock)?\.json$/;

export const reachOf = (files: readonly string[]): Reach => ({
  product: files.some((file) => PRODUCT.test(file) && !IS_TEST.test(file) && !file.endsWith('.md')),
  plugins: files.some((file) => PLUGINS.test(file) && !file.endsWith('.md')),
});

/** Reach of all that differs from a commit, files that git does not know yet included. @throws when git does not know the commit. */
export const reachOfChanges = async (commit: string): Promise<Reach> => {
  const changed = await run('git', ['diff', '--name-only', commit, '--'], { isQuiet: true });
  if (changed.code !== 0) throw new Error(changed.output.trim());
  const added = await run('git', ['ls-files', '--others', '--exclude-standard'], { isQuiet: true });
  return reachOf(`${changed.output}\n${added.output}`.split('\n').filter((file) => file !== ''));
};
