import type { ParseOptions, ReportInfo, ReportRecord } from '@breakwater/sdk';
import { isoDate } from '../../lib/dates.ts';
import { readReport } from '../../lib/decode.ts';
import { indexJson, type JsonNode, type JsonShape } from '../../lib/json-report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json-sketch.ts';
import { imageName } from '../../lib/paths.ts';
import { defined, fields, label } from '../../lib/read.ts';
import { brokenLines, readRecords, refuseForeign, Tally, wrongTool } from '../../lib/records.ts';
import { isSarif, parseSarif, type SarifWriter, sarifScore } from '../sarif/parser.ts';
import { type GrypeScan, matchFinding } from './match.ts';
import { matchCheck } from './schema.ts';

const SHAPE: JsonShape = { matches: 'records', ignoredMatches: 'records', source: 'value', descriptor: 'value' };
const NAME = 'Grype';
const SARIF: SarifWriter = { name: NAME, driver: /grype/i };

export function recogniseGrype(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (innerHas(sketch, 'matches', 'vulnerability', 'artifact')) return 0.98;
  if (hasKeys(sketch, 'vulnerability', 'artifact', 'matchDetails')) return 0.9;
  return hasKeys(sketch, 'matches') && (hasKeys(sketch, 'descriptor') || hasKeys(sketch, 'source'))
    ? 0.9
    : sarifScore(head);
}

/** @throws ReportError */
export async function* parseGrype(
  report: AsyncIterable<Uint8Array>,
  options: ParseOptions,
): AsyncGenerator<ReportRecord> {
  const { signal } = options;
  const bytes = await readReport(report, signal);
  if (isSarif(bytes)) {
    yield* parseSarif(bytes, options, SARIF);
    return;
  }
  const json = indexJson(bytes, SHAPE);
  refuseForeign(bytes, NAME);
  const tally = new Tally();
  for (const document of json.documents) {
    const matches = document.records.get('matches');
    if (matches === undefined) throw wrongTool(NAME, undefined, 'it has no “matches”');
    yield reportInfo(document);
    const scan = scanOf(document, options.family);
    const source = { report: json, check: matchCheck, tally, signal };
    yield* readRecords({ ...source, ranges: matches, list: 'matches' }, (match) => matchFinding(match, scan));
    const ignored = document.records.get('ignoredMatches');
    if (ignored === undefined) continue;
    const ignoredScan = { ...scan, isIgnored: true };
    yield* readRecords({ ...source, ranges: ignored, list: 'ignoredMatches' }, (match) =>
      matchFinding(match, ignoredScan),
    );
  }
  const scan = scanOf(undefined, options.family);
  const source = { report: json, ranges: json.loose, list: 'report', check: matchCheck, tally, signal };
  yield* readRecords(source, (match) => matchFinding(match, scan));
  yield* brokenLines(json, tally);
  tally.assertReadable((reason) => wrongTool(NAME, undefined, reason));
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
