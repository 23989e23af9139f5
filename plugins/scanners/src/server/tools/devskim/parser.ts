import type { NormalizedFinding, ParseOptions, ReportParser, ReportRecord, Severity } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { normalisePath } from '../../lib/findings/packages.ts';
import { oneLine, paragraphs } from '../../lib/findings/text.ts';
import { hasKeys, sketchJson } from '../../lib/json/sketch.ts';
import { recordsAlone } from '../../lib/json/stream-parser.ts';
import { LIMITS } from '../../lib/limits.ts';
import { clean, defined, fields, label, labels, position, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';
import { orSarif } from '../sarif/coverage.ts';
import { readJsonOrSarif, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';

/** An issue of `-f json`. Source: DevSkim's Writers/JsonWriter.cs; the names in use depend on a format string. */
const Issue = Type.Object({ rule_id: Type.String({ minLength: 1 }), filename: Type.Optional(Type.Unknown()) });
type Issue = Static<typeof Issue>;
const issueCheck = recordCheck(Issue);

const SARIF = SARIF_WRITERS.devskim;
const NAME = SARIF.name;

function recogniseDevskim(head: Uint8Array): number {
  const sketch = sketchJson(head);
  return hasKeys(sketch, 'rule_id', 'rule_name', 'filename', 'start_line') ? 0.9 : sarifScore(head, SARIF);
}

/** @throws ReportError */
const parseDevskim = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readJsonOrSarif(report, options, { writer: SARIF, shape: {}, emptyForms: ['[]'] }, () =>
    recordsAlone(NAME, issueCheck, issueFinding),
  );

/** Its severities, by name and by the number that some versions write. */
const SEVERITIES: ReadonlyMap<string, Severity> = new Map([
  ['critical', 'critical'],
  ['1', 'critical'],
  ['important', 'high'],
  ['2', 'high'],
  ['moderate', 'medium'],
  ['4', 'medium'],
  ['bestpractice', 'low'],
  ['8', 'low'],
  ['manualreview', 'informational'],
  ['16', 'informational'],
]);

function issueFinding(issue: Issue): NormalizedFinding {
  const record = fields(issue);
  const ruleId = label(issue.rule_id) ?? 'unnamed rule';
  const name = text(record.rule_name);
  const nativeSeverity = label(record.severity);
  const path = normalisePath(record.filename);
  const tags = labels(record.tags, 50);
  const location = {
    startLine: position(record.start_line),
    endLine: position(record.end_line),
    startColumn: position(record.start_column),
    endColumn: position(record.end_column),
    snippet: snippetOf(record.match),
  };
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(name ?? ruleId),
    type: 'SAST' as const,
    severity: SEVERITIES.get(nativeSeverity?.toLowerCase() ?? '') ?? ('informational' as const),
    nativeSeverity,
    description: paragraphs(name, text(record.description)),
    references: /^DS\d+$/.test(ruleId)
      ? [`https://github.com/microsoft/DevSkim/blob/main/guidance/${ruleId}.md`]
      : undefined,
    locations: path === undefined ? undefined : [defined({ path, ...location })],
    tags: tags.length === 0 ? undefined : tags,
  });
}

function snippetOf(match: unknown): string | undefined {
  return typeof match === 'string' && match.trim() !== '' ? clean(match, LIMITS.snippetChars) : undefined;
}

export const devskim: ReportParser = {
  tool: 'devskim',
  formats: ['sarif', 'json'],
  reads: orSarif({ part: {}, failure: [], identity: 'rule, path and code' }),
  recognise: recogniseDevskim,
  parse: parseDevskim,
};
