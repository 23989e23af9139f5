import type { ParseOptions, ReportInfo, ReportParser, ReportRecord } from '@breakwater/sdk';
import { partOf, scanFailures } from '../../lib/findings/coverage.ts';
import { isoDate } from '../../lib/findings/text.ts';
import { advised } from '../../lib/formats/by-start.ts';
import { wrongTool } from '../../lib/json/records.ts';
import type { JsonNode } from '../../lib/json/report.ts';
import { hasKeys, sketchJson } from '../../lib/json/sketch.ts';
import type { StreamReader } from '../../lib/json/stream-parser.ts';
import { defined, fields, isRecord, label } from '../../lib/values/read.ts';
import { orSarif } from '../sarif/coverage.ts';
import { type JsonOrSarif, readJsonOrSarif, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';
import { certificateFindings, codeFindings, scanFindings, settingFindings } from './finding.ts';

const SARIF = SARIF_WRITERS.mobsf;
const NAME = SARIF.name;
const FORMAT: JsonOrSarif = {
  writer: SARIF,
  shape: {
    ...{ mobsfscan_version: 'value', results: 'value', errors: 'value' },
    ...{ version: 'value', app_type: 'value', package_name: 'value', bundle_id: 'value', timestamp: 'value' },
    manifest_analysis: 'value',
    network_security: 'value',
    certificate_analysis: 'value',
    code_analysis: 'value',
  },
};

function recogniseMobsf(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (hasKeys(sketch, 'mobsfscan_version')) return 0.98;
  return hasKeys(sketch, 'app_name', 'app_type', 'md5') || hasKeys(sketch, 'manifest_analysis', 'code_analysis')
    ? 0.95
    : sarifScore(head, SARIF);
}

/** Findings of the static analysis of an app. Source: MobSF 3.0 to 4.x, `api/v1/report_json`. */
function* appFindings({ values }: JsonNode): Generator<ReportRecord> {
  const app = label(values.get('package_name')) ?? label(values.get('bundle_id'));
  const manifest = values.get('manifest_analysis');
  const network = values.get('network_security');
  yield* settingFindings(fields(manifest).manifest_findings ?? manifest, app, 'AndroidManifest.xml');
  yield* settingFindings(fields(network).network_findings ?? network, app, 'network_security_config.xml');
  yield* certificateFindings(fields(values.get('certificate_analysis')).certificate_findings, app);
  const code = fields(values.get('code_analysis'));
  yield* codeFindings(isRecord(code.findings) ? code.findings : code, app);
  yield* partOf({ app });
}

const createReader = (): StreamReader => ({
  lists: {
    report: () => {
      throw wrongTool(NAME, 'it has neither “results” nor “code_analysis”');
    },
  },
  *document(document) {
    const { values } = document;
    if (values.has('mobsfscan_version') && isRecord(values.get('results'))) {
      yield reportInfo('mobsfscan', values.get('mobsfscan_version'), undefined);
      yield* scanFindings(values.get('results'));
      yield* scanFailures(
        values.get('errors'),
        (error) => label(error.message) ?? label(error.long_msg) ?? 'A file was not scanned.',
      );
    } else if (values.has('app_type') || values.has('code_analysis')) {
      yield reportInfo(NAME, values.get('version'), values.get('timestamp'));
      yield* appFindings(document);
    } else throw wrongTool(NAME, 'it has neither “results” nor “code_analysis”');
  },
});

const reportInfo = (toolName: string, version: unknown, date: unknown): ReportInfo =>
  defined({ kind: 'report' as const, toolName, toolVersion: label(version), date: isoDate(date) });

/** @throws ReportError */
const parseMobsf = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readJsonOrSarif(report, options, FORMAT, createReader);

export const mobsf: ReportParser = {
  tool: 'mobsf',
  aliases: ['mobsfscan'],
  formats: ['json', 'sarif'],
  reads: orSarif({
    part: { app: '`package_name` or `bundle_id`' },
    failure: ['`errors[]` of mobsfscan'],
    identity: 'rule, path and code; rule and app',
  }),
  recognise: recogniseMobsf,
  parse: advised(parseMobsf, 'mobsfscan --json'),
};
