import type { NormalizedFinding, ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { webAddresses } from '../../lib/findings/identifiers.ts';
import { severityFromWord } from '../../lib/findings/severity.ts';
import { isoDate, oneLine, paragraphs } from '../../lib/findings/text.ts';
import { advised } from '../../lib/formats/by-start.ts';
import { readReport } from '../../lib/input/decode.ts';
import { readJsonReport, readRecords, type Tally, wrongTool } from '../../lib/json/records.ts';
import type { JsonReport, JsonShape } from '../../lib/json/report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import { defined, fields, label, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

const Text = Type.String({ minLength: 1 });

/** One element of `results`. Source: chain-bench internal/checker/checkmodels. */
const Result = Type.Object({ id: Text, result: Text });
type Result = Static<typeof Result>;
const resultCheck = recordCheck(Result);

const SHAPE: JsonShape = { metadata: 'value', results: 'records' };
const NAME = 'chain-bench';

function recogniseChainbench(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (innerHas(sketch, 'results', 'id', 'result', 'remediation')) return 0.98;
  if (hasKeys(sketch, 'metadata', 'results') && innerHas(sketch, 'metadata', 'statistics')) return 0.95;
  return hasKeys(sketch, 'id', 'name', 'remediation', 'result') ? 0.85 : 0;
}

/** @throws ReportError */
async function* parseChainbench(
  report: AsyncIterable<Uint8Array>,
  { signal }: ParseOptions,
): AsyncGenerator<ReportRecord> {
  const bytes = await readReport(report, signal);
  const format = { name: NAME, shape: SHAPE };
  yield* readJsonReport(bytes, format, (json, tally) => readResults(json, tally, signal));
}

function* readResults(json: JsonReport, tally: Tally, signal: AbortSignal): Generator<ReportRecord> {
  const source = { report: json, check: resultCheck, tally, signal };
  for (const document of json.documents) {
    const results = document.records.get('results');
    if (results === undefined) throw wrongTool(NAME, undefined, 'it has no “results”');
    const metadata = fields(document.values.get('metadata'));
    const repository = webAddresses(metadata.url)?.[0];
    const date = isoDate(metadata.date);
    yield defined({ kind: 'report' as const, toolName: NAME, target: repository, date });
    yield* readRecords({ ...source, ranges: results, list: 'results' }, (result) => resultFinding(result, repository));
  }
  yield* readRecords({ ...source, ranges: json.loose, list: 'report' }, (result) => resultFinding(result, undefined));
}

/** Undefined for checks that passed, or whose outcome could not be found out. */
function resultFinding(result: Result, repository: string | undefined): NormalizedFinding | undefined {
  const record = fields(result);
  if (!/^fail(?:ed)?$/i.test(label(result.result) ?? '')) return undefined;
  const ruleId = label(result.id) ?? 'unnamed check';
  const nativeSeverity = label(record.severity);
  const name = text(record.name);
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(name ?? ruleId),
    type: 'Supply chain' as const,
    severity: severityFromWord(nativeSeverity) ?? 'medium',
    nativeSeverity,
    description: paragraphs(text(record.reason), text(record.description)),
    mitigation: text(record.remediation),
    references: webAddresses(record.url),
    resource: repository,
    policy: { name: 'CIS Software Supply Chain Security Guide', control: ruleId },
  });
}

export const chainbench: ReportParser = {
  tool: 'chainbench',
  formats: ['json'],
  recognise: recogniseChainbench,
  parse: advised(parseChainbench, 'chain-bench scan --output-file report.json'),
};
