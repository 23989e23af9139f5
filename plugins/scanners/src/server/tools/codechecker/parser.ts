import type { Location, NormalizedFinding, ParseOptions, ReportParser, ReportRecord, Severity } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { webAddresses } from '../../lib/findings/identifiers.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { severityFromWord } from '../../lib/findings/severity.ts';
import { oneLine } from '../../lib/findings/text.ts';
import { advised } from '../../lib/formats/by-start.ts';
import { type JsonFormat, wrongTool } from '../../lib/json/records.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import { readJson, type StreamReader } from '../../lib/json/stream-parser.ts';
import { LIMITS } from '../../lib/limits.ts';
import { defined, fields, label, list, position, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

const NAME = 'CodeChecker';
const Text = Type.String({ minLength: 1 });

/** Source: CodeChecker 6.20 and later, `CodeChecker parse -e json`. */
const Report = Type.Object({ checker_name: Text, message: Type.String(), file: Type.Object({}) });
type Report = Static<typeof Report>;
const reportCheck = recordCheck(Report);

const FORMAT: JsonFormat = { name: NAME, shape: { version: 'value', reports: 'records' } };

function recogniseCodechecker(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (innerHas(sketch, 'reports', 'checker_name', 'analyzer_name')) return 0.97;
  return hasKeys(sketch, 'version', 'reports') ? 0.85 : 0;
}

function reportFinding(report: Report): NormalizedFinding {
  const record = fields(report);
  const nativeSeverity = label(record.severity);
  const ruleId = label(report.checker_name) ?? 'unnamed checker';
  const place = placeOf(record);
  const flow = list(record.bug_path_events).slice(0, LIMITS.flowSteps).map(fields).flatMap(stepOf);
  const analyzer = label(record.analyzer_name);
  const category = label(record.category);
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(text(report.message) ?? ruleId),
    type: 'SAST' as const,
    severity: severityOf(nativeSeverity),
    nativeSeverity,
    description: text(report.message),
    references: webAddresses(record.doc_url),
    locations: place === undefined ? undefined : [place],
    codeFlows: flow.length < 2 ? undefined : [flow],
    fingerprint: label(record.report_hash),
    policy: analyzer === undefined && category === undefined ? undefined : defined({ name: analyzer, category }),
    suppressed: reviewOf(record),
  });
}

/** STYLE and UNSPECIFIED say nothing of a risk. */
const severityOf = (word: string | undefined): Severity => severityFromWord(word) ?? 'informational';

function placeOf(record: Record<string, unknown>): Location | undefined {
  const file = fields(record.file);
  const path = normalisePath(file.path) ?? normalisePath(file.original_path);
  if (path === undefined) return undefined;
  return defined({ path, startLine: position(record.line), startColumn: position(record.column) });
}

function stepOf(event: Record<string, unknown>): Location[] {
  const place = placeOf(event);
  return place === undefined ? [] : [defined({ ...place, message: label(event.message) })];
}

/** What a reviewer decided, in the code or on the server. */
function reviewOf(record: Record<string, unknown>): NormalizedFinding['suppressed'] {
  const status = label(record.review_status)?.toLowerCase();
  const comment = label(fields(list(record.source_code_comments)[0]).message);
  if (status === 'false_positive' || status === 'false positive')
    return defined({
      verdict: 'false_positive' as const,
      reason: comment ?? 'Marked as a false positive in CodeChecker.',
    });
  if (status === 'intentional' || status === 'suppress')
    return defined({ verdict: 'accepted_risk' as const, reason: comment ?? 'Marked as intentional in CodeChecker.' });
  return undefined;
}

const createReader = (): StreamReader => {
  const reader = { check: reportCheck, read: reportFinding };
  return {
    lists: { reports: () => reader, report: () => reader },
    *document(document) {
      if (!document.lists.has('reports')) throw wrongTool(NAME, 'it has no “reports”');
      yield { kind: 'report', toolName: NAME };
    },
  };
};

/** @throws ReportError */
const parseCodechecker = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readJson(report, options, FORMAT, createReader);

export const codechecker: ReportParser = {
  tool: 'codechecker',
  formats: ['json'],
  reads: { part: {}, failure: [], identity: "checker, path and CodeChecker's hash" },
  recognise: recogniseCodechecker,
  parse: advised(parseCodechecker, 'CodeChecker parse -e json'),
};
