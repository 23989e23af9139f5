import type { ParseOptions, ReportRecord } from '@breakwater/sdk';
import { readReport } from '../../lib/decode.ts';
import { indexJson, type JsonNode, type JsonShape } from '../../lib/json-report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json-sketch.ts';
import { defined, label } from '../../lib/read.ts';
import { brokenLines, readRecords, refuseForeign, Tally, wrongTool } from '../../lib/records.ts';
import { isSarif, parseSarif, type SarifWriter, sarifScore } from '../sarif/parser.ts';
import { supplyChainFinding } from './advisory.ts';
import { resultFinding } from './result.ts';
import { resultCheck, vulnerabilityCheck } from './schema.ts';

const SHAPE: JsonShape = { version: 'value', results: 'records', vulns: 'records' };
const NAME = 'OpenGrep or Semgrep';
const SARIF: SarifWriter = { name: NAME, driver: /opengrep|semgrep/i };

export function recogniseOpengrep(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (hasKeys(sketch, 'check_id', 'path', 'extra') || innerHas(sketch, 'results', 'check_id', 'path')) return 0.98;
  if (hasKeys(sketch, 'results', 'errors', 'paths') && !hasKeys(sketch, 'metrics')) return 0.9;
  // Keys are sorted: long `errors` and `paths` can fill the head before `results` comes.
  if (hasKeys(sketch, 'errors', 'interfile_languages_used')) return 0.85;
  if (innerHas(sketch, 'errors', 'code', 'level', 'message', 'type')) return 0.8;
  if (hasKeys(sketch, 'errors', 'paths') && innerHas(sketch, 'paths', 'scanned')) return 0.8;
  return innerHas(sketch, 'vulns', 'advisory', 'matchedDependency') ? 0.9 : sarifScore(head);
}

/** @throws ReportError */
export async function* parseOpengrep(
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
  for (const document of json.documents) yield* parseDocument(document);
  yield* readRecords(
    { report: json, ranges: json.loose, list: 'report', check: resultCheck, tally, signal },
    resultFinding,
  );
  yield* brokenLines(json, tally);
  tally.assertReadable((reason) => wrongTool(NAME, undefined, reason));

  function* parseDocument(document: JsonNode): Generator<ReportRecord> {
    const results = document.records.get('results');
    const vulnerabilities = document.records.get('vulns');
    if (results === undefined && vulnerabilities === undefined) throw wrongTool(NAME, undefined, 'it has no “results”');
    yield defined({
      kind: 'report' as const,
      toolName: 'OpenGrep',
      toolVersion: label(document.values.get('version')),
    });
    const source = { report: json, tally, signal };
    if (results !== undefined) {
      yield* readRecords({ ...source, ranges: results, list: 'results', check: resultCheck }, resultFinding);
    }
    if (vulnerabilities !== undefined) {
      const records = { ...source, ranges: vulnerabilities, list: 'vulns', check: vulnerabilityCheck };
      yield* readRecords(records, supplyChainFinding);
    }
  }
}
