import type { NormalizedFinding, ParseOptions, ReportParser, ReportRecord, Severity } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { webAddresses } from '../../lib/findings/identifiers.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { maskSecret, secretDigest, withoutSecret } from '../../lib/findings/secrets.ts';
import { severityFromWord } from '../../lib/findings/severity.ts';
import { isoDate, oneLine, paragraphs } from '../../lib/findings/text.ts';
import { advised, readByStart, startText } from '../../lib/formats/by-start.ts';
import { readTableReport } from '../../lib/formats/csv.ts';
import { failedTest, junitShape, readXmlReport, type XmlFormat } from '../../lib/formats/xml-report.ts';
import { headText } from '../../lib/input/decode.ts';
import { hasKeys, sketchJson } from '../../lib/json/sketch.ts';
import { recordsAlone } from '../../lib/json/stream-parser.ts';
import { LIMITS } from '../../lib/limits.ts';
import { clean, defined, fields, label, labels, list, number, position, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';
import { orSarif } from '../sarif/coverage.ts';
import { readJsonOrSarif, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';

const Text = Type.String();

/** A finding of Gitleaks 8. Source: gitleaks report/finding.go. */
const Finding = Type.Object({ RuleID: Text, File: Text });
/** A leak of Gitleaks 4 to 7. Source: gitleaks v7 scan/leak.go; v4 writes the same without `leakURL`. */
const Leak = Type.Object({ rule: Text, file: Text });

const GitleaksRecord = Type.Union([Finding, Leak]);
type GitleaksRecord = Static<typeof GitleaksRecord>;
export const gitleaksCheck = recordCheck(GitleaksRecord);

const MESSAGE_CHARS = 2_000;

/** The fields of both record generations under one set of names. */
function read(record: Record<string, unknown>) {
  const isCurrent = record.RuleID !== undefined;
  return {
    ruleId: label(isCurrent ? record.RuleID : record.rule),
    title: text(isCurrent ? record.Description : record.rule),
    path: normalisePath(isCurrent ? record.File : record.file),
    startLine: position(isCurrent ? record.StartLine : record.lineNumber),
    endLine: position(record.EndLine),
    startColumn: position(record.StartColumn),
    endColumn: position(record.EndColumn),
    secret: raw(isCurrent ? record.Secret : record.offender),
    context: raw(isCurrent ? record.Match : record.line),
    commit: label(isCurrent ? record.Commit : record.commit),
    author: label(isCurrent ? record.Author : record.author),
    message: text(isCurrent ? record.Message : record.commitMessage),
    date: isoDate(isCurrent ? record.Date : record.date),
    tags: tagsOf(isCurrent ? record.Tags : record.tags),
    link: isCurrent ? record.Link : record.leakURL,
    fingerprint: label(record.Fingerprint),
    entropy: number(record.Entropy),
  };
}

export function leakFinding(record: GitleaksRecord): NormalizedFinding {
  const leak = read(fields(record));
  const { path } = leak;
  const safe = (value: string | undefined) => withoutSecret(value, leak.secret);
  const ruleId = safe(leak.ruleId) ?? 'secret';
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(safe(leak.title) ?? ruleId),
    type: 'Secrets' as const,
    severity: severityOf(leak.tags),
    description: descriptionOf(leak.commit, safe(leak.author), safe(leak.message)),
    // no text: part of a finding
    mitigation: 'Revoke the secret, then remove it from the code and its history.',
    cwe: [798],
    references: webAddresses(safe(typeof leak.link === 'string' ? leak.link : undefined)),
    locations:
      path === undefined
        ? undefined
        : [
            defined({
              path: safe(path) ?? path,
              startLine: leak.startLine,
              endLine: leak.endLine,
              startColumn: leak.startColumn,
              endColumn: leak.endColumn,
              snippet: snippetOf(leak.context, leak.secret),
            }),
          ],
    secretHash: secretDigest(leak.secret),
    fingerprint: safe(stableFingerprint(leak.fingerprint, leak.commit)),
    date: leak.date,
    tags: leak.tags.length === 0 ? undefined : leak.tags,
  });
}

/** Secrets keep their white space: the digest is of the secret as it stands in the code. */
function raw(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function snippetOf(context: string | undefined, secret: string | undefined): string | undefined {
  const masked = maskSecret(context, secret);
  return masked === undefined || masked.trim() === '' ? undefined : clean(masked, LIMITS.snippetChars);
}

/** A comma list in version 7, words in CSV, an array in version 8. */
function tagsOf(value: unknown): string[] {
  const parts = Array.isArray(value) ? list(value) : typeof value === 'string' ? value.split(/[,\s]+/) : [];
  return labels(parts, 50);
}

/** Gitleaks does not rate; people rate their own rules by a tag. A secret in the open is high without one. */
function severityOf(tags: readonly string[]): Severity {
  return tags.map(severityFromWord).find((severity) => severity !== undefined) ?? 'high';
}

function descriptionOf(commit: string | undefined, author: string | undefined, message: string | undefined) {
  const origin =
    commit === undefined || commit === ''
      ? undefined
      : // no text: part of a finding
        `Found in commit ${commit}${author === undefined ? '' : ` by ${author}`}.`;
  return paragraphs(origin, message === undefined ? undefined : clean(message, MESSAGE_CHARS));
}

/** `commit:file:rule:line`; without a commit (a folder was scanned) it only repeats the place, which moves with every edit. */
function stableFingerprint(fingerprint: string | undefined, commit: string | undefined): string | undefined {
  return commit === undefined ? undefined : fingerprint;
}

/** A failure holds the record of the JSON report as its text. Source: gitleaks report/junit.go, since 8.16. */
export const JUNIT: XmlFormat<GitleaksRecord> = {
  shape: junitShape('Gitleaks'),
  check: gitleaksCheck,
  record(element) {
    const test = failedTest(element);
    return test === undefined ? undefined : parsed(test.text);
  },
};

/** Null for a text that is no JSON, which no check accepts. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export const isJunit = (start: string): boolean =>
  /^(?:<\?xml[^>]*\?>\s*)?<testsuites>\s*<testsuite [^>]*\bname="gitleaks"/.test(start);

const NAME = 'Gitleaks';
const SARIF = SARIF_WRITERS.gitleaks;
const CSV_HEAD = /^\s*"?RuleID"?\s*,/;

function recogniseGitleaks(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (hasKeys(sketch, 'RuleID', 'File') && (hasKeys(sketch, 'Secret') || hasKeys(sketch, 'Match'))) return 0.98;
  if (hasKeys(sketch, 'rule', 'file', 'offender') || hasKeys(sketch, 'rule', 'file', 'commitMessage')) return 0.95;
  if (isJunit(startText(head))) return 0.98;
  return isCsv(headText(head)) ? 0.95 : sarifScore(head, SARIF);
}

function isCsv(bytes: Buffer): boolean {
  const line = bytes.toString('utf8', 0, 500).split('\n', 1)[0] ?? '';
  return CSV_HEAD.test(line) && /\bFile\b/.test(line);
}

/** @throws ReportError */
const parseGitleaks = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readByStart(report, (start) => {
    if (isJunit(start)) return (whole) => readXmlReport(whole, JUNIT, options.signal, leakFinding);
    if (isCsv(Buffer.from(start))) return (whole) => parseRows(whole, options);
    return (whole) =>
      readJsonOrSarif(whole, options, { writer: SARIF, shape: {}, emptyForms: ['[]', 'null'] }, () =>
        recordsAlone(NAME, gitleaksCheck, leakFinding),
      );
  });

const parseRows = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readTableReport(report, options, { tool: NAME, check: gitleaksCheck }, leakFinding);

export const gitleaks: ReportParser = {
  tool: 'gitleaks',
  formats: ['json', 'csv', 'junit', 'sarif'],
  reads: orSarif({ part: {}, failure: [], identity: 'rule, path and secret' }),
  recognise: recogniseGitleaks,
  parse: advised(parseGitleaks, 'gitleaks --report-format json'),
};
