import type { ParseOptions, ReportInfo, ReportRecord } from '@breakwater/sdk';
import { isoDate } from '../../lib/dates.ts';
import { headText } from '../../lib/decode.ts';
import type { JsonReport, JsonShape } from '../../lib/json-report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json-sketch.ts';
import { peek } from '../../lib/peek.ts';
import { defined, fields, label } from '../../lib/read.ts';
import { readRecords, type Tally, wrongTool } from '../../lib/records.ts';
import { readXml, type XmlShape } from '../../lib/xml-records.ts';
import { parseJsonOrSarif, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';
import { dependencyFindings } from './dependency.ts';
import { dependencyCheck } from './schema.ts';
import { dependencyFromXml } from './xml.ts';

const SHAPE: JsonShape = {
  reportSchema: 'value',
  scanInfo: { object: { engineVersion: 'value' } },
  projectInfo: 'value',
  dependencies: 'records',
};
const SARIF = SARIF_WRITERS.dependencyCheck;
const NAME = SARIF.name;
const XML: XmlShape = {
  root: 'analysis',
  namespace: 'dependency-check',
  records: ['scanInfo/engineVersion', 'projectInfo/reportDate', 'dependencies/dependency'],
  tool: NAME,
};

export function recogniseDependencyCheck(head: Uint8Array): number {
  const start = headText(head).toString('utf8', 0, 2_048).trimStart();
  if (start.startsWith('<')) return /<analysis[^>]*dependency-check/i.test(start) ? 0.98 : 0;
  const sketch = sketchJson(head);
  if (hasKeys(sketch, 'reportSchema', 'scanInfo')) return 0.98;
  if (hasKeys(sketch, 'dependencies', 'projectInfo')) return 0.9;
  return innerHas(sketch, 'dependencies', 'fileName', 'evidenceCollected') ? 0.95 : sarifScore(head, SARIF);
}

/** @throws ReportError */
export async function* parseDependencyCheck(
  report: AsyncIterable<Uint8Array>,
  options: ParseOptions,
): AsyncGenerator<ReportRecord> {
  const start = await peek(report, 1_024);
  const isXml = headText(start.head).toString('utf8').trimStart().startsWith('<');
  yield* isXml ? parseXml(start.report, options) : parseJson(start.report, options);
}

const parseJson = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  parseJsonOrSarif(report, options, { writer: SARIF, shape: SHAPE }, (json, tally) => {
    return readDependencies(json, tally, options.signal);
  });

function* readDependencies(json: JsonReport, tally: Tally, signal: AbortSignal): Generator<ReportRecord> {
  for (const document of json.documents) {
    const dependencies = document.records.get('dependencies');
    const isOurs =
      document.values.has('reportSchema') || document.children.has('scanInfo') || document.values.has('projectInfo');
    if (dependencies === undefined || !isOurs)
      throw wrongTool(NAME, undefined, 'it has no “dependencies” with “scanInfo”');
    const version = document.children.get('scanInfo')?.[0]?.values.get('engineVersion');
    yield reportInfo(version, fields(document.values.get('projectInfo')).reportDate);
    const source = { report: json, ranges: dependencies, list: 'dependencies', check: dependencyCheck, tally, signal };
    yield* readRecords(source, dependencyFindings);
  }
  if (json.loose.length > 0) throw wrongTool(NAME, undefined, 'it has no “dependencies”');
}

async function* parseXml(report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncGenerator<ReportRecord> {
  let version: string | undefined;
  let date: string | undefined;
  for await (const { path, element } of readXml(report, XML, options.signal)) {
    if (path === 'scanInfo/engineVersion') version = element.text;
    else if (path === 'projectInfo/reportDate') date = element.text;
    else yield* dependencyFindings(dependencyFromXml(element));
  }
  yield reportInfo(version, date);
}

function reportInfo(version: unknown, date: unknown): ReportInfo {
  return defined({ kind: 'report' as const, toolName: NAME, toolVersion: label(version), date: isoDate(date) });
}
