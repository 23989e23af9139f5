import type { NormalizedFinding, ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { webAddresses } from '../../lib/findings/identifiers.ts';
import { severityFromWord } from '../../lib/findings/severity.ts';
import { isoDate, oneLine, paragraphs } from '../../lib/findings/text.ts';
import { advised } from '../../lib/formats/by-start.ts';
import { wrongTool } from '../../lib/json/records.ts';
import type { JsonNode, JsonShape } from '../../lib/json/report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import { LATER, readJson, type StreamReader } from '../../lib/json/stream-parser.ts';
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
const parseChainbench = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readJson(report, options, { name: NAME, shape: SHAPE, writesNullLists: true }, createReader);

const createReader = (): StreamReader => ({
  lists: {
    results: (document) => {
      // What was checked stands in front of the results.
      if (document?.isClosed === false && !document.values.has('metadata')) return LATER;
      const repository = repositoryOf(document);
      return { check: resultCheck, read: (result: Result) => resultFinding(result, repository) };
    },
    report: () => ({ check: resultCheck, read: (result: Result) => resultFinding(result, undefined) }),
  },
  *document(document) {
    if (!document.lists.has('results')) throw wrongTool(NAME, 'it has no “results”');
    const date = isoDate(fields(document.values.get('metadata')).date);
    yield defined({ kind: 'report' as const, toolName: NAME, target: repositoryOf(document), date });
  },
});

const repositoryOf = (document: JsonNode | undefined): string | undefined =>
  webAddresses(fields(document?.values.get('metadata')).url)?.[0];

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
  reads: {
    part: {},
    failure: [],
    identity: 'check and repository, which is the target',
  },
  recognise: recogniseChainbench,
  parse: advised(parseChainbench, 'chain-bench scan --output-file report.json'),
};
