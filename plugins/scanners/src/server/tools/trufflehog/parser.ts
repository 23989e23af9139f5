import type { NormalizedFinding, ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { headText, readOrNothing } from '../../lib/input/decode.ts';
import { readJsonReport, readRecords } from '../../lib/json/records.ts';
import { skipSpace } from '../../lib/json/scan.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import { fields } from '../../lib/values/read.ts';
import { currentIssueFinding, issueFinding, resultFinding, type TruffleHogRecord, trufflehogCheck } from './result.ts';

const NAME = 'TruffleHog';

/** Begins the line with which it greets on its error output. */
const BANNER = Buffer.from('🐷');

function recogniseTrufflehog(head: Uint8Array): number {
  if (hasBanner(headText(head))) return 0.95;
  const sketch = sketchJson(head);
  if (hasKeys(sketch, 'SourceMetadata', 'SourceType') || hasKeys(sketch, 'DetectorName', 'Raw')) return 0.98;
  if (hasKeys(sketch, 'stringsFound', 'reason') || hasKeys(sketch, 'commitHash', 'printDiff')) return 0.98;
  if (hasKeys(sketch, 'path', 'secret') && innerHas(sketch, 'rule', 'id')) return 0.95;
  return sketch.texts.get('logger') === 'trufflehog' ? 0.9 : 0;
}

/** Records on lines, in an array, or one after the other; no secrets, no bytes. @throws ReportError */
async function* parseTrufflehog(
  report: AsyncIterable<Uint8Array>,
  { signal }: ParseOptions,
): AsyncGenerator<ReportRecord> {
  const bytes = withoutBanner(await readOrNothing(report, signal));
  if (bytes.length === 0) return;
  yield* readJsonReport(bytes, { name: NAME, shape: {} }, function* (json, tally) {
    yield { kind: 'report', toolName: NAME };
    const source = { report: json, ranges: json.loose, list: 'report', check: trufflehogCheck, tally, signal };
    yield* readRecords(source, findingOf);
  });
}

function hasBanner(bytes: Buffer): boolean {
  return bytes.subarray(0, BANNER.length).equals(BANNER);
}

/** Where both outputs went to one file, the results follow the greeting. */
function withoutBanner(bytes: Buffer): Buffer {
  if (!hasBanner(bytes)) return bytes;
  const newline = bytes.indexOf(0x0a);
  return bytes.subarray(newline < 0 ? bytes.length : skipSpace(bytes, newline, bytes.length));
}

function findingOf(found: TruffleHogRecord): NormalizedFinding | undefined {
  const record = fields(found);
  if (record.DetectorName !== undefined) return resultFinding(record);
  if (record.reason !== undefined) return issueFinding(record);
  return record.rule === undefined ? undefined : currentIssueFinding(record);
}

export const trufflehog: ReportParser = {
  tool: 'trufflehog',
  formats: ['json', 'jsonl'],
  emptyMeansNone: true,
  recognise: recogniseTrufflehog,
  parse: parseTrufflehog,
};
