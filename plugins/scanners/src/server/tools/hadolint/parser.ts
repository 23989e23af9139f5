import type { NormalizedFinding, ParseOptions, ReportRecord, Severity } from '@breakwater/sdk';
import { headText } from '../../lib/decode.ts';
import { hasKeys, sketchJson } from '../../lib/json-sketch.ts';
import { normalisePath } from '../../lib/paths.ts';
import { defined, fields, label, position, text } from '../../lib/read.ts';
import { readRecords } from '../../lib/records.ts';
import { severityFromWord } from '../../lib/severity.ts';
import { oneLine } from '../../lib/text.ts';
import { parseJsonOrSarif, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';
import { type Failure, failureCheck } from './schema.ts';

const SARIF = SARIF_WRITERS.hadolint;
const NAME = SARIF.name;
const CODE = /"code"\s*:\s*"(?:DL|SC)\d{4}"/;

export function recogniseHadolint(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (sketch.root === 'array' && CODE.test(headText(head).toString('latin1'))) return 0.98;
  return hasKeys(sketch, 'code', 'message', 'line', 'file') ? 0.85 : sarifScore(head, SARIF);
}

/** @throws ReportError */
export const parseHadolint = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  parseJsonOrSarif(report, options, { writer: SARIF, shape: {} }, function* (json, tally) {
    yield { kind: 'report', toolName: NAME };
    const source = { report: json, ranges: json.loose, list: 'report', check: failureCheck, tally };
    yield* readRecords({ ...source, signal: options.signal }, failureFinding);
  });

function failureFinding(failure: Failure): NormalizedFinding {
  const record = fields(failure);
  const ruleId = label(failure.code) ?? 'unnamed rule';
  const message = text(record.message);
  const nativeSeverity = label(record.level);
  const path = normalisePath(record.file);
  const place = { startLine: position(record.line), startColumn: position(record.column) };
  const link = referenceOf(ruleId);
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(message ?? ruleId),
    type: 'IaC' as const,
    severity: severityOf(nativeSeverity),
    nativeSeverity,
    description: message,
    references: link === undefined ? undefined : [link],
    locations: path === undefined ? undefined : [defined({ path, ...place })],
    language: 'dockerfile',
  });
}

/** Levels are error, warning, info, style and ignore: info is the third of four, style is no risk. */
function severityOf(level: string | undefined): Severity {
  if (level?.toLowerCase() === 'info') return 'low';
  return severityFromWord(level) ?? 'informational';
}

/** Its own rules are described in its wiki, those of ShellCheck in that tool's. */
function referenceOf(code: string): string | undefined {
  if (/^DL\d{4}$/.test(code)) return `https://github.com/hadolint/hadolint/wiki/${code}`;
  return /^SC\d{4}$/.test(code) ? `https://www.shellcheck.net/wiki/${code}` : undefined;
}
