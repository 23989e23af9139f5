import type { NormalizedFinding, ReportParser, ReportRecord } from '@breakwater/sdk';
import { Type } from 'typebox';
import { scanFailure } from '../../lib/findings/coverage.ts';
import { paragraphs } from '../../lib/findings/text.ts';
import { endsOf, vulnerabilityFinding } from '../../lib/findings/vulnerability.ts';
import type { JsonFormat, Tally } from '../../lib/json/records.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import { type RecordReader, readJson, type StreamReader } from '../../lib/json/stream-parser.ts';
import { fields, label, labels, list, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';
import { advisoryCheck, advisoryFindings, advisoryIds } from '../npm-audit/advisory.ts';
import { AUDIT_FAILURES, AUDIT_SHAPE, auditRecords, auditScore } from '../npm-audit/parser.ts';

const NAME = 'yarn audit';
const FORMAT: JsonFormat = { name: NAME, shape: AUDIT_SHAPE };

/** A line of Yarn 1, by its type, or of Yarn 4, where `value` is the package. */
const line = recordCheck(
  Type.Union([
    Type.Object({ type: Type.String(), data: Type.Unknown() }),
    Type.Object({ value: Type.String({ minLength: 1 }), children: Type.Object({ Severity: Type.Unknown() }) }),
  ]),
);

/** Reads the lines of one report. Yarn 1 writes an advisory once for each way to its package, each time with all ways. */
class AuditLines {
  private readonly seen = new Set<string>();
  private readonly tally: Tally;
  private hasLines = false;
  private hasSummary = false;

  constructor(tally: Tally) {
    this.tally = tally;
  }

  readonly reader: RecordReader<unknown> = {
    check: line,
    read: (record, index) => this.records(fields(record), index),
  };

  private *records(record: Record<string, unknown>, index: number): Generator<ReportRecord> {
    if (record.children !== undefined) {
      yield* lineFindings(label(record.value) ?? 'unnamed package', fields(record.children));
      return;
    }
    this.hasLines = true;
    const { advisory, message } = fields(record.data);
    const said = label(record.data) ?? label(message);
    if (record.type === 'auditSummary') this.hasSummary = true;
    else if (record.type === 'auditAdvisory') yield* this.advisory(advisory, index);
    else if (record.type === 'error') yield scanFailure(said ?? 'The audit failed.');
    // Nothing was looked at then, and the summary counts nothing.
    else if (said?.startsWith('No lockfile found') === true) yield scanFailure(said);
  }

  private *advisory(advisory: unknown, index: number): Generator<ReportRecord> {
    if (!advisoryCheck.accepts(advisory)) {
      yield* this.tally.addUnreadable(`line ${index + 1}`, advisoryCheck.issue());
      return;
    }
    const { id, findings } = fields(advisory);
    const versions = list(findings).map((finding) => label(fields(finding).version));
    const key = JSON.stringify([label(id), advisory.module_name, versions]);
    if (this.seen.has(key)) return;
    this.seen.add(key);
    yield* advisoryFindings(advisory);
  }

  *end(): Generator<ReportRecord> {
    if (this.hasLines && !this.hasSummary) yield scanFailure('The report has no summary: it is cut off.');
  }
}

/** Source: Yarn 4, packages/plugin-npm-cli/sources/commands/npm/audit.ts. */
function* lineFindings(name: string, children: Record<string, unknown>): Generator<NormalizedFinding> {
  const versions = labels(children['Tree Versions']);
  for (const version of versions.length === 0 ? [undefined] : versions) yield lineFinding(name, version, children);
}

function lineFinding(name: string, version: string | undefined, children: Record<string, unknown>): NormalizedFinding {
  const range = label(children['Vulnerable Versions']);
  const ids = advisoryIds(undefined, children.URL, children.ID);
  const dependents = labels(children.Dependents, 20);
  return vulnerabilityFinding({
    ids: ids.length > 0 ? ids : [`${name} advisory`],
    title: text(children.Issue),
    description: paragraphs(
      text(children.Issue),
      range === undefined ? undefined : `Vulnerable versions: ${range}`,
      dependents.length === 0 ? undefined : `Required by: ${dependents.join(', ')}`,
    ),
    nativeSeverity: label(children.Severity),
    references: [children.URL],
    package: { name, version, ecosystem: 'npm', fixed: endsOf(range) },
  });
}

function recogniseYarn(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (hasKeys(sketch, 'type', 'data')) {
    const type = sketch.texts.get('type') ?? '';
    if (type === 'auditAdvisory' || type === 'auditSummary') return 0.98;
    // What comes before the first advisory.
    return /"type"\s*:\s*"audit(?:Advisory|Summary)"/.test(Buffer.from(head).toString('utf8')) ? 0.95 : 0;
  }
  if (hasKeys(sketch, 'value') && innerHas(sketch, 'children', 'Issue', 'Severity')) return 0.98;
  return auditScore(head, 'yarn');
}

const createReader = (tally: Tally): StreamReader => {
  const lines = new AuditLines(tally);
  return {
    lists: { report: () => lines.reader },
    document: (node) => auditRecords(node, NAME, tally),
    *end() {
      yield { kind: 'report', toolName: NAME };
      yield* lines.end();
    },
  };
};

export const yarnAudit: ReportParser = {
  tool: 'yarn-audit',
  formats: ['json'],
  reads: {
    part: {},
    failure: [...AUDIT_FAILURES, 'a line of type `error`', 'no lock file', 'no line of type `auditSummary`'],
    identity: 'advisory and package',
  },
  recognise: recogniseYarn,
  parse: (report, options) => readJson(report, options, FORMAT, createReader),
};
