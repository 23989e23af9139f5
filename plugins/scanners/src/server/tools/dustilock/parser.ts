import {
  type NormalizedFinding,
  type ParseOptions,
  ReportError,
  type ReportParser,
  type ReportRecord,
} from '@breakwater/sdk';
import { normalisePath } from '../../lib/findings/packages.ts';
import { oneLine } from '../../lib/findings/text.ts';
import { headText, linesOf, readReport } from '../../lib/input/decode.ts';
import { defined, label } from '../../lib/values/read.ts';

const NAME = 'DustiLock';
const AVAILABLE = /^error - ((\S+) package "(.+)" is available for public registration)\. ?/;
const STARTED = /^DustiLock started$/;
const FINISHED = /^finished scanning directory /;
const FOUND_SOME = /^one or more packages are available for public registration$/;

function recogniseDustilock(head: Uint8Array): number {
  const text = headText(head).toString('utf8');
  const lines = text.slice(0, 4_096).split('\n');
  if (lines.some((line) => STARTED.test(line.trim()))) return 0.98;
  return /^error - \S{1,40} package ".{1,500}" is available for public registration\./m.test(text) ? 0.95 : 0;
}

/** What the tool prints: results go to its error output, the rest to its output. @throws ReportError */
async function* parseDustilock(
  report: AsyncIterable<Uint8Array>,
  { signal }: ParseOptions,
): AsyncGenerator<ReportRecord> {
  const bytes = await readReport(report, signal);
  const seen = { started: false, finished: false, results: 0, more: false };
  for (const { text } of linesOf(bytes, signal)) {
    seen.started ||= STARTED.test(text);
    seen.finished ||= FINISHED.test(text);
    seen.more ||= FOUND_SOME.test(text);
    const [line = '', title, manager, name] = AVAILABLE.exec(text) ?? [];
    const file = text.slice(line.length);
    if (title === undefined || name === undefined) continue;
    seen.results += 1;
    yield confusion({ title, manager, name, file });
  }
  if (seen.results === 0 && !seen.finished) throw refusal(seen.started || seen.more);
  yield { kind: 'report', toolName: NAME };
}

interface Available {
  title: string;
  manager: string | undefined;
  name: string;
  file: string | undefined;
}

const ECOSYSTEMS: ReadonlyMap<string, string> = new Map([
  ['npm', 'npm'],
  ['python', 'pypi'],
]);

function confusion({ title, manager, name, file }: Available): NormalizedFinding {
  const path = normalisePath(file);
  const ecosystem = ECOSYSTEMS.get(manager ?? '') ?? label(manager);
  return defined({
    kind: 'finding' as const,
    ruleId: 'dependency-confusion',
    title: oneLine(title),
    type: 'Supply chain' as const,
    severity: 'high' as const,
    description:
      'Nobody owns this name in the public registry. Whoever registers it can have their code installed in place of the internal package.',
    mitigation:
      // no text: part of a finding
      'Register the name in the public registry, or move the package to a scope of your own and pin its registry.',
    cwe: [427],
    component: defined({ name: oneLine(name), ecosystem }),
    locations: path === undefined ? undefined : [{ path }],
  });
}

function refusal(isOurs: boolean): ReportError {
  return isOurs
    ? new ReportError(
        'report_malformed',
        `The report says neither what was found nor that the scan finished. ${NAME} prints its results to the error output: run it again with “> report.txt 2>&1”.`,
      )
    : new ReportError('report_wrong_tool', `This is not a report of ${NAME}. Upload what dustilock printed.`);
}

export const dustilock: ReportParser = {
  tool: 'dustilock',
  formats: ['txt'],
  reads: { part: {}, failure: [], identity: 'package and manifest' },
  recognise: recogniseDustilock,
  parse: parseDustilock,
};
