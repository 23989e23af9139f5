import type { NormalizedFinding, ParseOptions, ReportParser, ReportRecord, Severity } from '@breakwater/sdk';
import { scanFailure, scannedFiles } from '../../lib/findings/coverage.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { oneLine } from '../../lib/findings/text.ts';
import { headText, linesOf, readOrNothing } from '../../lib/input/decode.ts';
import { wrongTool } from '../../lib/json/records.ts';
import { defined } from '../../lib/values/read.ts';

const NAME = 'ClamAV';
/** `path: signature FOUND`, after a time in logs; the signature may carry the file's digest and size. */
const FOUND = /^(?:\w{3} \w{3} +\d+ [\d:]{8} \d{4} -> )?(.+): (\S+?)(?:\(([0-9a-f]{32,64}):\d+\))? FOUND$/;
/** What else it says of a file. */
const OTHER = /.(?:: (?:OK|Empty file\.?|Excluded|Symbolic link|Not supported file type)| ERROR)$/;
const isExcluded = (text: string): boolean => text.endsWith(')') && text.includes(': Excluded (');
const SUMMARY = /^-+ SCAN SUMMARY -+$/;
const CLEAN = /^(.+): OK$/;
/** A file that could not be read, or how many there were. */
const ERROR = /^(?:.+ ERROR|Total errors: [1-9]\d*)$/;
const VERSION = /^Engine version: (\S+)/;

function recogniseClamav(head: Uint8Array): number {
  const text = headText(head).toString('utf8');
  if (/^-+ SCAN SUMMARY -+\s*$/m.test(text)) return 0.95;
  if (/^.{0,4096}: \S{1,500} FOUND\s*$/m.test(text)) return 0.9;
  return /^\/?.{0,4096}: OK\r?$/m.test(text.slice(0, 8_192)) ? 0.8 : 0;
}

/** What `clamscan` and `clamdscan` print, or a log of `clamd`. @throws ReportError */
async function* parseClamav(report: AsyncIterable<Uint8Array>, { signal }: ParseOptions): AsyncGenerator<ReportRecord> {
  const bytes = await readOrNothing(report, signal);
  if (bytes.length === 0) return;
  let isOurs = false;
  let hasClean = false;
  const infected: string[] = [];
  let toolVersion: string | undefined;
  for (const { text } of linesOf(bytes, signal)) {
    const found = FOUND.exec(text);
    isOurs ||= found !== null || SUMMARY.test(text) || OTHER.test(text) || isExcluded(text);
    toolVersion ??= VERSION.exec(text)?.[1];
    if (found?.[1] !== undefined) infected.push(found[1]);
    const clean = CLEAN.exec(text)?.[1];
    if (clean !== undefined) yield* scannedFiles([clean]);
    hasClean ||= clean !== undefined;
    if (ERROR.test(text)) yield scanFailure(text);
    const finding = found === null ? undefined : infectedFile(found[1] ?? '', found[2] ?? '', found[3]);
    if (finding !== undefined) yield finding;
  }
  if (!isOurs) throw notOurs();
  // with `--infected` the files without a result are not listed
  if (hasClean) yield* scannedFiles(infected);
  yield defined({ kind: 'report' as const, toolName: NAME, toolVersion });
}

function infectedFile(file: string, signature: string, digest: string | undefined): NormalizedFinding {
  const path = normalisePath(file);
  return defined({
    kind: 'finding' as const,
    ruleId: oneLine(signature),
    title: oneLine(signature),
    type: 'Malware' as const,
    severity: severityOf(signature),
    description: `ClamAV recognises this file as ${oneLine(signature)}.`,
    // no text: part of a finding
    mitigation: 'Remove the file, find out how it came there, and check what it could reach.',
    locations: path === undefined ? undefined : [{ path }],
    tags: digest === undefined ? undefined : [digest],
  });
}

/** Guesses and unwanted programs are marked as such in the signature's name; everything else is known malware. */
function severityOf(signature: string): Severity {
  return /^(?:PUA|Heuristics)\./.test(signature) ? 'medium' : 'critical';
}

function notOurs() {
  const reason = 'it has neither “FOUND” nor “OK” nor a scan summary';
  const error = wrongTool(NAME, reason);
  error.message = `This is not a report of ${NAME}: ${reason}. Upload what clamscan or clamdscan printed.`;
  return error;
}

export const clamav: ReportParser = {
  tool: 'clamav',
  formats: ['txt'],
  reads: {
    part: {},
    files: 'lines that end in `OK` or `FOUND`, unless only infected files are listed',
    failure: ['lines that end in `ERROR`', '`Total errors` above 0'],
    identity: 'signature and path',
  },
  emptyMeansNone: true,
  recognise: recogniseClamav,
  parse: parseClamav,
};
