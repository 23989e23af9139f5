import type { NormalizedFinding, ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { headText } from '../../lib/input/decode.ts';
import type { JsonFormat } from '../../lib/json/records.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import { type ReadOptions, readJson, recordsAlone } from '../../lib/json/stream-parser.ts';
import { fields } from '../../lib/values/read.ts';
import { currentIssueFinding, issueFinding, resultFinding, type TruffleHogRecord, trufflehogCheck } from './result.ts';

const NAME = 'TruffleHog';

/** Begins the line with which it greets on its error output. */
const BANNER = Buffer.from('🐷');
const FORMAT: JsonFormat & ReadOptions = {
  name: NAME,
  shape: {},
  emptyForms: ['[]'],
  emptyMeansNone: true,
  skip: bannerBytes,
};

function recogniseTrufflehog(head: Uint8Array): number {
  if (hasBanner(headText(head))) return 0.95;
  const sketch = sketchJson(head);
  if (hasKeys(sketch, 'SourceMetadata', 'SourceType') || hasKeys(sketch, 'DetectorName', 'Raw')) return 0.98;
  if (hasKeys(sketch, 'stringsFound', 'reason') || hasKeys(sketch, 'commitHash', 'printDiff')) return 0.98;
  if (hasKeys(sketch, 'path', 'secret') && innerHas(sketch, 'rule', 'id')) return 0.95;
  return sketch.texts.get('logger') === 'trufflehog' ? 0.9 : 0;
}

/** Records on lines, in an array, or one after the other; no secrets, no bytes. @throws ReportError */
const parseTrufflehog = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readJson(report, options, FORMAT, () => recordsAlone(NAME, trufflehogCheck, findingOf));

function hasBanner(bytes: Buffer): boolean {
  return bytes.subarray(0, BANNER.length).equals(BANNER);
}

/** Where both outputs went to one file, the results follow the greeting. */
function bannerBytes(head: Buffer): number {
  if (!hasBanner(head)) return 0;
  const newline = head.indexOf(0x0a);
  return newline < 0 ? head.length : newline;
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
  reads: { part: {}, failure: [], identity: 'detector, path and secret' },
  emptyMeansNone: true,
  recognise: recogniseTrufflehog,
  parse: parseTrufflehog,
};
