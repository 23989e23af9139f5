import type { NormalizedFinding, ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { webAddresses } from '../../lib/findings/identifiers.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { severityFromWord } from '../../lib/findings/severity.ts';
import { oneLine, paragraphs } from '../../lib/findings/text.ts';
import { advised } from '../../lib/formats/by-start.ts';
import { type JsonFormat, wrongTool } from '../../lib/json/records.ts';
import { innerHas, sketchJson } from '../../lib/json/sketch.ts';
import { readJson, type StreamReader } from '../../lib/json/stream-parser.ts';
import { defined, fields, label, position, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

const NAME = 'tfsec';
const Text = Type.String({ minLength: 1 });

/** Source: tfsec 0.40 to 1.28, `--format json`. */
const Result = Type.Object({ rule_id: Text, location: Type.Object({ filename: Type.String() }) });
type Result = Static<typeof Result>;
const resultCheck = recordCheck(Result);

/** Without results the list is null. */
const FORMAT: JsonFormat = { name: NAME, shape: { results: 'records' }, writesNullLists: true };

function recogniseTfsec(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (innerHas(sketch, 'results', 'rule_id', 'location', 'severity')) return 0.97;
  // Nothing but a list that is null.
  return sketch.keys.size === 1 &&
    sketch.keys.has('results') &&
    /^\s*\{\s*"results"\s*:\s*null\s*\}\s*$/.test(Buffer.from(head).toString('latin1', 0, 200))
    ? 0.8
    : 0;
}

/** Undefined for checks that passed, which are listed when asked for. */
function resultFinding(result: Result): NormalizedFinding | undefined {
  const record = fields(result);
  if (record.status === 'passed' || record.status === 1) return undefined;
  const place = fields(result.location);
  const path = normalisePath(place.filename);
  const nativeSeverity = label(record.severity);
  const ruleId = label(result.rule_id) ?? 'unnamed rule';
  const legacy = label(record.legacy_rule_id);
  const long = label(record.long_id);
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(text(record.rule_description) ?? text(record.description) ?? ruleId),
    type: 'IaC' as const,
    severity: severityFromWord(nativeSeverity) ?? ('informational' as const),
    nativeSeverity,
    description: paragraphs(text(record.description), text(record.impact)),
    mitigation: text(record.resolution),
    aliases: [ruleId, long, legacy].filter((id) => id !== undefined),
    references: webAddresses(record.links, record.link),
    locations:
      path === undefined
        ? undefined
        : [defined({ path, startLine: position(place.start_line), endLine: position(place.end_line) })],
    resource: label(record.resource) ?? resourceIn(record.description),
    policy: defined({ category: label(record.rule_provider), control: long ?? ruleId }),
    suppressed:
      record.status === 'ignored' || record.status === 2
        ? { verdict: 'accepted_risk' as const, reason: 'Ignored by a comment in the code (tfsec:ignore).' }
        : undefined,
  });
}

/** `Resource 'module.a:aws_s3_bucket.b' …` of versions before 1.0. */
function resourceIn(description: unknown): string | undefined {
  return /^Resource '([^'\s]{1,300})'/.exec(text(description, 1_000) ?? '')?.[1];
}

const createReader = (): StreamReader => {
  const reader = { check: resultCheck, read: resultFinding };
  return {
    lists: { results: () => reader, report: () => reader },
    *document(document) {
      if (!document.lists.has('results')) throw wrongTool(NAME, 'it has no “results”');
      yield { kind: 'report', toolName: NAME };
    },
  };
};

/** @throws ReportError */
const parseTfsec = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readJson(report, options, FORMAT, createReader);

export const tfsec: ReportParser = {
  tool: 'tfsec',
  formats: ['json'],
  reads: { part: {}, failure: [], identity: 'rule, path and resource' },
  recognise: recogniseTfsec,
  parse: advised(parseTfsec, 'tfsec --format json'),
};
