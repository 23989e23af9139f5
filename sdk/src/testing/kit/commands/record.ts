import { type Recording, recordFixtures } from '../record/record.ts';
import type { Command } from './command.ts';

export const recordCommand: Command = {
  usage: `  record [folder] [--connector <id>] [--partial]
      Runs check, syncs and what else only reads against the real service, and writes requests and answers into conformance.json.
      Credentials come from the environment (HARBOUR_SCAN_API_KEY for the field api_key of harbour-scan), else they are asked for.
      --partial writes also what was answered to what does not succeed yet, so that the mapping can be corrected.
      HARBOUR_SCAN_BASE_URL names another address of the service. Secrets, tokens and e-mail addresses are scrubbed: read the file before you publish it.`,
  options: { connector: { type: 'string' }, partial: { type: 'boolean' } },
  run: async ({ folder, values: { connector, partial }, environment, ask }) => {
    const recording = await recordFixtures(folder, {
      environment,
      ask,
      connector: textOf(connector),
      isPartial: partial === true,
    });
    return { isReached: recording.failures.length === 0, text: printRecording(recording) };
  },
};

function textOf(value: string | boolean | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function printRecording({ connector, operations, notRecorded, exchanges, scrubbed, failures }: Recording): string {
  const found = [...scrubbed].map(([kind, count]) => `  ${kind}: ${count} ${count === 1 ? 'place' : 'places'}`);
  return [
    `${connector}: ${exchanges} exchanges of ${operations.join(', ')} were written to conformance.json${failures.length === 0 ? '; they replay as recorded' : ''}.`,
    ...failures,
    ...(notRecorded.length === 0 ? [] : [`Not run against the real service: ${notRecorded.join(', ')}.`]),
    found.length === 0 ? 'Scrubbed: nothing was found in the answers.' : 'Scrubbed from the answers:',
    ...found,
    'Never written: what was sent as credentials, cookies, and headers of answers that nobody reads.',
    'Names of people, projects and code are still there. Read the file before you publish it.',
  ].join('\n');
}
