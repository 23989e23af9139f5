import { parseArgs } from 'node:util';
import { printReport, reaches } from './print-report.ts';
import { runKit } from './run-kit.ts';
import { updateFixtures } from './update-fixtures.ts';

const USAGE = `Usage: breakwater-connector test [folder] [--tier bronze|silver] [--json] [--update]

Computes the conformance tier of every connector of one plugin, offline, from its conformance.json.
--update first writes into that file what the connectors ask and answer now: read the difference before you keep it.
Ends with 0 when all of them reach the tier (default bronze), with 1 when not, with 2 when called wrongly.
`;

/** Runs the command line of the kit. Ends the process. */
export async function runCommandLine(args: readonly string[]): Promise<never> {
  const { values, positionals } = readArguments(args);
  const [command, folder = '.', ...rest] = positionals;
  if (command !== 'test' || rest.length > 0) exitWith(USAGE);
  if (values.tier !== 'bronze' && values.tier !== 'silver') exitWith(`--tier is bronze or silver.\n\n${USAGE}`);
  if (values.update) await updateFixtures(folder);
  const report = await runKit(folder);
  const isReached = reaches(report, values.tier === 'silver' ? 'silver' : 'bronze');
  const text = values.json ? JSON.stringify({ ...report, isReached }, null, 2) : printReport(report);
  await new Promise((resolve) => process.stdout.write(`${text}\n`, resolve));
  // A connector that still waits for something must not keep the kit from ending.
  process.exit(isReached ? 0 : 1);
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        tier: { type: 'string', default: 'bronze' },
        json: { type: 'boolean', default: false },
        update: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return exitWith(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  }
}

function exitWith(text: string): never {
  process.stderr.write(text);
  process.exit(2);
}
