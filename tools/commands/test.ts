import { parseArgs } from 'node:util';
import { buildSuite, deadCodeSuite, lintSuite, patternsSuite, typesSuite } from '../suites/command-suite.ts';
import { type Machine, prepareMachine, startExternalPostgres } from '../suites/machine.ts';
import { pluginSuite } from '../suites/plugin-suite.ts';
import { type Outcome, settle, summary, totals } from '../suites/run.ts';
import { reachOfChanges, vitestSuite } from '../suites/vitest-suite.ts';

/** `--changed [commit]`: only what the changes since that commit (HEAD by default) can reach. */
const { values: options, positionals } = parseArgs({
  options: { 'external-postgres': { type: 'boolean', default: false }, changed: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const changedSince = options.changed ? (positionals[0] ?? 'HEAD') : undefined;

/** The database suites against the machine's own PostgreSQL instead of the embedded one. */
const externalDatabaseSuite = async (): Promise<Outcome> => {
  const server = await startExternalPostgres();
  try {
    const name = `database tests on PostgreSQL ${server.version}`;
    return await vitestSuite({ name, projects: ['database'], environment: { TEST_DATABASE_URL: server.url } });
  } finally {
    await server.stop();
  }
};

const browserSuite = async ({ browser, complaints }: Machine): Promise<Outcome> => {
  const name = 'browser tests';
  if (browser === undefined) {
    const note = `no Chromium: ${complaints.join('; ')}. Install it, or name one in BREAKWATER_CHROMIUM.`;
    return { name, passed: 0, failed: 1, seconds: 0, note };
  }
  return vitestSuite({
    name,
    projects: ['e2e'],
    workers: 2,
    environment: { BREAKWATER_CHROMIUM: browser },
    // The journeys reach the product through its processes, of which Vitest knows nothing.
    changedSince: reach.product ? undefined : changedSince,
  });
};

const crashed =
  (name: string) =>
  (error: unknown): Outcome => ({ name, passed: 0, failed: 1, seconds: 0, note: String(error) });

const reach = changedSince === undefined ? { product: true, plugins: true } : await reachOfChanges(changedSince);
const machine = await prepareMachine();
// It waits more than it works, so it runs beside the checks that come first.
const plugins = reach.plugins ? pluginSuite().catch(crashed('plugins alone')) : undefined;
const unitName = 'unit, database and component tests';
const suites: [string, () => Promise<Outcome>][] = [
  ['types', typesSuite],
  ['lint and format', lintSuite],
  ['patterns', patternsSuite],
  ['dead code', deadCodeSuite],
  ...(plugins === undefined ? [] : [['plugins alone', () => plugins] satisfies [string, () => Promise<Outcome>]]),
  [unitName, () => vitestSuite({ name: unitName, projects: ['node', 'database', 'dom'], changedSince })],
  ...(options['external-postgres']
    ? [['external PostgreSQL', externalDatabaseSuite] satisfies [string, () => Promise<Outcome>]]
    : []),
  ['browser build', buildSuite],
  ['browser tests', () => browserSuite(machine)],
];

const outcomes: Outcome[] = [];
for (const [name, run] of suites) {
  process.stdout.write(`\n── ${name}\n`);
  const outcome = await run().catch(crashed(name));
  outcomes.push(changedSince === undefined ? settle(outcome) : outcome);
}
for (const complaint of machine.complaints) process.stdout.write(`\nNot installed: ${complaint}\n`);
process.stdout.write(`\n${summary(outcomes)}\n`);
process.exitCode = totals(outcomes).failed > 0 ? 1 : 0;
