import type { NormalizedFinding, ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { scanFailures } from '../../lib/findings/coverage.ts';
import { cweNumbers, webAddresses } from '../../lib/findings/identifiers.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { oneLine, paragraphs } from '../../lib/findings/text.ts';
import { wrongTool } from '../../lib/json/records.ts';
import type { JsonShape } from '../../lib/json/report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import type { StreamReader } from '../../lib/json/stream-parser.ts';
import { LIMITS } from '../../lib/limits.ts';
import { defined, fields, label, number, position, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';
import { orSarif } from '../sarif/coverage.ts';
import { readJsonOrSarif, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';

const SARIF = SARIF_WRITERS.brakeman;
const NAME = SARIF.name;
const SHAPE: JsonShape = { scan_info: 'value', warnings: 'records', ignored_warnings: 'records', errors: 'value' };

/** Source: presidentbeef/brakeman lib/brakeman/report/report_json.rb and warning.rb, versions 3 to 7. */
const Warning = Type.Object({ warning_type: Type.String({ minLength: 1 }) });
type Warning = Static<typeof Warning>;
const check = recordCheck(Warning);

function recogniseBrakeman(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (innerHas(sketch, 'scan_info', 'brakeman_version') || innerHas(sketch, 'scan_info', 'rails_version')) return 0.98;
  const isWarning = innerHas(sketch, 'warnings', 'warning_type', 'fingerprint');
  return isWarning && hasKeys(sketch, 'scan_info') ? 0.97 : sarifScore(head, SARIF);
}

/** @throws ReportError */
const parseBrakeman = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readJsonOrSarif(report, options, { writer: SARIF, shape: SHAPE }, createReader);

const createReader = (): StreamReader => {
  const warnings = { check, read: warningFinding };
  const ignored = { check, read: ignoredFinding };
  return {
    lists: { warnings: () => warnings, ignored_warnings: () => ignored, report: () => warnings },
    *document({ lists, values }) {
      if (!lists.has('warnings')) throw wrongTool(NAME, 'it has no “warnings”');
      const { brakeman_version } = fields(values.get('scan_info'));
      yield defined({ kind: 'report' as const, toolName: NAME, toolVersion: label(brakeman_version) });
      yield* scanFailures(values.get('errors'), ({ error, location }) =>
        [label(location), label(error) ?? 'could not be scanned'].filter((words) => words !== undefined).join(': '),
      );
    },
  };
};

function warningFinding(warning: Warning): NormalizedFinding {
  const record = fields(warning);
  const code = number(record.warning_code);
  const message = text(record.message);
  const confidence = label(record.confidence);
  const path = normalisePath(record.file);
  const input = text(record.user_input, 2_000);
  return defined({
    kind: 'finding' as const,
    // As its SARIF names the rule.
    ruleId:
      code === undefined ? (label(warning.warning_type) ?? 'unnamed warning') : `BRAKE${String(code).padStart(4, '0')}`,
    title: oneLine(`${warning.warning_type}: ${message ?? 'see the code'}`),
    type: 'SAST' as const,
    severity:
      confidence === 'High' ? ('high' as const) : confidence === 'Medium' ? ('medium' as const) : ('low' as const),
    nativeSeverity: confidence,
    description: paragraphs(message, input === undefined ? undefined : `User input: ${input}`),
    cwe: cweNumbers(record.cwe_id),
    references: webAddresses(record.link),
    locations:
      path === undefined
        ? undefined
        : [defined({ path, startLine: position(record.line), snippet: text(record.code, LIMITS.snippetChars) })],
    fingerprint: label(record.fingerprint),
    policy: defined({ name: label(record.check_name) }),
    language: 'ruby',
  });
}

const ignoredFinding = (warning: Warning): NormalizedFinding => ({
  ...warningFinding(warning),
  suppressed: {
    verdict: 'accepted_risk',
    reason: oneLine(text(fields(warning).note) ?? 'Ignored by config/brakeman.ignore.'),
  },
});

export const brakeman: ReportParser = {
  tool: 'brakeman',
  formats: ['json', 'sarif'],
  reads: orSarif({ part: {}, failure: ['`errors[]`'], identity: 'rule, path and code' }),
  recognise: recogniseBrakeman,
  parse: parseBrakeman,
};
