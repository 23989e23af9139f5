import { checkBoundaries } from '../check-boundaries.ts';
import { checkPlugins, checkText, describeIssues, type Issue } from '../checks.ts';
import { checkPatterns } from '../linear-patterns.ts';
import { deadCodeSuite, lintSuite, typesSuite } from '../suites/command-suite.ts';
import { type Outcome, ROOT, summary, totals } from '../suites/run.ts';

/** The quick half of `npm test`: all that needs no database and no browser. */
const houseRule = async (name: string, check: () => Promise<Issue[]>): Promise<Outcome> => {
  const start = Date.now();
  const issues = await check();
  if (issues.length > 0) process.stdout.write(`${describeIssues(issues)}\n`);
  return {
    name,
    passed: issues.length === 0 ? 1 : 0,
    failed: issues.length === 0 ? 0 : 1,
    seconds: (Date.now() - start) / 1000,
  };
};

const outcomes = [
  await typesSuite(),
  await lintSuite(),
  await houseRule('boundaries', async () => (await checkBoundaries({ root: ROOT })).issues),
  await houseRule('plugins', () => checkPlugins(ROOT)),
  await houseRule('text', () => checkText(ROOT)),
  await houseRule('patterns', () => checkPatterns(ROOT)),
  await deadCodeSuite(),
];
process.stdout.write(`\n${summary(outcomes)}\n`);
process.exitCode = totals(outcomes).failed > 0 ? 1 : 0;
