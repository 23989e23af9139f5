import { TIERS } from '../check.ts';
import { printReport, reaches } from '../print-report.ts';
import { runKit } from '../run-kit.ts';
import { updateFixtures } from '../update-fixtures.ts';
import { type Command, UsageError } from './command.ts';

export const testCommand: Command = {
  usage: `  test [folder] [--tier bronze|silver|gold] [--json] [--update]
      Computes the conformance tier of every connector of one plugin, offline, from its conformance.json.
      --update first writes into that file what the connectors ask and answer now: read the difference before you keep it.
      Reached when all of them have the tier (default bronze). Gold is tried only where it is asked for.`,
  options: { tier: { type: 'string' }, json: { type: 'boolean' }, update: { type: 'boolean' } },
  run: async ({ folder, values: { tier = 'bronze', json, update } }) => {
    const asked = TIERS.find((known) => known === tier);
    if (asked === undefined) throw new UsageError(`--tier is ${TIERS.join(', ')}.`);
    if (update) await updateFixtures(folder);
    const report = await runKit(folder, asked === 'gold' ? { upTo: 'gold' } : {});
    const isReached = reaches(report, asked);
    return { isReached, text: json ? JSON.stringify({ ...report, isReached }, null, 2) : printReport(report) };
  },
};
