import type { ParseOptions, ReportInfo, ReportRecord } from '@breakwater/sdk';
import { isoDate } from '../../lib/dates.ts';
import type { JsonNode, JsonReport, JsonShape } from '../../lib/json-report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json-sketch.ts';
import { imageName } from '../../lib/paths.ts';
import { defined, fields, label } from '../../lib/read.ts';
import { readRecords, type Tally, wrongTool } from '../../lib/records.ts';
import { parseJsonOrSarif, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';
import { type GrypeScan, matchFinding } from './match.ts';
import { matchCheck } from './schema.ts';

const SHAPE: JsonShape = { matches: 'records', ignoredMatches: 'records', source: 'value', descriptor: 'value' };
const SARIF = SARIF_WRITERS.grype;
const NAME = SARIF.name;

export function recogniseGrype(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (innerHas(sketch, 'matches', 'vulnerability', 'artifact')) return 0.98;
  if (hasKeys(sketch, 'vulnerability', 'artifact', 'matchDetails')) return 0.9;
  return hasKeys(sketch, 'matches') && (hasKeys(sketch, 'descriptor') || hasKeys(sketch, 'source'))
    ? 0.9
    : sarifScore(head, SARIF);
}

/** @throws ReportError */
export const parseGrype = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncGenerator<ReportRecord> =>
  parseJsonOrSarif(report, options, { writer: SARIF, shape: SHAPE }, (json, tally) =>
    readMatches(json, tally, options),
  );

function* readMatches(json: JsonReport, tally: Tally, { signal, family }: ParseOptions): Generator<ReportRecord> {
  for (const document of json.documents) {
    const matches = document.records.get('matches');
    if (matches === undefined) throw wrongTool(NAME, undefined, 'it has no “matches”');
    yield reportInfo(document);
    const scan = scanOf(document, family);
    const source = { report: json, check: matchCheck, tally, signal };
    yield* readRecords({ ...source, ranges: matches, list: 'matches' }, (match) => matchFinding(match, scan));
    const ignored = document.records.get('ignoredMatches');
    if (ignored === undefined) continue;
    const ignoredScan = { ...scan, isIgnored: true };
    yield* readRecords({ ...source, ranges: ignored, list: 'ignoredMatches' }, (match) =>
      matchFinding(match, ignoredScan),
    );
  }
  const scan = scanOf(undefined, family);
  const source = { report: json, ranges: json.loose, list: 'report', check: matchCheck, tally, signal };
  yield* readRecords(source, (match) => matchFinding(match, scan));
}

function scanOf(document: JsonNode | undefined, family: string | undefined): GrypeScan {
  const source = fields(document?.values.get('source'));
  const image = targetImage(source);
  const kind = label(source.type);
  // What was scanned is a fact of the report; the catalogue's family only helps where the report is silent.
  const isImage = kind === undefined ? family === 'Container' : kind === 'image';
  return defined({ type: isImage ? ('Container' as const) : ('SCA' as const), resource: image });
}

function targetImage(source: Record<string, unknown>): string | undefined {
  return source.type === 'image' ? imageName(label(fields(source.target).userInput)) : undefined;
}

function reportInfo(document: JsonNode): ReportInfo {
  const descriptor = fields(document.values.get('descriptor'));
  return defined({
    kind: 'report' as const,
    toolName: 'Grype',
    toolVersion: label(descriptor.version),
    target: targetImage(fields(document.values.get('source'))),
    date: isoDate(descriptor.timestamp),
  });
}
