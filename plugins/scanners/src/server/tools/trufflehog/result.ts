// no text in this file: what findings say is stored in English
import type { Location, NormalizedFinding, Severity } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { webAddresses } from '../../lib/findings/identifiers.ts';
import { imageName, normalisePath } from '../../lib/findings/packages.ts';
import { maskSecret, secretDigest, withoutSecret } from '../../lib/findings/secrets.ts';
import { severityFromWord } from '../../lib/findings/severity.ts';
import { isoDate, oneLine, paragraphs } from '../../lib/findings/text.ts';
import { LIMITS } from '../../lib/limits.ts';
import { clean, defined, fields, label, list, position, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

const Text = Type.String();

/** A result of version 3. Source: trufflehog pkg/output/json.go. */
const Result = Type.Object({ DetectorName: Text, SourceMetadata: Type.Optional(Type.Unknown()) });
/** An issue of version 2, of `--json-legacy`, and of trufflehog3 until 2.x: one per kind of secret in one change of a file. */
const Issue = Type.Object({ reason: Text, path: Text });
/** An issue of trufflehog3 3.x. */
const CurrentIssue = Type.Object({ rule: Type.Object({}), path: Text, secret: Type.Optional(Type.Unknown()) });
/** A line of the log, where both outputs went to one file. */
const LogLine = Type.Object({ logger: Type.Literal('trufflehog'), msg: Text });

export const TruffleHogRecord = Type.Union([Result, Issue, CurrentIssue, LogLine]);
export type TruffleHogRecord = Static<typeof TruffleHogRecord>;
export const trufflehogCheck = recordCheck(TruffleHogRecord);

/** A result of version 3. */
export function resultFinding(record: Record<string, unknown>): NormalizedFinding {
  const [source, data] = sourceOf(record.SourceMetadata);
  const secret = rawText(record.Raw) ?? rawText(record.RawV2);
  const whole = rawText(record.RawV2);
  const safe = (value: unknown) => withoutSecret(withoutSecret(text(value), whole), secret);
  const ruleId = label(record.DetectorName) ?? 'secret';
  const extra = fields(record.ExtraData);
  const location = locationOf(data, safe);
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(ruleId),
    type: 'Secrets' as const,
    severity: severityOf(record),
    description: paragraphs(
      verification(record),
      safe(record.DetectorDescription),
      originOf(safe(data.commit), safe(data.email)),
      detailsOf(extra, safe),
    ),
    mitigation: 'Revoke the secret, then remove it from the code and its history.',
    cwe: [798],
    references: webAddresses(safe(data.link), extra.rotation_guide),
    locations: location === undefined ? undefined : [location],
    resource: resourceOf(data, safe),
    secretHash: secretDigest(secret),
    date: dateOf(data.timestamp),
    tags: tagsOf(record, source),
  });
}

/** `{"Data": {"Git": {…}}}`: the kind of source and what it says of the place. */
function sourceOf(metadata: unknown): [kind: string | undefined, data: Record<string, unknown>] {
  const [entry] = Object.entries(fields(fields(metadata).Data));
  return entry === undefined ? [undefined, fields(undefined)] : [label(entry[0]), fields(entry[1])];
}

/** Secrets keep their white space: the digest is of the secret as it stands in the code. */
function rawText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The tool does not rate. A secret that still works is worse than one that may be none. */
function severityOf(record: Record<string, unknown>): Severity {
  if (record.Verified === true) return 'critical';
  return label(record.VerificationError) === undefined ? 'medium' : 'high';
}

function verification(record: Record<string, unknown>): string | undefined {
  if (record.Verified === true) return 'The secret was tried and works.';
  if (label(record.VerificationError) !== undefined) return 'Whether the secret works could not be found out.';
  return record.Verified === false ? 'The secret was not confirmed to work.' : undefined;
}

type Safe = (value: unknown) => string | undefined;

function detailsOf(extra: Record<string, unknown>, safe: Safe): string | undefined {
  const lines = Object.entries(extra)
    .slice(0, 20)
    .flatMap(([name, value]) => {
      const said = safe(value);
      return said === undefined || name === 'rotation_guide' ? [] : [oneLine(`${name}: ${said}`)];
    });
  return lines.length === 0 ? undefined : lines.join('\n');
}

function locationOf(data: Record<string, unknown>, safe: Safe): Location | undefined {
  const path = normalisePath(safe(data.file) ?? safe(data.path) ?? safe(data.filename));
  return path === undefined ? undefined : defined({ path, startLine: position(data.line) });
}

/** What is not in a file: an image, a bucket, a channel, a page. */
function resourceOf(data: Record<string, unknown>, safe: Safe): string | undefined {
  const image = imageName(label(data.image));
  if (image !== undefined) return image;
  const named = [data.bucket, data.project_name, data.channel_name, data.issue, data.page, data.workspace_name];
  const found = named.map((value) => label(safe(value))).find((name) => name !== undefined);
  return found ?? (data.file === undefined ? label(safe(data.link)) : undefined);
}

/** Go adds the zone's name: `2022-06-16 10:17:40 -0700 PDT`. */
function dateOf(value: unknown): string | undefined {
  return isoDate(label(value)?.replace(/ [A-Z]{2,5}$/, ''));
}

function tagsOf(record: Record<string, unknown>, source: string | undefined): string[] {
  const decoder = label(record.DecoderName);
  const tags = [source, decoder === 'PLAIN' ? undefined : decoder].filter((tag) => tag !== undefined);
  return [record.Verified === true ? 'verified' : 'unverified', ...tags.map((tag) => tag.toLowerCase())];
}

const MESSAGE_CHARS = 2_000;
const MITIGATION = 'Revoke the secret, then remove it from the code and its history.';

/** Version 2: what one reason found in one change of a file. The change itself stays out, it shows the secrets. */
export function issueFinding(record: Record<string, unknown>): NormalizedFinding {
  const found = list(record.stringsFound).filter((value) => typeof value === 'string');
  const safe = (value: unknown) => withoutAll(text(value), found);
  const ruleId = label(record.reason) ?? 'secret';
  const path = normalisePath(safe(record.path));
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(ruleId),
    type: 'Secrets' as const,
    severity: /entropy/i.test(ruleId) ? ('medium' as const) : ('high' as const),
    description: paragraphs(
      found.length < 2 ? undefined : `${found.length} places in this change.`,
      originOf(safe(record.commitHash), undefined),
      cut(safe(record.commit)),
    ),
    mitigation: MITIGATION,
    cwe: [798],
    locations: path === undefined ? undefined : [{ path }],
    // Their order changes from run to run.
    secretHash: secretDigest(found.toSorted().join('\n')),
    date: dateOf(record.date),
  });
}

/** trufflehog3. */
export function currentIssueFinding(record: Record<string, unknown>): NormalizedFinding {
  const rule = fields(record.rule);
  const secret = typeof record.secret === 'string' && record.secret !== '' ? record.secret : undefined;
  const safe = (value: unknown) => withoutSecret(text(value), secret);
  const nativeSeverity = label(rule.severity);
  const ruleId = label(rule.id) ?? label(rule.message) ?? 'secret';
  const path = normalisePath(safe(record.path));
  const snippet = contextOf(record.context, secret);
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(text(rule.message) ?? ruleId),
    type: 'Secrets' as const,
    severity: severityFromWord(nativeSeverity) ?? 'high',
    nativeSeverity,
    description: paragraphs(originOf(safe(record.commit), safe(record.author)), cut(safe(record.message))),
    mitigation: MITIGATION,
    cwe: [798],
    locations: path === undefined ? undefined : [defined({ path, startLine: position(record.line), snippet })],
    secretHash: secretDigest(secret),
    date: dateOf(record.date),
  });
}

function originOf(commit: string | undefined, author: string | undefined): string | undefined {
  return commit === undefined ? undefined : `Found in commit ${commit}${author === undefined ? '' : ` by ${author}`}.`;
}

function cut(message: string | undefined): string | undefined {
  return message === undefined ? undefined : clean(message, MESSAGE_CHARS);
}

function withoutAll(value: string | undefined, secrets: readonly string[]): string | undefined {
  let safe = value;
  for (const secret of secrets.slice(0, 200)) safe = withoutSecret(safe, secret);
  return safe;
}

/** `{"3": "+FROM python@sha256:…"}` */
function contextOf(context: unknown, secret: string | undefined): string | undefined {
  const lines = Object.values(fields(context)).filter((line) => typeof line === 'string');
  const masked = maskSecret(lines.slice(0, 100).join('\n'), secret);
  return masked === undefined || masked.trim() === '' ? undefined : clean(masked, LIMITS.snippetChars);
}
