import { printReport, reaches } from '../print-report.ts';
import { runKit } from '../run-kit.ts';
import { updateFixtures } from '../update-fixtures.ts';
import { type Command, UsageError } from './command.ts';

export const testCommand: Command = {
  usage: `  test [folder] [--tier bronze|silver] [--json] [--update]
      Computes the conformance tier of every connector of one plugin, offline, from its conformance.json.
      --update first writes into that file what the connectors ask and answer now: read the difference before you keep it.
      Reached when all of them have the tier (default bronze).`,
  options: { tier: { type: 'string' }, json: { type: 'boolean' }, update: { type: 'boolean' } },
  run: async ({ folder, values: { tier = 'bronze', json, update } }) => {
    if (tier !== 'bronze' && tier !== 'silver') throw new UsageError('--tier is bronze or silver.');
    if (update) await updateFixtures(folder);
    const report = await runKit(folder);
    const isReached = reaches(report, tier);
    return { isReached, text: json ? JSON.stringify({ ...report, isReached }, null, 2) : printReport(report) };
  },
};
