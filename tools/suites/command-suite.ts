import { buildApp, sourcesDigest } from '../app-build.ts';
import { describeIssues, type Issue } from '../checks.ts';
import { checkPatterns } from '../linear-patterns.ts';
import { type Outcome, ROOT, run } from './run.ts';

/** A program that says by its exit code whether all is well. Its words are shown only when it is not. */
export const commandSuite = async (name: string, program: string, args: readonly string[]): Promise<Outcome> => {
  const start = Date.now();
  const { code, output } = await run(program, args, { isQuiet: true });
  if (code !== 0) process.stdout.write(`${output.trimEnd()}\n`);
  return { name, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, seconds: (Date.now() - start) / 1000 };
};

export const typesSuite = (): Promise<Outcome> => commandSuite('types', 'bin:tsc', ['-b', '--pretty', 'false']);

export const lintSuite = (): Promise<Outcome> =>
  commandSuite('lint and format', 'bin:biome', [
    'check',
    '--error-on-warnings',
    '--max-diagnostics=100',
    '--colors=off',
    '.',
  ]);

export const deadCodeSuite = (): Promise<Outcome> =>
  commandSuite('dead code', 'bin:knip', ['--no-progress', '--no-config-hints']);

/** A check of our own over the whole tree: passed where it has nothing to say. */
export const houseRuleSuite = async (name: string, check: () => Promise<Issue[]>): Promise<Outcome> => {
  const start = Date.now();
  const issues = await check();
  if (issues.length > 0) process.stdout.write(`${describeIssues(issues)}\n`);
  const hasPassed = issues.length === 0;
  return { name, passed: hasPassed ? 1 : 0, failed: hasPassed ? 0 : 1, seconds: (Date.now() - start) / 1000 };
};

/** Every pattern that meets a text of strangers takes time in proportion to it. */
export const patternsSuite = (): Promise<Outcome> => houseRuleSuite('patterns', () => checkPatterns(ROOT));

/** The browser application must build, whatever an earlier run left behind. */
export const buildSuite = async (): Promise<Outcome> => {
  const start = Date.now();
  const issue = await sourcesDigest()
    .then((digest) => buildApp(digest, () => undefined))
    .then(
      () => undefined,
      (error: unknown) => String(error),
    );
  if (issue !== undefined) process.stdout.write(`${issue}\n`);
  const isBuilt = issue === undefined;
  return {
    name: 'browser build',
    passed: isBuilt ? 1 : 0,
    failed: isBuilt ? 0 : 1,
    seconds: (Date.now() - start) / 1000,
  };
};
