import { parseArgs } from 'node:util';
import { buildSuite, deadCodeSuite, lintSuite, typesSuite } from '../suites/command-suite.ts';
import { type Machine, prepareMachine } from '../suites/debian.ts';
import { startExternalPostgres } from '../suites/external-postgres.ts';
import { type Outcome, settle, summary, totals } from '../suites/outcome.ts';
import { pluginSuite } from '../suites/plugin-suite.ts';
import { vitestSuite } from '../suites/vitest-suite.ts';

const { values: options } = parseArgs({
  options: { 'external-postgres': { type: 'boolean', default: false } },
});

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
  return vitestSuite({ name, projects: ['e2e'], isSerial: true, environment: { BREAKWATER_CHROMIUM: browser } });
};

const machine = await prepareMachine();
const suites: [string, () => Promise<Outcome>][] = [
  ['types', typesSuite],
  ['lint and format', lintSuite],
  ['dead code', deadCodeSuite],
  [
    'unit, database and component tests',
    () => vitestSuite({ name: 'unit, database and component tests', projects: ['node', 'database', 'dom'] }),
  ],
  ['plugins alone', pluginSuite],
  ...(options['external-postgres']
    ? [['external PostgreSQL', externalDatabaseSuite] satisfies [string, () => Promise<Outcome>]]
    : []),
  ['browser build', buildSuite],
  ['browser tests', () => browserSuite(machine)],
];

const outcomes: Outcome[] = [];
for (const [name, run] of suites) {
  process.stdout.write(`\n── ${name}\n`);
  const crashed = (error: unknown): Outcome => ({ name, passed: 0, failed: 1, seconds: 0, note: String(error) });
  outcomes.push(settle(await run().catch(crashed)));
}
for (const complaint of machine.complaints) process.stdout.write(`\nNot installed: ${complaint}\n`);
process.stdout.write(`\n${summary(outcomes)}\n`);
process.exitCode = totals(outcomes).failed > 0 ? 1 : 0;
