import type { NormalizedFinding, ReportParser } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { OnlyLinter } from '../../lib/findings/linters.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { severityFromWord } from '../../lib/findings/severity.ts';
import { oneLine } from '../../lib/findings/text.ts';
import { startText } from '../../lib/formats/by-start.ts';
import type { JsonFormat } from '../../lib/json/records.ts';
import { hasKeys, sketchJson } from '../../lib/json/sketch.ts';
import { readJson, recordsAlone, type StreamReader } from '../../lib/json/stream-parser.ts';
import { defined, fields, label, labels, position, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

const NAME = 'Code Climate';
const FORMAT: JsonFormat = { name: NAME, shape: {}, emptyForms: ['[]'] };

/** Source: codeclimate/platform, spec/analyzers/SPEC.md "Issues", and GitLab's subset of it ("Code Quality"). */
const Issue = Type.Object({
  description: Type.String({ minLength: 1 }),
  location: Type.Object({ path: Type.String({ minLength: 1 }) }),
});
type Issue = Static<typeof Issue>;
const issueCheck = recordCheck(Issue);

function recogniseCodeClimate(head: Uint8Array): number {
  // Hadolint's rules are known by their names; its own importer says more of them.
  if (/"check_name"\s*:\s*"(?:DL|SC)\d{4}"/.test(startText(head))) return 0;
  const sketch = sketchJson(head);
  const isIssue = hasKeys(sketch, 'description', 'location') && sketch.inner.get('location')?.has('path') === true;
  if (!isIssue) return 0;
  if (hasKeys(sketch, 'check_name') && (hasKeys(sketch, 'fingerprint') || hasKeys(sketch, 'categories'))) return 0.95;
  return hasKeys(sketch, 'fingerprint') && sketch.inner.get('location')?.has('lines') === true ? 0.9 : 0;
}

function issueFinding(issue: Issue): NormalizedFinding {
  const record = fields(issue);
  const location = fields(record.location);
  const { begin, end } = fields(location.lines);
  const positions = fields(location.positions);
  const from = fields(positions.begin);
  const to = fields(positions.end);
  const path = normalisePath(location.path);
  const description = text(issue.description);
  const ruleId = label(record.check_name) ?? 'unnamed check';
  const nativeSeverity = label(record.severity);
  const tags = [label(record.engine_name), ...labels(record.categories, 20)].filter((tag) => tag !== undefined);
  const place = {
    startLine: position(begin) ?? position(from.line),
    endLine: position(end) ?? position(to.line),
    startColumn: position(from.column),
    endColumn: position(to.column),
  };
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(description ?? ruleId),
    type: 'SAST' as const,
    severity: severityFromWord(nativeSeverity) ?? 'informational',
    nativeSeverity,
    description,
    mitigation: text(fields(record.content).body),
    locations: path === undefined ? undefined : [defined({ path, ...place })],
    fingerprint: label(record.fingerprint),
    tags: tags.length === 0 ? undefined : tags,
  });
}

const createReader = (): StreamReader => {
  const linter = new OnlyLinter();
  const alone = recordsAlone(NAME, issueCheck, (issue: Issue) => {
    linter.see(label(fields(issue).engine_name));
    return issueFinding(issue);
  });
  return { ...alone, end: () => [...(alone.end?.() ?? []), ...linter.part()] };
};

export const codeclimate: ReportParser = {
  tool: 'codeclimate',
  formats: ['json'],
  reads: {
    part: { linter: '`engine_name`, where all that have one have the same' },
    isPartOnlyTool: true,
    failure: [],
    identity: 'check, path and fingerprint',
  },
  recognise: recogniseCodeClimate,
  parse: (report, options) => readJson(report, options, FORMAT, createReader),
};
