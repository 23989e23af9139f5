import type { Location, NormalizedFinding } from '@breakwater/sdk';
import { cweNumbers, webAddresses } from '../../lib/findings/identifiers.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { maskTokens } from '../../lib/findings/secrets.ts';
import { severityFromWord } from '../../lib/findings/severity.ts';
import { firstSentence, oneLine, plainText } from '../../lib/findings/text.ts';
import { LIMITS } from '../../lib/limits.ts';
import { defined, fields, label, labels, list, number, position, text } from '../../lib/values/read.ts';

type Fields = Record<string, unknown>;

/** What the tool calls good is no finding. */
const GOOD = /^(?:good|secure)$/i;

/** What every part of a report says of a result. */
interface Result {
  ruleId: string;
  severity: unknown;
  title?: unknown;
  metadata: Fields;
  locations?: Location[] | undefined;
  app: string | undefined;
  fingerprint?: string | undefined;
}

function resultFinding({ ruleId, severity, title, metadata, locations, app, fingerprint }: Result): NormalizedFinding {
  const nativeSeverity = label(severity);
  const html = text(metadata.description);
  const description = html === undefined ? undefined : plainText(html) || undefined;
  const name = plainText(text(title) ?? '') || undefined;
  const standard = label(metadata.masvs);
  const category = label(metadata['owasp-mobile']);
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(name ?? (description === undefined ? ruleId : (firstSentence(description) ?? ruleId))),
    type: 'SAST' as const,
    severity: severityFromWord(nativeSeverity) ?? ('informational' as const),
    nativeSeverity,
    description,
    cwe: cweNumbers(label(metadata.cwe)?.toUpperCase()),
    references: webAddresses(metadata.reference, metadata.ref),
    locations: locations === undefined || locations.length === 0 ? undefined : locations,
    resource: app,
    policy: standard === undefined && category === undefined ? undefined : defined({ control: standard, category }),
    fingerprint,
  });
}

/** `results` of mobsfscan: rules with the places in files, or none where the app lacks something. Source: mobsfscan 0.0.6 to 0.4. */
export function* scanFindings(results: unknown): Generator<NormalizedFinding> {
  for (const [ruleId, value] of Object.entries(fields(results))) {
    const rule = fields(value);
    const metadata = fields(rule.metadata);
    if (label(metadata.severity) === undefined && rule.files === undefined) continue;
    const files = list(rule.files).map(fields);
    const result = { ruleId: label(ruleId) ?? 'unnamed rule', severity: metadata.severity, metadata, app: undefined };
    for (const file of files) {
      const place = placeOf(file);
      yield resultFinding({ ...result, locations: place === undefined ? undefined : [place] });
    }
    if (files.length === 0) yield resultFinding(result);
  }
}

function placeOf(file: Fields): Location | undefined {
  const path = normalisePath(file.file_path);
  if (path === undefined) return undefined;
  const [start, end] = list(file.match_lines);
  const match = text(file.match_string, LIMITS.snippetChars);
  return defined({
    path,
    startLine: position(start),
    endLine: position(end),
    snippet: match === undefined ? undefined : maskTokens(match),
  });
}

/** Findings of code: a rule with files, each with its lines: `{"a/B.java": "3,17"}`. */
export function* codeFindings(findings: unknown, app: string | undefined): Generator<NormalizedFinding> {
  for (const [ruleId, value] of Object.entries(fields(findings))) {
    const { files, metadata } = fields(value);
    const said = fields(metadata);
    if (GOOD.test(label(said.severity) ?? '')) continue;
    const result = { ruleId: label(ruleId) ?? 'unnamed rule', severity: said.severity, metadata: said, app };
    const places = Object.entries(fields(files)).slice(0, LIMITS.listItems);
    for (const [file, lines] of places) {
      const path = normalisePath(file);
      if (path !== undefined) yield resultFinding({ ...result, locations: linesOf(path, lines) });
    }
    if (places.length === 0) yield resultFinding(result);
  }
}

function linesOf(path: string, lines: unknown): Location[] {
  const numbers = [...new Set((label(lines) ?? '').split(',').map(position))].filter((line) => line !== undefined);
  if (numbers.length === 0) return [{ path }];
  return numbers
    .sort((a, b) => a - b)
    .slice(0, LIMITS.locations)
    .map((startLine) => ({ path, startLine }));
}

/** Findings of the manifest and of the network settings. */
export function* settingFindings(
  findings: unknown,
  app: string | undefined,
  path: string,
): Generator<NormalizedFinding> {
  for (const value of list(findings)) {
    const record = fields(value);
    const severity = label(record.severity) ?? label(record.stat);
    if (severity === undefined || GOOD.test(severity)) continue;
    const title = label(record.title) ?? label(record.name) ?? label(record.description);
    const parts = labels([record.component, record.scope].flat());
    yield resultFinding({
      ruleId: label(record.rule) ?? oneLine(title ?? 'setting'),
      severity,
      title,
      metadata: { description: record.description ?? record.desc },
      locations: [{ path }],
      app,
      fingerprint: oneLine([label(record.rule) ?? title, ...parts].filter(Boolean).join(' ')),
    });
  }
}

/** Findings of the certificate: `["high", "Application signed with debug certificate …", "…"]`. */
export function* certificateFindings(findings: unknown, app: string | undefined): Generator<NormalizedFinding> {
  for (const value of list(findings)) {
    const [severity, description, title] = list(value);
    if (label(severity) === undefined || GOOD.test(label(severity) ?? '') || number(severity) !== undefined) continue;
    const name = label(title) ?? label(description);
    if (name === undefined) continue;
    yield resultFinding({ ruleId: oneLine(name), severity, title: name, metadata: { description }, app });
  }
}
