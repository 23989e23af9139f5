import { checkBoundaries } from '../check-boundaries.ts';
import { checkPlugins, checkText } from '../checks.ts';
import { deadCodeSuite, houseRuleSuite, lintSuite, patternsSuite, typesSuite } from '../suites/command-suite.ts';
import { ROOT, summary, totals } from '../suites/run.ts';

/** The quick half of `npm test`: all that needs no database and no browser. */
const outcomes = [
  await typesSuite(),
  await lintSuite(),
  await houseRuleSuite('boundaries', async () => (await checkBoundaries({ root: ROOT })).issues),
  await houseRuleSuite('plugins', () => checkPlugins(ROOT)),
  await houseRuleSuite('text', () => checkText(ROOT)),
  await patternsSuite(),
  await deadCodeSuite(),
];
process.stdout.write(`\n${summary(outcomes)}\n`);
process.exitCode = totals(outcomes).failed > 0 ? 1 : 0;
