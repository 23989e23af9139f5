import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@breakwater/core/platform/model/app-error.ts';
import { msg } from '@breakwater/core/platform/model/message.ts';
import type { ConformanceRun, ConnectorFiles } from '@breakwater/core/published-connectors/server/index.ts';
import { runKitProcess } from './kit-process.ts';
import { property } from './property.ts';

const LONGEST_MS = 90_000;
const MEMORY_MB = 512;
const BUSY_SECONDS = 15;

const run = (folder: string, signal: AbortSignal): Promise<string> =>
  runKitProcess({
    entry: 'bin/breakwater-connector.ts',
    args: ['test', folder, '--tier', 'silver', '--json'],
    ...{ folder, signal, memoryMb: MEMORY_MB, longestMs: LONGEST_MS },
  });

interface Issue {
  what: string;
  where?: string;
  fix?: string;
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const isIssue = (value: unknown): value is Issue => typeof property(value, 'what') === 'string';
const sentence = ({ what, where, fix }: Issue): string =>
  [where === undefined ? what : `${where}: ${what}`, fix].filter((part) => typeof part === 'string').join('. ');

/** There is no silver where no service is asked. */
const talksToNone = (connector: unknown): boolean => typeof property(connector, 'silverNotApplicable') === 'string';

/** Whether it read what was recorded of its tool. */
const readsReports = (connector: unknown): boolean =>
  list(property(connector, 'checks')).some(
    (check) => property(check, 'name') === 'reports' && Number(property(check, 'tried')) > 0,
  );

const UNRECORDED = msg(
  'It reads reports, and none was recorded: write one out in "reports" of conformance.json, as "text".',
);

const UNMADE = msg(
  'It makes tickets, and none was recorded: say in "calls.tickets.write.createTicket" of conformance.json what one is given, with what was asked and answered.',
);

/** Whether the fixture leaves out how a ticket is made, which the kit only notes. */
const makesUnrecorded = (checks: readonly unknown[]): boolean =>
  checks
    .flatMap((check) => list(property(check, 'notes')))
    .some((note) => typeof note === 'string' && note.includes('tickets.createTicket was not tried'));

/** What the report of the kit (`--json`) says is wrong. @returns null where it is no report */
const problemsIn = (output: string, document: unknown): string[] | null => {
  let report: unknown;
  try {
    report = JSON.parse(output);
  } catch {
    return null;
  }
  const connectors = list(property(report, 'connectors'));
  const checks = connectors.flatMap((connector) => list(property(connector, 'checks')));
  const issues = [
    ...list(property(report, 'issues')),
    ...checks.flatMap((check) => list(property(check, 'issues'))),
  ].filter(isIssue);
  if (issues.length > 0) return issues.map(sentence);
  if (makesUnrecorded(checks)) return [UNMADE];
  if (property(document, 'report') !== undefined && !connectors.every(readsReports)) return [UNRECORDED];
  if (
    connectors.length > 0 &&
    connectors.every((one) => property(one, 'tier') === 'silver' || (talksToNone(one) && readsReports(one)))
  )
    return [];
  const reasons = connectors.map((one) => property(one, 'silverNotApplicable'));
  return reasons.filter((reason) => typeof reason === 'string');
};

const UNFINISHED = msg('The connector could not be tried in the time and memory that there are for it.');

const tried = async (files: ConnectorFiles, signal: AbortSignal): Promise<string[]> => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'breakwater-conformance-')));
  try {
    await writeFile(join(folder, 'connector.json'), JSON.stringify(files.document));
    await writeFile(join(folder, 'conformance.json'), JSON.stringify(files.fixtures ?? {}));
    const problems = problemsIn(await run(folder, signal).catch(() => ''), files.document);
    signal.throwIfAborted();
    return problems ?? [UNFINISHED];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Runs the conformance kit in a process of its own, one at a time: it takes a processor for some seconds. @throws too_many_requests */
export const createConformanceRun = (): ConformanceRun => {
  let isRunning = false;
  return async (files, signal) => {
    if (isRunning) {
      throw new AppError(
        'too_many_requests',
        msg('Another connector is being tried. Publish yours again in a moment.'),
        {
          retryAfterSeconds: BUSY_SECONDS,
        },
      );
    }
    isRunning = true;
    try {
      return await tried(files, signal);
    } finally {
      isRunning = false;
    }
  };
};
