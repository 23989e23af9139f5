import os from 'node:os';
import path from 'node:path';
import { packSdk } from '../packages/pack-sdk.ts';
import { pluginIds, testAlone } from '../packages/sandbox.ts';
import type { FailedTest, Outcome } from './run.ts';
import { ROOT } from './run.ts';

const NAME = 'plugins alone';

interface Counts {
  readonly passed: number;
  readonly failed: number;
}

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;

const listAt = (value: unknown, key: string): unknown[] => {
  const list = memberOf(value, key);
  return Array.isArray(list) ? list : [];
};

/** Connectors of a kit report: those at their tier, and the others. A plugin that fails as a whole counts as one failure more. */
export const countKitReport = (report: unknown, exitCode: number): Counts => {
  const connectors = listAt(report, 'connectors');
  const passed = connectors.filter((connector) => {
    const told = (name: string): unknown => memberOf(connector, name);
    const tier = told('tier');
    return (
      tier === 'gold' ||
      (tier === 'silver' && typeof told('goldNotApplicable') === 'string') ||
      (tier === 'bronze' && typeof told('silverNotApplicable') === 'string')
    );
  }).length;
  const failed = connectors.length - passed;
  return exitCode !== 0 && failed === 0 ? { passed, failed: 1 } : { passed, failed };
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const SHOWN_LINES = 12;

/** What the kit said of a plugin that failed: the points that failed, or the end of what it printed where it made no report. */
export const kitFailure = (id: string, report: unknown, output: string): FailedTest => {
  const ofConnectors = listAt(report, 'connectors').flatMap((connector) =>
    listAt(connector, 'checks').flatMap((check) =>
      listAt(check, 'issues').map((issue) => [
        memberOf(connector, 'id'),
        memberOf(check, 'name'),
        memberOf(issue, 'what'),
      ]),
    ),
  );
  const ofPlugin = listAt(report, 'issues').map((issue) => [memberOf(issue, 'what')]);
  const points = [...ofPlugin, ...ofConnectors].map((words) => words.join(', '));
  const said = points.length > 0 ? points.slice(0, SHOWN_LINES) : output.trimEnd().split('\n').slice(-SHOWN_LINES);
  return { file: `plugins/${id}`, name: '', message: said.join('\n') };
};

/** Every plugin runs the conformance kit alone, with the packed SDK; each connector at its tier counts as one. */
export const pluginSuite = async (): Promise<Outcome> => {
  const start = Date.now();
  const { sdk } = await packSdk();
  const left = await pluginIds();
  const totals = { passed: 0, failed: 0 };
  const lines: string[] = [];
  const failures: FailedTest[] = [];
  const work = async (): Promise<void> => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      const folder = path.join(ROOT, 'plugins', id);
      const { code, output } = await testAlone(folder, sdk, ['--tier', 'gold', '--json']).catch((error: unknown) => ({
        code: 1,
        output: String(error),
      }));
      const report = parse(output.slice(output.indexOf('{')));
      const counts = countKitReport(report, code);
      if (counts.failed > 0) failures.push(kitFailure(id, report, `${output}\nexit code ${code}`));
      totals.passed += counts.passed;
      totals.failed += counts.failed;
      const hint = counts.failed > 0 ? `   npm test -w plugins/${id} says why` : '';
      lines.push(`${id}: ${counts.passed} passed, ${counts.failed} failed${hint}\n`);
    }
  };
  // The kit waits more than it works: for retries, and for answers that do not come.
  await Promise.all(Array.from({ length: os.availableParallelism() + 1 }, work));
  // at the end, because other suites may run meanwhile
  process.stdout.write(lines.sort().join(''));
  return { name: NAME, ...totals, failures, seconds: (Date.now() - start) / 1000 };
};
