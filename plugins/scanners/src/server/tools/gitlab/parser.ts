import type { ParseOptions, ReportInfo, ReportRecord } from '@breakwater/sdk';
import { isoDate } from '../../lib/dates.ts';
import { readReport } from '../../lib/decode.ts';
import { readJsonReport } from '../../lib/json-parser.ts';
import type { JsonNode, JsonReport, JsonShape } from '../../lib/json-report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json-sketch.ts';
import { isCheckmarxJson } from '../../lib/known-tools.ts';
import { normalisePath } from '../../lib/paths.ts';
import { defined, fields, label } from '../../lib/read.ts';
import { readRecords, type Tally, wrongTool } from '../../lib/records.ts';
import { dependenciesOf } from './dependencies.ts';
import { ecosystemOf } from './location.ts';
import { vulnerabilityCheck } from './schema.ts';
import { type GitlabScan, vulnerabilityFinding } from './vulnerability.ts';

const SHAPE: JsonShape = {
  version: 'value',
  vulnerabilities: 'records',
  scan: 'value',
  remediations: 'records',
  dependency_files: { each: { path: 'value', package_manager: 'value', dependencies: 'records' } },
};
const NAME = 'GitLab';

export function recogniseGitlab(head: Uint8Array): number {
  if (isCheckmarxJson(head)) return 0;
  const sketch = sketchJson(head);
  if (innerHas(sketch, 'scan', 'scanner') && hasKeys(sketch, 'vulnerabilities')) return 0.98;
  if (innerHas(sketch, 'vulnerabilities', 'identifiers', 'location')) return 0.95;
  if (hasKeys(sketch, 'category', 'identifiers', 'location')) return 0.9;
  return hasKeys(sketch, 'version', 'vulnerabilities') && hasKeys(sketch, 'remediations') ? 0.85 : 0;
}

/** @throws ReportError */
export async function* parseGitlab(
  report: AsyncIterable<Uint8Array>,
  options: ParseOptions,
): AsyncGenerator<ReportRecord> {
  const bytes = await readReport(report, options.signal);
  yield* readJsonReport(bytes, { name: NAME, shape: SHAPE }, (json, tally) => readReports(json, tally, options.signal));
}

function* readReports(json: JsonReport, tally: Tally, signal: AbortSignal): Generator<ReportRecord> {
  const source = { report: json, check: vulnerabilityCheck, tally, signal };
  for (const document of json.documents) {
    const ranges = document.records.get('vulnerabilities');
    if (ranges === undefined) throw wrongTool(NAME, undefined, 'it has no “vulnerabilities”');
    const scan = scanOf(document);
    yield reportInfo(scan.scan);
    yield* readRecords({ ...source, ranges, list: 'vulnerabilities' }, (record) => vulnerabilityFinding(record, scan));
    yield* dependenciesOf(json, document, signal);
  }
  // Before version 2 a report was the bare list.
  const none: GitlabScan = { scan: {}, ecosystems: new Map() };
  yield* readRecords({ ...source, ranges: json.loose, list: 'report' }, (record) => vulnerabilityFinding(record, none));
}

function scanOf(document: JsonNode): GitlabScan {
  const ecosystems = new Map<string, string>();
  for (const file of document.children.get('dependency_files') ?? []) {
    const path = normalisePath(file.values.get('path'));
    const ecosystem = ecosystemOf(file.values.get('package_manager'));
    if (path !== undefined && ecosystem !== undefined) ecosystems.set(path, ecosystem);
  }
  return { scan: fields(document.values.get('scan')), ecosystems };
}

function reportInfo(scan: Record<string, unknown>): ReportInfo {
  const scanner = fields(scan.scanner);
  return defined({
    kind: 'report' as const,
    toolName: label(scanner.name) ?? NAME,
    toolVersion: label(scanner.version),
    date: isoDate(scan.end_time) ?? isoDate(scan.start_time),
  });
}
