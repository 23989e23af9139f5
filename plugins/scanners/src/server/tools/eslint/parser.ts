import type { NormalizedFinding, ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { Type } from 'typebox';
import { CheckoutPaths } from '../../lib/findings/checkout-paths.ts';
import { scanFailure, scannedFiles } from '../../lib/findings/coverage.ts';
import { webAddresses } from '../../lib/findings/identifiers.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { severityFromWord } from '../../lib/findings/severity.ts';
import { oneLine, paragraphs } from '../../lib/findings/text.ts';
import { wrongTool } from '../../lib/json/records.ts';
import type { JsonShape } from '../../lib/json/report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import type { StreamReader } from '../../lib/json/stream-parser.ts';
import { LIMITS } from '../../lib/limits.ts';
import { clean, defined, fields, isRecord, label, list, position, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';
import { orSarif } from '../sarif/coverage.ts';
import { readJsonOrSarif, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';

type Fields = Record<string, unknown>;

const SARIF = SARIF_WRITERS.eslint;
const NAME = SARIF.name;
/** `json` writes the bare list, `json-with-metadata` an object with what is known of the rules. */
const SHAPE: JsonShape = { results: 'records', metadata: 'value' };

/** One file. Source: ESLint, lib/cli-engine/formatters/json.js, versions 1 to 10: the list of `LintResult`. */
const file = recordCheck(
  Type.Object({ filePath: Type.String({ minLength: 1 }), messages: Type.Array(Type.Unknown()) }),
);

function recogniseEslint(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (sketch.root === 'array' && hasKeys(sketch, 'filePath', 'messages')) return 0.97;
  return innerHas(sketch, 'results', 'filePath', 'messages') ? 0.97 : sarifScore(head, SARIF);
}

/** @throws ReportError */
const parseEslint = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readJsonOrSarif(report, options, { writer: SARIF, shape: SHAPE, emptyForms: ['[]'] }, createReader);

const createReader = (): StreamReader => {
  const paths = new CheckoutPaths();
  const files: string[] = [];
  let rules: Fields = {};
  function* read(record: object): Generator<ReportRecord> {
    const entry = fields(record);
    const path = normalisePath(entry.filePath);
    paths.see(path);
    if (path !== undefined) files.push(path);
    const place = { path, lines: linesOf(entry.source) };
    for (const value of list(entry.messages)) yield* messageRecords(fields(value), place, paths);
    for (const value of list(entry.suppressedMessages)) paths.hold(suppressed(fields(value), place));
  }
  const results = { check: file, read };
  return {
    lists: { results: () => results, report: () => results },
    document(node) {
      if (!node.lists.has('results')) throw wrongTool(NAME, 'it has no “results”');
      const { cwd, rulesMeta } = fields(node.values.get('metadata'));
      paths.root(normalisePath(cwd));
      rules = fields(rulesMeta);
      return [];
    },
    *end() {
      yield { kind: 'report', toolName: NAME };
      for (const finding of paths.release()) yield withRule(finding, rules);
      yield* scannedFiles(files.map(paths.relative));
      if (files.length === 0) yield scanFailure('No file was linted.');
    },
  };
};

interface Place {
  path: string | undefined;
  /** Of the file, where the report has its source. */
  lines: readonly string[];
}

const linesOf = (source: unknown): string[] => (typeof source === 'string' ? source.split('\n') : []);

function* messageRecords(message: Fields, place: Place, paths: CheckoutPaths): Generator<ReportRecord> {
  const said = text(message.message) ?? 'could not be linted';
  // A file that cannot be parsed has no results until it can.
  if (message.fatal === true) yield scanFailure(`${place.path ?? 'A file'}: ${said}`);
  else if (message.ruleId !== null || !said.startsWith('File ignored')) paths.hold(messageFinding(message, place));
}

function messageFinding(message: Fields, { path, lines }: Place): NormalizedFinding {
  // Directives that silence nothing belong to no rule.
  const ruleId = label(message.ruleId) ?? 'unused-directive';
  const said = text(message.message);
  const nativeSeverity = message.severity === 2 ? 'error' : message.severity === 1 ? 'warning' : undefined;
  const startLine = position(message.line);
  const endLine = position(message.endLine);
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(said ?? ruleId),
    type: 'SAST' as const,
    severity: severityFromWord(nativeSeverity) ?? 'informational',
    nativeSeverity,
    description: said,
    locations:
      path === undefined
        ? undefined
        : [
            defined({
              ...{ path, startLine, endLine },
              startColumn: position(message.column),
              endColumn: position(message.endColumn),
              snippet: codeOf(lines, startLine, endLine),
            }),
          ],
  });
}

function codeOf(lines: readonly string[], start: number | undefined, end: number | undefined): string | undefined {
  if (start === undefined) return undefined;
  const code = clean(lines.slice(start - 1, Math.max(start, end ?? start)).join('\n'), LIMITS.snippetChars);
  return code.trim() === '' ? undefined : code;
}

/** A result that a comment in the code turned off. */
function suppressed(message: Fields, place: Place): NormalizedFinding {
  const reasons = list(message.suppressions).map((entry) => label(fields(entry).justification));
  const reason = reasons.filter((words) => words !== undefined).join('; ');
  return {
    ...messageFinding(message, place),
    suppressed: { verdict: 'accepted_risk', reason: oneLine(reason || 'Turned off by a comment in the code.') },
  };
}

/** What `json-with-metadata` says of a rule. */
function withRule(finding: NormalizedFinding, rules: Fields): NormalizedFinding {
  const docs = fields(fields(Object.hasOwn(rules, finding.ruleId) ? rules[finding.ruleId] : undefined).docs);
  if (!isRecord(docs)) return finding;
  const description = paragraphs(finding.description, text(docs.description));
  return defined({ ...finding, description, references: webAddresses(docs.url) });
}

export const eslint: ReportParser = {
  tool: 'eslint',
  formats: ['json', 'json-with-metadata', 'sarif'],
  reads: orSarif({
    part: {},
    files: '`filePath`',
    failure: ['`fatal` messages', 'no file'],
    identity: 'rule, path and code',
  }),
  recognise: recogniseEslint,
  parse: parseEslint,
};
