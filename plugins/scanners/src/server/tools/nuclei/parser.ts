import type { ParseOptions, ReportRecord } from '@breakwater/sdk';
import { hasKeys, innerHas, sketchJson } from '../../lib/json-sketch.ts';
import { readRecords } from '../../lib/records.ts';
import { parseJsonOrSarif, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';
import { resultFinding } from './result.ts';
import { resultCheck } from './schema.ts';

const SARIF = SARIF_WRITERS.nuclei;
const NAME = SARIF.name;

export function recogniseNuclei(head: Uint8Array): number {
  const sketch = sketchJson(head);
  const isResult = hasKeys(sketch, 'template-id') || hasKeys(sketch, 'templateID');
  if (isResult && (hasKeys(sketch, 'info') || hasKeys(sketch, 'host'))) return 0.98;
  if (isResult || innerHas(sketch, 'info', 'author', 'severity', 'tags')) return 0.85;
  return hasKeys(sketch, 'template', 'matched', 'severity') ? 0.9 : sarifScore(head, SARIF);
}

/** Results on lines or in an array; no results, no bytes. @throws ReportError */
export const parseNuclei = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  parseJsonOrSarif(report, options, { writer: SARIF, shape: {}, emptyMeansNone: true }, function* (json, tally) {
    yield { kind: 'report', toolName: NAME };
    const source = { report: json, ranges: json.loose, list: 'report', check: resultCheck, tally };
    yield* readRecords({ ...source, signal: options.signal }, resultFinding);
  });
