import type { ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { scanFailure } from '../../lib/findings/coverage.ts';
import { headText } from '../../lib/input/decode.ts';
import { type JsonFormat, type Tally, wrongTool } from '../../lib/json/records.ts';
import type { JsonNode, JsonShape } from '../../lib/json/report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import { readJson, type StreamReader } from '../../lib/json/stream-parser.ts';
import { fields, isRecord, label, number } from '../../lib/values/read.ts';
import { AuditedPackages, advisoryCheck, advisoryFindings, packageCheck } from './advisory.ts';

/** What the registry answers, as npm, pnpm and Yarn hand it on. Advisories and packages stand by number and name. */
export const AUDIT_SHAPE: JsonShape = {
  auditReportVersion: 'value',
  vulnerabilities: 'value',
  advisories: 'value',
  metadata: 'value',
  error: 'value',
  message: 'value',
};

type PackageManager = 'npm' | 'pnpm' | 'yarn';

/** Ways to a package begin with the folder of the project in pnpm alone. */
const PNPM_WAY = /"paths"\s*:\s*\[\s*"(?:\.|packages|apps|[\w.-]{1,80}(?:__|\/)[\w.-]{1,80})>/;

/** Which package manager wrote the report, and whether it could be another's as well. */
function writerOf(head: Uint8Array): { by: PackageManager; isSure: boolean } | undefined {
  const sketch = sketchJson(head);
  if (sketch.root !== 'object') return undefined;
  if (hasKeys(sketch, 'auditReportVersion') && !hasKeys(sketch, 'runs')) return { by: 'npm', isSure: true };
  const error = sketch.inner.get('error');
  if (error !== undefined && !hasKeys(sketch, 'advisories')) {
    if (error.has('summary') && error.has('detail')) return { by: 'npm', isSure: true };
    const isPnpm = /"code"\s*:\s*"ERR_PNPM_/.test(headText(head).toString('utf8', 0, 2_000));
    return isPnpm ? { by: 'pnpm', isSure: true } : undefined;
  }
  if (!hasKeys(sketch, 'advisories')) return undefined;
  // Composer's advisories have no metadata, and stand by the names of packages.
  if (!hasKeys(sketch, 'metadata') && !hasKeys(sketch, 'actions') && !/"module_name"/.test(headText(head).toString())) {
    return undefined;
  }
  if (hasKeys(sketch, 'runId') || innerHas(sketch, 'actions', 'resolves')) return { by: 'npm', isSure: true };
  if (PNPM_WAY.test(headText(head).toString('utf8'))) return { by: 'pnpm', isSure: true };
  const hasWays = headText(head).includes('"paths"');
  return { by: hasWays && hasKeys(sketch, 'actions') ? 'yarn' : 'pnpm', isSure: false };
}

/** How sure a report is one of this package manager. The three write the same answer of the registry. */
export function auditScore(head: Uint8Array, by: PackageManager): number {
  const writer = writerOf(head);
  if (writer === undefined) return 0;
  if (writer.by === by) return writer.isSure ? 0.98 : 0.85;
  return writer.isSure ? 0 : 0.3;
}

/** The records of a whole report. @throws ReportError report_wrong_tool */
export function* auditRecords(node: JsonNode, name: string, tally: Tally): Generator<ReportRecord> {
  const { values } = node;
  const packages = values.get('vulnerabilities');
  const advisories = values.get('advisories');
  yield* auditFailure(node);
  if (isRecord(packages)) yield* packageRecords(packages, tally);
  if (isRecord(advisories)) yield* advisoryRecords(advisories, tally);
  if (isRecord(packages) || isRecord(advisories) || values.has('error')) return;
  throw wrongTool(name, 'it has neither “vulnerabilities” nor “advisories”');
}

function* packageRecords(packages: Record<string, unknown>, tally: Tally): Generator<ReportRecord> {
  const known = new Map<string, Record<string, unknown>>();
  for (const [name, entry] of Object.entries(packages)) {
    if (packageCheck.accepts(entry)) known.set(name, fields(entry));
    else yield* tally.addUnreadable(`vulnerabilities.${name.slice(0, 100)}`, packageCheck.issue());
  }
  tally.readable += known.size;
  yield* new AuditedPackages(known).findings();
}

function* advisoryRecords(advisories: Record<string, unknown>, tally: Tally): Generator<ReportRecord> {
  for (const [id, entry] of Object.entries(advisories)) {
    if (advisoryCheck.accepts(entry)) {
      tally.readable += 1;
      yield* advisoryFindings(entry);
    } else yield* tally.addUnreadable(`advisories.${id.slice(0, 100)}`, advisoryCheck.issue());
  }
}

/** The registry refused, or the summary counts what the list does not hold. */
function* auditFailure({ values }: JsonNode): Generator<ReportRecord> {
  const error = fields(values.get('error'));
  if (values.has('error') && values.get('error') !== null) {
    const words = [error.summary, error.message, values.get('message'), error.detail, error.code, values.get('error')];
    const said = words.map((word) => label(word)).find((word) => word !== undefined);
    yield scanFailure(`The audit failed: ${(said ?? 'the registry gave no answer').replace(/\.$/, '')}.`);
  }
  const counts = Object.values(fields(fields(values.get('metadata')).vulnerabilities)).map(
    (count) => number(count) ?? 0,
  );
  const listed = { ...fields(values.get('vulnerabilities')), ...fields(values.get('advisories')) };
  if (Object.keys(listed).length === 0 && counts.some((count) => count > 0))
    yield scanFailure('The summary counts vulnerabilities, but none is listed.');
}

export const AUDIT_FAILURES: readonly string[] = ['`error`', '`metadata.vulnerabilities` above 0 and none listed'];

function auditParser(tool: 'npm-audit' | 'pnpm-audit', by: 'npm' | 'pnpm'): ReportParser {
  const name = `${by} audit`;
  const format: JsonFormat = { name, shape: AUDIT_SHAPE };
  const createReader = (tally: Tally): StreamReader => ({
    lists: {
      report: () => {
        throw wrongTool(name, 'it has neither “vulnerabilities” nor “advisories”');
      },
    },
    *document(node) {
      yield { kind: 'report', toolName: name };
      yield* auditRecords(node, name, tally);
    },
  });
  return {
    tool,
    formats: ['json'],
    reads: { part: {}, failure: AUDIT_FAILURES, identity: 'advisory and package' },
    recognise: (head) => auditScore(head, by),
    parse: (report: AsyncIterable<Uint8Array>, options: ParseOptions) =>
      readJson(report, options, format, createReader),
  };
}

export const npmAudit = auditParser('npm-audit', 'npm');
export const pnpmAudit = auditParser('pnpm-audit', 'pnpm');
