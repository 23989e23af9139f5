#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { printReport } from '../src/testing/kit/print-report.ts';
import { reaches } from '../src/testing/kit/reaches.ts';
import { runKit } from '../src/testing/kit/run-kit.ts';

const USAGE = `Usage: breakwater-connector test [folder] [--tier bronze|silver] [--json]

Computes the conformance tier of every connector of one plugin, offline, from its conformance.json.
Ends with 0 when all of them reach the tier (default bronze), with 1 when not, with 2 when called wrongly.
`;

const { values, positionals } = readArguments();
const [command, folder = '.', ...rest] = positionals;
if (command !== 'test' || rest.length > 0) exitWith(USAGE);
if (values.tier !== 'bronze' && values.tier !== 'silver') exitWith(`--tier is bronze or silver.\n\n${USAGE}`);

const report = await runKit(folder);
const isReached = reaches(report, values.tier === 'silver' ? 'silver' : 'bronze');
process.stdout.write(
  values.json ? `${JSON.stringify({ ...report, isReached }, null, 2)}\n` : `${printReport(report)}\n`,
);
// A connector that still waits for something must not keep the kit from ending.
process.exit(isReached ? 0 : 1);

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { tier: { type: 'string', default: 'bronze' }, json: { type: 'boolean', default: false } },
    });
  } catch (error) {
    return exitWith(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  }
}

function exitWith(text: string): never {
  process.stderr.write(text);
  process.exit(2);
}
