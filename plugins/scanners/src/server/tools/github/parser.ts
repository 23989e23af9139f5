import type { Location, NormalizedFinding, ParseOptions, ReportParser, ReportRecord, Severity } from '@breakwater/sdk';
import { Type } from 'typebox';
import { cweNumbers, identifiers, identifiersIn, webAddresses } from '../../lib/findings/identifiers.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { secretDigest, withoutSecret } from '../../lib/findings/secrets.ts';
import { severityFromWord } from '../../lib/findings/severity.ts';
import { isoDate, oneLine, paragraphs } from '../../lib/findings/text.ts';
import { type JsonFormat, type Tally, wrongTool } from '../../lib/json/records.ts';
import type { JsonNode } from '../../lib/json/report.ts';
import { hasKeys, sketchJson } from '../../lib/json/sketch.ts';
import { type RecordReader, readJson, type StreamReader } from '../../lib/json/stream-parser.ts';
import { LIMITS } from '../../lib/limits.ts';
import { defined, fields, isRecord, label, labels, list, position, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';
import { typeOf } from '../sarif/rules.ts';

/** Alerts of GitHub's REST API: alone, in pages, in pages of pages (`gh api --slurp`), in a webhook's `alert`. */

const anyRecord = recordCheck(Type.Unknown());

export interface AlertReader {
  /** Name of the importer for messages. */
  name: string;
  tally: Tally;
  /** The finding of an alert; a text says why it is none. */
  read: (alert: Record<string, unknown>) => NormalizedFinding | string;
}

/** Alerts that stand alone or in pages. @throws ReportError for an error of the API in the place of the alerts */
export const looseAlerts = (reader: AlertReader): RecordReader<unknown> => ({
  check: anyRecord,
  isSupplement: true,
  *read(record, index) {
    for (const alert of Array.isArray(record) ? record : [record]) yield* oneAlert(alert, `report[${index}]`, reader);
  },
});

/** The alert of a webhook. */
export function* webhookAlert(document: JsonNode, reader: AlertReader): Generator<ReportRecord> {
  if (document.values.has('alert')) yield* oneAlert(document.values.get('alert'), 'alert', reader);
}

function* oneAlert(value: unknown, where: string, { name, tally, read }: AlertReader): Generator<ReportRecord> {
  const alert = fields(value);
  const refusal = label(alert.message);
  if (refusal !== undefined && alert.documentation_url !== undefined)
    throw wrongTool(name, `it is GitHub's answer “${refusal}” to a request that failed`);
  const made = isRecord(value) ? read(alert) : 'is no object';
  if (typeof made === 'string') yield* tally.addUnreadable(where, made);
  else {
    tally.readable += 1;
    yield made;
  }
}

/** Reasons that say there is nothing to do, as opposed to nothing that will be done. */
const NOTHING_THERE = /false.positive|inaccurate|not.used|pattern.(?:deleted|edited)/i;

/** The alert is gone, or the secret was taken back. */
const isFixed = (state: string, reason: string | undefined): boolean => state === 'fixed' || reason === 'revoked';

interface Closing {
  state: unknown;
  reason: unknown;
  comment: unknown;
}

/** An alert that was closed on GitHub, by a person or because it is gone. */
export function suppressionOf({ state, reason, comment }: Closing): NormalizedFinding['suppressed'] {
  const word = label(state)?.toLowerCase() ?? 'open';
  if (word === 'open') return undefined;
  const why = said(reason)?.replaceAll('_', ' ').toLowerCase();
  const parts = [`${word.replaceAll('_', ' ')} on GitHub`, why, said(comment)].filter((part) => part !== undefined);
  const verdict = NOTHING_THERE.test(why ?? '')
    ? 'false_positive'
    : isFixed(word, why)
      ? 'mitigated_externally'
      : 'accepted_risk';
  return { verdict, reason: parts.join(': ') };
}

/** Exports by script write Python's "None". */
export function said(value: unknown): string | undefined {
  const found = text(value, 2_000);
  return found === 'None' || found === 'null' ? undefined : found;
}

/** Name of the repository, where a report holds the alerts of several. */
export function repositoryOf(value: unknown): string | undefined {
  const repository = fields(value);
  return label(repository.full_name) ?? label(repository.nameWithOwner) ?? label(repository.name);
}

const NAME = 'GitHub';
const FORMAT: JsonFormat = { name: NAME, shape: { alert: 'value' }, emptyForms: ['[]'] };

function recogniseGithub(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (hasKeys(sketch, 'rule', 'tool', 'most_recent_instance')) return 0.98;
  if (hasKeys(sketch, 'secret_type', 'number') || hasKeys(sketch, 'secret_type', 'locations_url')) return 0.98;
  return hasKeys(sketch, 'html_url', 'rule') ? 0.9 : 0;
}

/** @throws ReportError */
const parseGithub = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readJson(report, options, FORMAT, (tally): StreamReader => {
    const reader: AlertReader = { name: NAME, tally, read: findingOf };
    const alerts = looseAlerts(reader);
    return {
      lists: { report: () => alerts },
      document: (document) => webhookAlert(document, reader),
      end: () => [{ kind: 'report', toolName: NAME }],
    };
  });

function findingOf(alert: Record<string, unknown>): NormalizedFinding | string {
  if (secretAlertCheck.accepts(alert)) return secretAlertFinding(alert);
  if (codeAlertCheck.accepts(alert)) return codeAlertFinding(alert);
  return alert.security_advisory === undefined
    ? 'is no alert of code scanning or secret scanning'
    : 'is an alert of Dependabot: upload it as dependabot';
}

export const github: ReportParser = {
  tool: 'github',
  formats: ['json'],
  reads: { part: {}, failure: [], identity: 'rule, path and code' },
  recognise: recogniseGithub,
  parse: parseGithub,
};

const Text = Type.String({ minLength: 1 });

/** An alert of code scanning. Source: GitHub REST API 2022-11-28, "List code scanning alerts". */
export const codeAlertCheck = recordCheck(
  Type.Object({ rule: Type.Object({ id: Type.Optional(Type.Unknown()) }), tool: Type.Object({}) }),
);

/** An alert of secret scanning. Source: GitHub REST API 2022-11-28, "List secret scanning alerts". */
export const secretAlertCheck = recordCheck(Type.Object({ secret_type: Text }));

export function codeAlertFinding(alert: Record<string, unknown>): NormalizedFinding {
  const rule = fields(alert.rule);
  const instance = fields(alert.most_recent_instance);
  const location = fields(instance.location);
  const path = normalisePath(location.path);
  const toolName = label(fields(alert.tool).name) ?? '';
  const message = said(fields(instance.message).text);
  const summary = said(rule.description);
  const tags = [...labels(rule.tags, 50), ...labels(instance.classifications, 10)];
  const ruleId = said(rule.id) ?? said(rule.name) ?? summary ?? 'unnamed rule';
  const nativeSeverity = said(rule.security_severity_level) ?? said(rule.severity);
  return defined({
    kind: 'finding' as const,
    ruleId: oneLine(ruleId),
    title: oneLine(summary ?? message ?? said(rule.name) ?? ruleId),
    type: typeOf({ toolName, ruleId, tags, hasComponent: false }),
    severity: severityFromWord(nativeSeverity) ?? 'informational',
    nativeSeverity: label(nativeSeverity),
    description: paragraphs(message, said(rule.full_description)),
    mitigation: text(rule.help),
    cwe: cweNumbers(tags),
    ...identifiers(...identifiersIn(ruleId)),
    references: webAddresses(alert.html_url, rule.help_uri),
    locations: path === undefined ? undefined : [placeOf(path, location)],
    // The alert's number stays its own, wherever the code moves.
    fingerprint: label(alert.html_url) ?? label(alert.url),
    resource: repositoryOf(alert.repository),
    suppressed: suppressionOf({ state: alert.state, reason: alert.dismissed_reason, comment: alert.dismissed_comment }),
    date: isoDate(alert.created_at),
    tags: tags.length === 0 ? undefined : [...new Set(tags)],
    language: /^\/language:([\w+#-]+)$/.exec(label(instance.category) ?? '')?.[1]?.toLowerCase(),
  });
}

function placeOf(path: string, location: Record<string, unknown>) {
  return defined({
    path,
    startLine: position(location.start_line),
    endLine: position(location.end_line),
    startColumn: position(location.start_column),
    endColumn: position(location.end_column),
  });
}

export function secretAlertFinding(alert: Record<string, unknown>): NormalizedFinding {
  const secret = typeof alert.secret === 'string' ? alert.secret : undefined;
  const safe = (value: string | undefined) => withoutSecret(value, secret);
  const ruleId = safe(label(alert.secret_type)) ?? 'secret';
  const first = fields(alert.first_location_detected);
  const places = [first, ...list(alert.locations).map((entry) => fields(fields(entry).details))];
  const locations = uniquePlaces(places);
  const closing = { state: alert.state, reason: alert.resolution, comment: safe(said(alert.resolution_comment)) };
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(safe(said(alert.secret_type_display_name)) ?? ruleId),
    type: 'Secrets' as const,
    severity: severityOf(alert),
    description: descriptionOf(alert, first),
    // no text: part of a finding
    mitigation: 'Revoke the secret, then remove it from the code and its history.',
    cwe: [798],
    references: webAddresses(alert.html_url, ...places.flatMap((place) => Object.values(place)).filter(isPage)),
    locations: locations.length === 0 ? undefined : locations,
    secretHash: secretDigest(secret),
    fingerprint: label(alert.html_url) ?? label(alert.url),
    resource: repositoryOf(alert.repository),
    suppressed: suppressionOf(closing),
    date: isoDate(alert.created_at),
    tags: tagsOf(alert),
  });
}

/** GitHub does not rate secrets; it says whether one works and whether strangers can read it. */
function severityOf(alert: Record<string, unknown>): Severity {
  if (alert.validity === 'active' || alert.publicly_leaked === true) return 'critical';
  return alert.validity === 'inactive' ? 'low' : 'high';
}

function uniquePlaces(places: readonly Record<string, unknown>[]): Location[] {
  const found = new Map<string, Location>();
  for (const place of places.slice(0, LIMITS.locations)) {
    const path = normalisePath(place.path);
    if (path === undefined) continue;
    const made = placeOf(path, place);
    found.set(`${path} ${made.startLine ?? 0} ${made.startColumn ?? 0}`, made);
  }
  return [...found.values()];
}

/** Issues, comments and pull requests that hold the secret; addresses of the API are no pages. */
function isPage(value: unknown): boolean {
  return typeof value === 'string' && /^https:\/\//.test(value) && !/^https:\/\/[^/]*api[./]/.test(value);
}

function descriptionOf(alert: Record<string, unknown>, first: Record<string, unknown>): string | undefined {
  const commit = label(first.commit_sha);
  const parts = [
    // no text: part of a finding
    commit === undefined ? undefined : `Found in commit ${commit}.`,
    // no text: part of a finding
    alert.validity === 'active' ? 'GitHub found the secret to be valid.' : undefined,
    // no text: part of a finding
    alert.publicly_leaked === true ? 'It was also found in public.' : undefined,
    // no text: part of a finding
    alert.push_protection_bypassed === true ? 'Push protection was bypassed.' : undefined,
  ].filter((part) => part !== undefined);
  return paragraphs(parts.join(' '));
}

function tagsOf(alert: Record<string, unknown>): string[] | undefined {
  const validity = label(alert.validity);
  return validity === undefined ? undefined : [`validity:${validity}`];
}
