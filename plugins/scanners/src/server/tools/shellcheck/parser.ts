import type { NormalizedFinding, ParseOptions, ReportParser, ReportRecord, Severity } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { scanFailure } from '../../lib/findings/coverage.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { severityFromWord } from '../../lib/findings/severity.ts';
import { oneLine } from '../../lib/findings/text.ts';
import { advised, readByStart, startText } from '../../lib/formats/by-start.ts';
import { checkstyleError, checkstyleShape, readXmlReport, type XmlFormat } from '../../lib/formats/xml-report.ts';
import { type JsonFormat, wrongTool } from '../../lib/json/records.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import { readJson, type StreamReader } from '../../lib/json/stream-parser.ts';
import { defined, fields, label, number, position, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

const NAME = 'ShellCheck';
const FORMAT: JsonFormat = { name: NAME, shape: { comments: 'records' }, emptyForms: ['[]'] };

/** An element of the list. Source: ShellCheck src/ShellCheck/Formatter/JSON.hs and JSON1.hs, versions 0.3 to 0.11. */
const Comment = Type.Object({ file: Type.String(), code: Type.Integer({ minimum: 1 }), level: Type.String() });
type Comment = Static<typeof Comment>;
const commentCheck = recordCheck(Comment);

/** What it says of a file where it stopped reading. Source: shellcheck.net/wiki. */
const STOPPED: ReadonlySet<number> = new Set([1070, 1072, 1088, 1089]);

function recogniseShellcheck(head: Uint8Array): number {
  const start = startText(head);
  if (start.startsWith('<')) return start.includes('<checkstyle') && /\ssource=['"]ShellCheck\./.test(start) ? 0.98 : 0;
  const sketch = sketchJson(head);
  if (hasKeys(sketch, 'file', 'line', 'level', 'code', 'message') && !sketch.texts.has('code')) return 0.97;
  if (innerHas(sketch, 'comments', 'file', 'line', 'level', 'code')) return 0.97;
  const isEmpty = sketch.root === 'object' && sketch.keys.size === 1 && hasKeys(sketch, 'comments');
  return isEmpty && /^\{\s*"comments"\s*:\s*\[\s*\]/.test(start) ? 0.9 : 0;
}

/** @throws ReportError */
const parseShellcheck = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readByStart(report, (start) => {
    if (start.startsWith('<')) return (whole) => readXmlReport(whole, CHECKSTYLE, options.signal, commentFinding);
    return (whole) => readJson(whole, options, FORMAT, createReader);
  });

const createReader = (): StreamReader => {
  const stopped = new Set<string>();
  const comments = {
    check: commentCheck,
    *read(comment: Comment): Generator<ReportRecord> {
      yield commentFinding(comment);
      // Other results of the file are missing until it can be parsed.
      if (!STOPPED.has(comment.code) || stopped.has(comment.file)) return;
      stopped.add(comment.file);
      yield scanFailure(`${comment.file} could not be parsed: ${text(fields(comment).message) ?? ''}`);
    },
  };
  return {
    lists: { comments: () => comments, report: () => comments },
    document(node) {
      if (!node.lists.has('comments')) throw wrongTool(NAME, 'it has no “comments”');
      return [];
    },
    end: () => [{ kind: 'report', toolName: NAME }],
  };
};

function commentFinding(comment: Comment): NormalizedFinding {
  const record = fields(comment);
  const ruleId = `SC${String(comment.code).padStart(4, '0')}`;
  const message = text(record.message);
  const nativeSeverity = label(comment.level);
  const path = normalisePath(comment.file);
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(message ?? ruleId),
    type: 'SAST' as const,
    severity: severityOf(nativeSeverity),
    nativeSeverity,
    description: message,
    references: [`https://www.shellcheck.net/wiki/${ruleId}`],
    locations: path === undefined ? undefined : [defined({ path, ...placeOf(record) })],
    language: 'bash',
  });
}

function placeOf(record: Record<string, unknown>) {
  return defined({
    startLine: position(record.line),
    endLine: position(record.endLine),
    startColumn: position(record.column),
    endColumn: position(record.endColumn),
  });
}

/** Levels are error, warning, info and style: info is the third of four, style is no risk. */
function severityOf(level: string | undefined): Severity {
  if (level?.toLowerCase() === 'info') return 'low';
  return severityFromWord(level) ?? 'informational';
}

/** Here "style" is written as "info". Source: ShellCheck src/ShellCheck/Formatter/CheckStyle.hs. */
export const CHECKSTYLE: XmlFormat<Comment> = {
  shape: checkstyleShape(NAME),
  check: commentCheck,
  record(element) {
    const { file, error } = checkstyleError(element);
    const code = number(/^ShellCheck\.SC(\d{1,6})$/.exec(error.source ?? '')?.[1]);
    return { file, code, level: error.severity, message: error.message, line: error.line, column: error.column };
  },
};

export const shellcheck: ReportParser = {
  tool: 'shellcheck',
  formats: ['json', 'json1', 'checkstyle'],
  reads: { part: {}, failure: ['results that say that a file could not be parsed'], identity: 'rule, path and code' },
  recognise: recogniseShellcheck,
  parse: advised(parseShellcheck, 'shellcheck --format json1'),
};
