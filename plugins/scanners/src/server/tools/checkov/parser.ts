import type { ParseOptions, ReportInfo, ReportRecord } from '@breakwater/sdk';
import { readByStart, startText } from '../../formats/by-start.ts';
import { readXmlReport } from '../../formats/xml-report.ts';
import type { JsonNode, JsonReport, JsonShape } from '../../lib/json-report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json-sketch.ts';
import { defined, fields, label } from '../../lib/read.ts';
import { readRecords, type Tally, wrongTool } from '../../lib/records.ts';
import { parseJsonOrSarif, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';
import { checkFinding } from './check.ts';
import { checkTypeOf, isJunit, JUNIT } from './junit.ts';
import { failedCheck } from './schema.ts';

/** Passed and skipped checks are no findings: only the failed ones are looked at. */
const SHAPE: JsonShape = {
  check_type: 'value',
  results: { object: { failed_checks: 'records' } },
  summary: 'value',
  checkov_version: 'value',
};
const SARIF = SARIF_WRITERS.checkov;
const NAME = SARIF.name;

export function recogniseCheckov(head: Uint8Array): number {
  if (isJunit(startText(head))) return 0.97;
  const sketch = sketchJson(head);
  const isReport = hasKeys(sketch, 'check_type', 'results') || innerHas(sketch, 'results', 'failed_checks');
  if (isReport || innerHas(sketch, 'results', 'passed_checks')) return 0.98;
  // What it writes when there was nothing to check.
  if (hasKeys(sketch, 'checkov_version', 'failed')) return 0.98;
  return hasKeys(sketch, 'check_id', 'check_result') ? 0.9 : sarifScore(head, SARIF);
}

/** @throws ReportError */
export const parseCheckov = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readByStart(report, (start) =>
    isJunit(start) ? (whole) => parseJunit(whole, options) : (whole) => parseJson(whole, options),
  );

const parseJunit = (report: AsyncIterable<Uint8Array>, { signal, family }: ParseOptions): AsyncIterable<ReportRecord> =>
  readXmlReport(report, JUNIT, signal, (check) => checkFinding(check, { checkType: checkTypeOf(check), family }));

const parseJson = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  parseJsonOrSarif(report, options, { writer: SARIF, shape: SHAPE }, (json, tally) =>
    readFrameworks(json, tally, options),
  );

/** One report per framework that was checked (terraform, dockerfile …): one object, or a list of them. */
function* readFrameworks(json: JsonReport, tally: Tally, { signal, family }: ParseOptions): Generator<ReportRecord> {
  const source = { report: json, check: failedCheck, tally, signal };
  const [first] = json.documents;
  if (first !== undefined) yield reportInfo(first);
  for (const document of json.documents) {
    const failed = document.children.get('results')?.[0]?.records.get('failed_checks');
    const checkType = label(document.values.get('check_type'));
    if (failed === undefined && checkType === undefined && !document.values.has('checkov_version')) {
      throw wrongTool(NAME, undefined, 'it has no “failed_checks”');
    }
    if (failed === undefined) continue;
    yield* readRecords({ ...source, ranges: failed, list: `${checkType ?? 'results'}.failed_checks` }, (check) =>
      checkFinding(check, { checkType, family }),
    );
  }
  yield* readRecords({ ...source, ranges: json.loose, list: 'report' }, (check) => {
    const { result } = fields(fields(check).check_result);
    return result === undefined || result === 'FAILED' ? checkFinding(check, { family }) : undefined;
  });
}

function reportInfo(document: JsonNode): ReportInfo {
  const version = fields(document.values.get('summary')).checkov_version ?? document.values.get('checkov_version');
  return defined({ kind: 'report' as const, toolName: NAME, toolVersion: label(version) });
}
